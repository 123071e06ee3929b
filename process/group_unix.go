//go:build unix

package process

import (
	"errors"
	"os/exec"
	"syscall"
)

// OwnGroup makes a command, before it is started, the head of a process group: Ctrl-C in the terminal reaches us alone, and we end the whole
// group.
func OwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Interrupt asks the group of a command that was started to end, as a person would. A group that is gone already is fine.
func Interrupt(cmd *exec.Cmd) error { return signal(cmd, syscall.SIGINT) }

// Terminate asks the group to end. A group that is gone already is fine.
func Terminate(cmd *exec.Cmd) error { return signal(cmd, syscall.SIGTERM) }

// Kill ends the group. A group that is gone already is fine.
func Kill(cmd *exec.Cmd) error { return signal(cmd, syscall.SIGKILL) }

func signal(cmd *exec.Cmd, s syscall.Signal) error {
	if err := syscall.Kill(-cmd.Process.Pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}
