//go:build unix

package mock

import (
	"os/exec"
	"syscall"
)

// signals are how a client is ended: as a person would, gently, by force.
var signals = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL}

const kill = syscall.SIGKILL

// ownGroup gives a client a process group of its own, so that its children end with it and Ctrl-C reaches us alone.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func signalGroup(cmd *exec.Cmd, s syscall.Signal) {
	// A group that is gone needs no ending.
	_ = syscall.Kill(-cmd.Process.Pid, s)
}
