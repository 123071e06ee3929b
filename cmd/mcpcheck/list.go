package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/eras"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

// listed is an entry of `list --json`; part of the contract.
type listed struct {
	ID       string                     `json:"id"`
	Party    string                     `json:"party"`
	Area     string                     `json:"area"`
	Levels   map[string]catalogue.Level `json:"levels"`
	Refs     map[string]string          `json:"refs"`
	Summary  string                     `json:"summary"`
	Testable string                     `json:"testable"`
	Judged   bool                       `json:"judged"`
	Reason   string                     `json:"reason"`
}

// notYet is the reason of an entry that could be judged on the wire, and is not by this version.
const notYet = "Not judged by this version of mcpcheck."

func listing(suite *suites.Suite, e catalogue.Entry) listed {
	l := listed{
		ID: e.ID, Party: e.Party, Area: e.Area, Levels: e.Levels, Refs: e.Refs, Summary: e.Summary, Testable: e.Testable,
		Judged: suite.Judged(e.ID),
	}
	if !l.Judged {
		l.Reason = notYet
		if reason, ok := e.Untestable(); ok {
			l.Reason = reason
		} else if e.Reason != "" {
			l.Reason = e.Reason
		}
	}
	return l
}

// filter are the flags of mcpcheck list.
type filter struct {
	party, era, revision, area string
	judged, json               bool
}

func listFlags(o *filter) *pflag.FlagSet {
	f := newFlags("mcpcheck list")
	f.StringVar(&o.party, "party", "", "")
	f.StringVar(&o.era, "era", "", "")
	f.StringVar(&o.revision, "revision", "", "")
	f.StringVar(&o.area, "area", "", "")
	f.BoolVar(&o.judged, "judged", false, "")
	f.BoolVar(&o.json, "json", false, "")
	colorFlags(f, new(string))
	return f
}

// lets an entry through; empty fields let everything through.
func (o filter) lets(e catalogue.Entry) bool {
	_, applies := e.Levels[o.revision]
	return (o.party == "" || e.Party == o.party) && (o.era == "" || e.Era == o.era) &&
		(o.revision == "" || applies) && (o.area == "" || e.Area == o.area)
}

// list is mcpcheck list: the catalogue.
func (c *command) list(args []string) error {
	var o filter
	flags := listFlags(&o)
	help, err := c.parse(flags, args)
	if err != nil {
		return err
	}
	if help {
		return c.print(usage(flags.Name()))
	}
	if flags.NArg() > 0 {
		return usagef("mcpcheck explain "+flags.Arg(0)+" shows one requirement", "list takes no arguments: %s", strings.Join(flags.Args(), " "))
	}
	suite, err := suites.New(eras.Everything()...)
	if err != nil {
		return err
	}
	for _, choice := range []struct {
		flag, value string
		known       []string
	}{
		{"party", o.party, []string{catalogue.Server, catalogue.Client}},
		{"era", o.era, []string{revision.Legacy, revision.Modern}},
		{"revision", o.revision, suite.Catalogue.Revisions()},
		{"area", o.area, suite.Catalogue.Areas()},
	} {
		if choice.value != "" && !slices.Contains(choice.known, choice.value) {
			return usagef("choose from "+strings.Join(choice.known, ", "), "--%s %q is not known", choice.flag, choice.value)
		}
	}
	entries := []listed{}
	for _, e := range suite.Catalogue.Entries() {
		if o.lets(e) && (!o.judged || suite.Judged(e.ID)) {
			entries = append(entries, listing(suite, e))
		}
	}
	if o.json {
		out := json.NewEncoder(c.stdout)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		return out.Encode(entries)
	}
	return c.print(listText(entries, min(c.width(), maxText)))
}

// listText writes the list for people: an id with its level on a line that grep finds, and below it the requirement.
func listText(entries []listed, width int) string {
	var b strings.Builder
	judged := 0
	for _, e := range entries {
		mark := " "
		if e.Judged {
			mark = "*"
			judged++
		}
		fmt.Fprintf(&b, "%s %s  %s\n%s", mark, e.ID, levelText(e.Levels), wrap(e.Summary, width, "    "))
		if e.Party == catalogue.Client && !e.Judged {
			b.WriteString(wrap("- "+e.Reason, width, "    "))
		}
	}
	if len(entries) > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%d requirements, %d of them judged (*). mcpcheck explain ID tells more.\n", len(entries), judged)
	return b.String()
}

// levelText is the level, or the levels that it has in different revisions, from the oldest on: "SHOULD, then MUST".
func levelText(levels map[string]catalogue.Level) string {
	var words []string
	for _, r := range slices.Sorted(maps.Keys(levels)) {
		if word := string(levels[r]); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", then ")
}
