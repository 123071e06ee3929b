package main

import (
	"runtime/debug"
	"strings"
)

// version is the module's version, "dev" in a working tree.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// version is mcpcheck version, and mcpcheck --version.
func (c *command) version(args []string) error {
	flags := newFlags("mcpcheck version")
	colorFlags(flags, new(string))
	help, err := parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	case flags.NArg() > 0:
		return usagef("mcpcheck version prints the version", "version takes no arguments: %s", strings.Join(flags.Args(), " "))
	}
	return c.print("mcpcheck " + version() + "\n")
}
