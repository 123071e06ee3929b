//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a process a group of its own: Ctrl-C in the terminal reaches us alone, and we end the whole group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func endGroup(cmd *exec.Cmd, force bool) {
	signal := syscall.SIGTERM
	if force {
		signal = syscall.SIGKILL
	}
	// A group that is gone needs no ending.
	_ = syscall.Kill(-cmd.Process.Pid, signal)
}
