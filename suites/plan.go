package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/kit"

	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A Plan says what a run judges; it is saved with the transcripts, so that a replay judges the same cells.
type Plan struct {
	// Revisions that are judged over Streamable HTTP, oldest first.
	Revisions []string `json:"revisions"`
	// Missed are revisions that the user named and the server does not speak.
	Missed []string `json:"missed,omitempty"`
	// HTTPSSE: the server is judged over HTTP+SSE as well, or only.
	HTTPSSE bool `json:"httpSSE,omitempty"`
	// Checks are the ids of the selected checks, in catalogue order.
	Checks []string `json:"checks"`
	// Filtered tells that not everything that could be judged was selected.
	Filtered bool `json:"filtered,omitempty"`
	// Lent: all that the server speaks over Streamable HTTP is a revision without rules for it, which is judged by those of another one.
	Lent bool `json:"lent,omitempty"`
	// Serial: the server keeps one session at a time, so conversations run one after another.
	Serial      bool            `json:"serial,omitempty"`
	Environment kit.Environment `json:"environment"`
	// DualEra: the survey saw that the server speaks revisions of both eras, or only of one; unknown where it cannot be told.
	DualEra kit.Fact `json:"dualEra,omitempty"`
	// Echoed are the legacy revisions that the survey saw confirmed.
	Echoed []string       `json:"echoed"`
	Calls  []kit.ToolCall `json:"calls,omitempty"`
	// Credentials are the names of the header fields that the user gave and that may be credentials.
	Credentials []string `json:"credentials,omitempty"`
	// Frail: server/discover, a method that it did not know, ended the server in the survey; we started it again.
	Frail bool `json:"frail,omitempty"`
	// Challenged: the server wants credentials that we do not have. Nothing but authorization is looked at then, and Revisions are those
	// that the server may speak.
	Challenged bool `json:"challenged,omitempty"`
}

// tracks are what is recorded and judged: a column of the report each.
func (p Plan) tracks() []*Track {
	var all []*Track
	if p.HTTPSSE {
		all = append(all, newTrack(revision.HTTPSSE, kit.HTTPSSE))
	}
	for _, r := range p.Revisions {
		all = append(all, newTrack(r, kit.StreamableHTTP))
	}
	return all
}

func newTrack(revision, transport string) *Track {
	return &Track{Revision: revision, Transport: transport, Again: map[string]*wire.Transcript{}}
}

// given is what the judges know beside the transcripts.
func (p Plan) given() kit.Given {
	g := kit.Given{Echoed: p.Echoed, DualEra: p.DualEra, HTTPSSE: p.HTTPSSE, Credentials: p.Credentials, Challenged: p.Challenged}
	for _, c := range p.Calls {
		g.Named = append(g.Named, c.Name)
	}
	return g
}

// A Selection is what the user asked for. Empty fields mean everything.
type Selection struct {
	Revisions []string
	// Named: each of the revisions was asked for by its name, so that one which is not spoken is worth a word.
	Named bool
	// Only and Skip hold patterns: an id, an area, a level ("MUST"), or an id with * in it.
	Only, Skip []string
	Calls      []kit.ToolCall
}

// A PatternError is a pattern of --only or --skip that matches nothing: a typing error must not look like a clean run.
type PatternError struct {
	Pattern string
	Closest []string
}

func (e *PatternError) Error() string {
	return fmt.Sprintf("pattern %q matches no judged requirement, area or level", e.Pattern)
}

// Select returns the ids of the checks that the patterns leave, and whether they leave some out.
func (s *Suite) Select(sel Selection) (ids []string, filtered bool, err error) {
	chosen := s.checks
	if len(sel.Only) > 0 {
		if chosen, err = s.matching(sel.Only); err != nil {
			return nil, false, err
		}
	}
	skipped, err := s.matching(sel.Skip)
	if err != nil {
		return nil, false, err
	}
	for _, c := range s.checks {
		if slices.Contains(chosen, c) && !slices.Contains(skipped, c) {
			ids = append(ids, c.Entry.ID)
		}
	}
	return ids, len(ids) < len(s.checks), nil
}

func (s *Suite) matching(patterns []string) ([]*kit.Check, error) {
	var all []*kit.Check
	for _, p := range patterns {
		found := false
		for _, c := range s.checks {
			if matches(c.Entry, p) {
				found, all = true, append(all, c)
			}
		}
		if !found {
			return nil, &PatternError{Pattern: p, Closest: s.Catalogue.Closest(p)}
		}
	}
	return all, nil
}

func matches(e catalogue.Entry, pattern string) bool {
	if e.ID == pattern || e.Area == pattern {
		return true
	}
	for _, level := range e.Levels {
		if strings.EqualFold(string(level), pattern) {
			return true
		}
	}
	return strings.Contains(pattern, "*") && catalogue.Glob(pattern, e.ID)
}

// checksOf resolves the plan's ids.
func (s *Suite) checksOf(p Plan) ([]*kit.Check, error) {
	var checks []*kit.Check
	for _, id := range p.Checks {
		c, ok := s.Check(id)
		if !ok {
			return nil, fmt.Errorf("the plan names %q, which this version does not judge", id)
		}
		checks = append(checks, c)
	}
	return checks, nil
}

// Unjudged are the requirements that the record was planned for and that no check judges: a version before or after this one recorded
// it. They have no cells.
func (r *Record) Unjudged(s *Suite) []string {
	return slices.DeleteFunc(slices.Clone(r.Plan.Checks), s.Judged)
}

// checks are all checks as they are for a track.
func (p Plan) checks(s *Suite, track *Track) []*kit.Check { return p.lend(s, track, s.checks) }

// lend gives a track the rules of another revision, where that is how it is judged.
func (p Plan) lend(s *Suite, track *Track, checks []*kit.Check) []*kit.Check {
	l := s.era(track.Revision).Lending
	if !p.Lent || track.Revision != l.To || track.Transport != kit.StreamableHTTP {
		return checks
	}
	lent := make([]*kit.Check, len(checks))
	for i, c := range checks {
		lent[i] = l.Lend(c)
	}
	return lent
}

// lends tells that a server speaks nothing over Streamable HTTP but a revision that has to be lent its rules.
func lends(s *Suite, spoken, echoed []string) bool {
	return len(spoken) == 1 && slices.ContainsFunc(s.eras, func(e *kit.Era) bool {
		return e.Lending.To == spoken[0] && !slices.ContainsFunc(echoed, func(v string) bool { return revision.Before(e.Lending.To, v) })
	})
}
