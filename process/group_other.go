//go:build !unix

package process

import (
	"errors"
	"os"
	"os/exec"
)

// OwnGroup does nothing: process groups of this kind exist on Unix only.
func OwnGroup(*exec.Cmd) {}

// Interrupt ends the command: there is one way, and its children are out of reach.
func Interrupt(cmd *exec.Cmd) error { return Kill(cmd) }

// Terminate ends the command.
func Terminate(cmd *exec.Cmd) error { return Kill(cmd) }

// Kill ends the command. One that is gone already is fine.
func Kill(cmd *exec.Cmd) error {
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}
