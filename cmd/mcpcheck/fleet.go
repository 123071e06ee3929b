package main

import "github.com/mcpcheck/mcpcheck/config"

func (c *command) checkFleet(args []string, o *options, cfg *config.Config, chosen []config.Target) error {
	return usagef("check one server at a time", "%d servers", len(chosen))
}
