package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
)

// explain is mcpcheck explain ID: one requirement, for people.
func (c *command) explain(args []string) error {
	flags := newFlags("mcpcheck explain")
	help, err := parse(flags, args)
	if err != nil {
		return err
	}
	if help {
		_, err := io.WriteString(c.stdout, "Usage: mcpcheck explain ID\n\nExplains one requirement: what, why, how it is probed, where it is written, how to fix it.\n")
		return err
	}
	if flags.NArg() != 1 {
		return usagef("mcpcheck list shows the ids", "explain takes one id, not %d", flags.NArg())
	}
	suite, err := suites.New()
	if err != nil {
		return err
	}
	id := flags.Arg(0)
	e, ok := suite.Catalogue.ByID(id)
	if !ok {
		hint := "mcpcheck list shows the ids"
		if closest := suite.Catalogue.Closest(id); len(closest) > 0 {
			hint = "did you mean " + strings.Join(closest, ", ") + "?"
		}
		return usagef(hint, "no requirement has the id %q", id)
	}
	_, err = io.WriteString(c.stdout, explanation(suite, e, c.width()))
	return err
}

func explanation(suite *suites.Suite, e catalogue.Entry, width int) string {
	var b strings.Builder
	title := e.Title
	if title == "" {
		title = e.ID
	}
	fmt.Fprintf(&b, "%s\n%s, binds the %s\n", title, e.ID, e.Party)
	section := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n%s\n%s", name, wrap(text, min(width, 100), "  "))
		}
	}
	section("What", e.Summary)
	section("Why it matters", e.Why)
	section("How it is judged", e.Probe)
	switch reason, untestable := e.Untestable(); {
	case untestable:
		section("Not judged", reason)
	case !suite.Judged(e.ID):
		section("Not judged", notYet)
	case e.Needs() != "":
		section("Needs", e.Needs()+"; without it the requirement is not applicable")
	}
	section("Where the sources disagree", e.Conflicts)
	section("How to fix it", e.Remedy)
	b.WriteString("\nWhere it is written\n")
	for _, r := range e.Revisions() {
		fmt.Fprintf(&b, "  %s  %-10s  %s\n", r, e.Levels[r], e.SpecURL(r))
	}
	return b.String()
}

// wrap breaks text into lines of at most width columns, each with the indent.
func wrap(text string, width int, indent string) string {
	var b strings.Builder
	line := indent
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > width && line != indent {
			b.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	b.WriteString(line + "\n")
	return b.String()
}
