//go:build !unix

package main

import "os/exec"

func ownGroup(*exec.Cmd) {}

// endGroup can end the process only: without process groups its children are out of reach.
func endGroup(cmd *exec.Cmd, _ bool) { _ = cmd.Process.Kill() }
