package kit

import (
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/wire"
)

// TestAttribution: a finding in bytes that break something more basic is that one's; elsewhere it stands.
func TestAttribution(t *testing.T) {
	const revision = "2025-11-25"
	here, there := &wire.Exchange{Label: "here"}, &wire.Exchange{Label: "there"}
	for _, x := range []*wire.Exchange{here, there} {
		x.Response = &wire.Response{Status: 200}
	}
	level := func(l catalogue.Level) map[string]catalogue.Level { return map[string]catalogue.Level{revision: l} }
	check := func(e catalogue.Entry, judge func(*T)) *Check {
		return &Check{Entry: e, Judge: judge, applies: func(catalogue.Entry, string, string) bool { return true }}
	}
	base := func(judge func(*T)) *Check { return check(catalogue.Entry{ID: "base", Levels: level("MUST")}, judge) }
	breaks := base(func(t *T) { t.BreachAt(Seen{Located: wire.Located{Event: 1}, Exchange: here}, "form", "none") })
	absent := base(func(t *T) { t.Breach(here, "form", "none") })
	absent.applies = func(catalogue.Entry, string, string) bool { return false }
	tests := []struct {
		name      string
		base      *Check
		judge     func(*T)
		verdict   Verdict
		blockedBy string
		at        string
	}{
		{"in the same bytes", breaks, func(t *T) { t.Breach(here, "a", "b") }, NotObserved, "base", ""},
		{"in another exchange", breaks, func(t *T) { t.Breach(there, "a", "b") }, Fail, "", "there"},
		{"in another event", breaks, func(t *T) { t.BreachAt(Seen{Located: wire.Located{Event: 2}, Exchange: here}, "a", "b") }, Fail, "", "here"},
		{"in both", breaks, func(t *T) { t.Breach(here, "a", "b"); t.Breach(there, "a", "b") }, Fail, "", "there"},
		{"nothing to judge there", breaks, func(t *T) { t.NotObservedAt(Inconclusive, here, "no") }, NotObserved, "base", ""},
		{"nothing to judge elsewhere", breaks, func(t *T) { t.NotObservedAt(Inconclusive, there, "no") }, NotObserved, "", ""},
		{"in order", breaks, func(t *T) { t.OK(here, "fine") }, Pass, "", ""},
		{"beside a note", base(func(t *T) { t.Note(here, "odd") }), func(t *T) { t.Breach(here, "a", "b") }, Fail, "", "here"},
		{"beside what is in order", base(func(t *T) { t.OK(here, "fine") }), func(t *T) { t.Breach(here, "a", "b") }, Fail, "", "here"},
		{"a panic", breaks, func(*T) { panic("a mistake of ours") }, Error, "", ""},
		{"a panic behind a finding", breaks, func(t *T) { t.Breach(here, "a", "b"); panic("a mistake of ours") }, Error, "", ""},
		{"blocked by another", breaks, func(t *T) { t.Blocked("other", "so", here) }, NotObserved, "other", ""},
		{"not applicable", breaks, func(t *T) { t.NotApplicable("none") }, NotApplicable, "", ""},
		{"beside one that panics", base(func(t *T) { t.Breach(here, "form", "none"); panic("a mistake of ours") }), func(t *T) { t.Breach(here, "a", "b") }, Fail, "", "here"},
		{"beside one that does not exist here", absent, func(t *T) { t.Breach(here, "a", "b") }, Fail, "", "here"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recording := &Recording{
				Era: &Era{Inventory: &Script{Name: "inventory"}}, Revision: revision, Transport: StreamableHTTP,
				Transcripts: []*wire.Transcript{{Script: "s", Exchanges: []*wire.Exchange{here, there}}},
			}
			rests := check(catalogue.Entry{ID: "rests", Levels: level("MUST"), YieldsTo: []string{"base"}}, test.judge)
			r := NewJudge(recording, []*Check{rests, test.base}).Cell("rests")
			if r.Verdict != test.verdict || r.BlockedBy != test.blockedBy {
				t.Errorf("%s blocked by %q, want %s by %q: %s", r.Verdict, r.BlockedBy, test.verdict, test.blockedBy, r.Message)
			}
			if test.at != "" && (len(r.Findings) != 1 || r.Findings[0].Place.Exchange.Label != test.at) {
				t.Errorf("findings %v, want one at %s", r.Findings, test.at)
			}
		})
	}
}

// TestMeets: two places have bytes in common in the same event, or where one of them is the whole exchange.
func TestMeets(t *testing.T) {
	x := &wire.Exchange{}
	for events, want := range map[[2]int]bool{{1, 1}: true, {1, 2}: false, {0, 1}: false, {1, 0}: false, {-1, 2}: true, {2, -1}: true, {-1, -1}: true} {
		if got := (Place{Exchange: x, Event: events[0]}).Meets(Place{Exchange: x, Event: events[1]}); got != want {
			t.Errorf("events %v: %v", events, got)
		}
		if (Place{Exchange: x, Event: events[0]}).Meets(Place{Exchange: &wire.Exchange{}, Event: events[1]}) {
			t.Errorf("events %v of two exchanges meet", events)
		}
	}
}
