package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
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
		}
	}
	return l
}

// list is mcpcheck list: the catalogue.
func (c *command) list(args []string) error {
	flags := newFlags("mcpcheck list")
	party := flags.String("party", "", "only what binds the `server` or the client")
	era := flags.String("era", "", "only the legacy or the modern `era`")
	revision := flags.String("revision", "", "only what applies in this `revision`")
	area := flags.String("area", "", "only this `area`")
	asJSON := flags.Bool("json", false, "a JSON array, for programs")
	help, err := parse(flags, args)
	if err != nil {
		return err
	}
	if help {
		_, err := fmt.Fprintf(c.stdout, "Usage: mcpcheck list [flags]\n\nLists the requirements that mcpcheck knows.\n\nFlags:\n%s", flags.FlagUsages())
		return err
	}
	if flags.NArg() > 0 {
		return usagef("mcpcheck explain "+flags.Arg(0)+" shows one requirement", "list takes no arguments: %s", strings.Join(flags.Args(), " "))
	}
	suite, err := suites.New()
	if err != nil {
		return err
	}
	var revisions []string
	for _, e := range suite.Catalogue.Entries() {
		for _, r := range e.Revisions() {
			if !slices.Contains(revisions, r) {
				revisions = append(revisions, r)
			}
		}
	}
	slices.Sort(revisions)
	for _, choice := range []struct {
		flag, value string
		known       []string
	}{
		{"party", *party, []string{catalogue.Server, catalogue.Client}},
		{"era", *era, []string{catalogue.Legacy, catalogue.Modern}},
		{"revision", *revision, revisions},
		{"area", *area, suite.Catalogue.Areas()},
	} {
		if choice.value != "" && !slices.Contains(choice.known, choice.value) {
			return usagef("choose from "+strings.Join(choice.known, ", "), "--%s %q is not known", choice.flag, choice.value)
		}
	}
	entries := []listed{}
	for _, e := range suite.Catalogue.Entries() {
		_, applies := e.Levels[*revision]
		if (*party == "" || e.Party == *party) && (*era == "" || e.Era == *era) &&
			(*revision == "" || applies) && (*area == "" || e.Area == *area) {
			entries = append(entries, listing(suite, e))
		}
	}
	if *asJSON {
		out := json.NewEncoder(c.stdout)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		return out.Encode(entries)
	}
	return printList(c.stdout, entries)
}

func printList(w io.Writer, entries []listed) error {
	width, judged := 0, 0
	for _, e := range entries {
		width = max(width, len(e.ID))
		if e.Judged {
			judged++
		}
	}
	for _, e := range entries {
		mark := " "
		if e.Judged {
			mark = "*"
		}
		if _, err := fmt.Fprintf(w, "%s %-*s  %-10s  %s\n", mark, width, e.ID, strongest(e.Levels), e.Summary); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "\n%d requirements, %d of them judged (*). mcpcheck explain ID tells more.\n", len(entries), judged)
	return err
}

// strongest is the level of the newest revision that has one.
func strongest(levels map[string]catalogue.Level) catalogue.Level {
	newest := ""
	for r := range levels {
		newest = max(newest, r)
	}
	return levels[newest]
}
