//go:build !unix

package mock

import (
	"os"
	"os/exec"
)

// signals are how a client is ended.
var signals = []os.Signal{os.Kill}

var kill = os.Kill

func ownGroup(*exec.Cmd) {}

func signalGroup(cmd *exec.Cmd, s os.Signal) {
	// A process that is gone needs no ending.
	_ = cmd.Process.Signal(s)
}
