package main

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// The usage texts are written by hand, for 80 columns; a test holds them against the flags that there are.
//
//go:embed usage/*.txt
var usageTexts embed.FS

// usage returns the text of a command, by the name of its flag set: "mcpcheck" or "mcpcheck serve".
func usage(command string) string {
	words := strings.Fields(command)
	text, err := usageTexts.ReadFile("usage/" + words[len(words)-1] + ".txt")
	if err != nil {
		panic(err) // a command without a usage text does not get past the tests
	}
	return strings.Replace(string(text), "{{profiles}}", column(strings.Join(refserver.AllProfiles(), ", "), 24), 1)
}

// flagSets of every command but checklist, which has those of mcpcheck itself.
func flagSets() []*pflag.FlagSet {
	var o options
	return []*pflag.FlagSet{
		checkFlags(&o), watchFlags(&watchOptions{}), clientFlags(&o), migrateFlags(&migrateOptions{}), judgeFlags(&o), serveFlags(&serveOptions{}), listFlags(&filter{}), newFlags("mcpcheck explain"), convertFlags(&o), diffFlags(&o),
		newFlags("mcpcheck schema"), newFlags("mcpcheck init"), newFlags("mcpcheck completion"), newFlags("mcpcheck man"), newFlags("mcpcheck version"),
	}
}

// column wraps what follows in a column of a usage text; it begins on a line of its own.
func column(text string, indent int) string {
	return "\n" + strings.TrimRight(wrap(text, 80, strings.Repeat(" ", indent)), "\n")
}

// help is mcpcheck help [COMMAND].
func (c *command) help(args []string) error {
	name := "mcpcheck"
	flags := newFlags(name + " help")
	colorFlags(flags, new(string))
	if _, err := c.parse(flags, args); err != nil {
		return err
	}
	args = flags.Args()
	switch {
	case len(args) == 1 && slices.Contains(commands(), args[0]):
		name += " " + args[0]
	case len(args) > 0:
		return usagef("commands are "+strings.Join(commands(), ", "), "no command is called %q", strings.Join(args, " "))
	}
	return c.print(usage(name))
}

// print writes to standard output.
func (c *command) print(text string) error {
	if _, err := io.WriteString(c.stdout, text); err != nil {
		return fmt.Errorf("writing to standard output: %w", err)
	}
	return nil
}
