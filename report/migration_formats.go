package report

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// MigrationFormats are the names of the formats in which a migration is written.
func MigrationFormats() []string { return []string{"text", "json", "markdown"} }

// RenderMigrationAs writes the way of a server in a format by its name; it is an error where there is none of that name.
func RenderMigrationAs(format string, w io.Writer, m Migration, o TerminalOptions) error {
	switch format {
	case "text":
		return RenderMigration(w, m, o)
	case "json":
		return migrationJSON(w, m)
	case "markdown":
		return migrationMarkdown(w, m)
	}
	return fmt.Errorf("a migration is not written as %s", format)
}

// escapedMigration is a copy of m with f applied to every string in it.
func escapedMigration(m Migration, f func(string) string) Migration {
	return mapStrings(reflect.ValueOf(m), f).Interface().(Migration)
}

func migrationJSON(w io.Writer, m Migration) error {
	encoded, err := json.MarshalIndent(escapedMigration(m, visibleBytes), "", "  ")
	if err != nil {
		return fmt.Errorf("write the migration: %w", err)
	}
	_, err = w.Write(append(jsonASCIIControls(encoded), '\n'))
	return err
}

// counts says how many requirements of a step are met, and how many there are: "12 of 17 met".
func (s MigrationStep) counts() string {
	states := map[string]int{}
	for _, r := range s.Requirements {
		states[r.State]++
	}
	text := counted(len(s.Requirements), "requirement")
	var parts []string
	for _, state := range []struct{ state, word string }{
		{MigrationDone, "met"}, {MigrationOpen, "to do"}, {MigrationAsk, "your call"}, {MigrationUnseen, "not observed"}, {MigrationUnneeded, "not needed"}, {MigrationLater, "later"}, {MigrationHidden, "cannot be seen"},
	} {
		if n := states[state.state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state.word))
		}
	}
	if len(parts) == 0 {
		return text
	}
	return text + ": " + strings.Join(parts, ", ")
}

// told tells that there is more to say of a step than its state: what is done or not needed is a line.
func (s MigrationStep) told() bool {
	return s.State != MigrationDone && s.State != MigrationSeen && s.State != MigrationUnneeded
}

// name is how a finding is called, with the requirement of the newer revision where that is another.
func (f MigrationFinding) name() string {
	text := fmt.Sprintf("%s in %s", oneLine(f.ID), oneLine(f.Revision))
	if f.There != "" {
		text += ", there " + oneLine(f.There)
	}
	return text
}

// text says what is known of an SDK in a line: where to get it and since when.
func (s MigrationSDK) text() string {
	speaks := "no release that was looked at speaks it"
	if s.Since != "" {
		speaks = "since " + oneLine(s.Since)
	}
	return fmt.Sprintf("%s: %s (run here: %s)", oneLine(s.Package), speaks, oneLine(s.Run))
}

// text says what clients make of how server/discover is answered.
func (p MigrationProbe) text() string {
	text := "server/discover, which clients that know the newer revision ask first, is " + p.Answer + "."
	if len(p.FallsBack) > 0 {
		text += " After that initialize was seen of " + strings.Join(p.FallsBack, ", ") + "."
	}
	if len(p.GivesUp) > 0 {
		text += " Gives up then, also on the older revisions: " + strings.Join(p.GivesUp, ", ") + "."
	}
	if len(p.FallsBack)+len(p.GivesUp) == 0 {
		text += " What clients make of that was not tried."
	}
	return text
}

// areasText says what holds today, area by area: "tools 12, jsonrpc 9".
func areasText(areas []MigrationArea) string {
	var parts []string
	for _, a := range areas {
		parts = append(parts, fmt.Sprintf("%s %d", oneLine(a.Area), len(a.IDs)))
	}
	return strings.Join(parts, ", ")
}
