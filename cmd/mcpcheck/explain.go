package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/eras"
)

// explain is mcpcheck explain ID: one requirement, for people.
func (c *command) explain(args []string) error {
	flags := newFlags("mcpcheck explain")
	colorFlags(flags, new(string))
	help, err := c.parse(flags, args)
	if err != nil {
		return err
	}
	if help {
		return c.print(usage(flags.Name()))
	}
	if flags.NArg() != 1 {
		return usagef("mcpcheck list shows the ids", "explain takes one id, not %d", flags.NArg())
	}
	suite, err := suites.New(eras.Everything()...)
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
	return c.print(explanation(suite, e, c.width()))
}

// maxText is how wide running text gets; longer lines are hard to read.
const maxText = 100

func explanation(suite *suites.Suite, e catalogue.Entry, width int) string {
	width = min(width, maxText)
	var b strings.Builder
	if e.Title != "" {
		b.WriteString(e.Title + "\n")
	}
	fmt.Fprintf(&b, "%s (binds the %s)\n", e.ID, e.Party)
	section := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n%s\n%s", name, wrap(text, width, "  "))
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
	case strings.Contains(e.Needs(), "named by the user"):
		// What nobody named may be there all the same.
		section("Needs", e.Needs()+" (--call); without it the requirement is not observed")
	case e.Needs() != "":
		section("Needs", e.Needs()+"; without it the requirement is not applicable")
	}
	section("Where the sources disagree", e.Conflicts)
	section("How to fix it", e.Remedy)
	for _, name := range slices.Sorted(maps.Keys(e.Kinds)) {
		section("Why it matters, where it is "+name, e.Kinds[name].Why)
		section("How to fix that", e.Kinds[name].Remedy)
	}
	b.WriteString("\nWhere it is written\n")
	for _, r := range e.Revisions() {
		fmt.Fprintf(&b, "  %s, %s\n    %s\n", r, e.Levels[r], e.SpecURL(r))
	}
	b.WriteString(glossary(e.Probe+" "+e.Conflicts, width))
	return b.String()
}

// words that probes use in a sense of their own; catalogue/legacy/README.md has them in full.
var words = []struct {
	word    *regexp.Regexp
	meaning string
}{
	{regexp.MustCompile(`\bINIT\b`), "INIT(v): initialize naming revision v, as a client sends it"},
	{regexp.MustCompile(`\bOPEN\b`), "OPEN: after INIT was answered and notifications/initialized was sent"},
	{regexp.MustCompile(`\bREQ\b`), "REQ(m): a request with method m in an open session"},
	{regexp.MustCompile(`\bSAFE\b`), "SAFE: ping, or the first list that the server declares where it does not serve ping"},
	{regexp.MustCompile(`\bBOGUS\b`), "BOGUS: a name that cannot exist on the server"},
	{regexp.MustCompile(`\bcontrols?\b`), "control: the same request unchanged, served in the same run"},
	{regexp.MustCompile(`\bn/a\b`), "n/a: not applicable, the server legitimately does not offer it"},
	{regexp.MustCompile(`(?i)\binconclusive\b`), "inconclusive: nothing to judge, the verdict is not-observed"},
}

// glossary explains those of the words that a text uses.
func glossary(text string, width int) string {
	var b strings.Builder
	for _, w := range words {
		if w.word.MatchString(text) {
			// What follows the first line stands under the meaning.
			b.WriteString("  " + strings.TrimLeft(wrap(w.meaning, width, "    "), " "))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nWords\n" + b.String()
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
