package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mcpcheck/mcpcheck/config"
)

// initialise is mcpcheck init URL: a configuration with everything that may stand in it as comments.
func (c *command) initialise(args []string) error {
	flags := newFlags("mcpcheck init")
	colorFlags(flags, new(string))
	help, err := c.parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	case flags.NArg() != 1:
		return usagef("mcpcheck init http://localhost:3000/mcp", "init takes the URL of a server")
	}
	url, path := flags.Arg(0), config.Names[0]
	if err := checkURL(url); err != nil {
		return err
	}
	for _, name := range config.Names {
		if _, err := os.Lstat(name); !errors.Is(err, os.ErrNotExist) {
			return usagef("add the server to its targets", "%s is there already", name)
		}
	}
	err = writeFile(path, func(w io.Writer) error {
		_, err := w.Write(config.Example(url))
		return err
	})
	if err != nil {
		return usagef(writableHint, "writing the configuration: %w", err)
	}
	return c.print(fmt.Sprintf("wrote %s; mcpcheck without arguments now checks what it names\n", path))
}
