package suites_test

import (
	"testing"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// TestSecondTry: an accusation is confirmed by a conversation that was recorded again and shows it again. That others, which were not,
// still show it, confirms nothing.
func TestSecondTry(t *testing.T) {
	const id, revision = "jsonrpc.request.answered", "2025-06-18"
	suite, err := suites.New(eras.All()...)
	if err != nil {
		t.Fatal(err)
	}
	conversation := func(script string, answered bool) *wire.Transcript {
		x := &wire.Exchange{
			Label:   "call",
			Request: wire.Request{Method: "POST", Body: wire.NewBody([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))},
			EndedBy: wire.ByTimeout, Error: &wire.NetError{Kind: wire.ErrTimeout, Message: "no response head before the deadline"},
		}
		if answered {
			x.EndedBy, x.Error = wire.ByServer, nil
			x.Response = &wire.Response{Status: 200, Header: map[string][]string{"Content-Type": {"application/json"}},
				Body: wire.NewBody([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`))}
		}
		return &wire.Transcript{Script: script, Revision: revision, Transport: kit.StreamableHTTP, Exchanges: []*wire.Exchange{x}}
	}
	const answered, silent = true, false
	for _, row := range []struct {
		name      string
		one, two  bool
		again     map[string]bool
		verdict   kit.Verdict
		cause     kit.Cause
		confirmed bool
	}{
		{"nothing was recorded again", silent, answered, nil, kit.NotObserved, kit.Unconfirmed, false},
		{"it came again", silent, answered, map[string]bool{"one": silent}, kit.Fail, "", true},
		{"it did not come again", silent, answered, map[string]bool{"one": answered}, kit.NotObserved, kit.Unstable, false},
		{"the other conversation was recorded again", silent, silent, map[string]bool{"two": answered}, kit.NotObserved, kit.Unstable, false},
		{"both were, and one shows it again", silent, silent, map[string]bool{"one": silent, "two": answered}, kit.Fail, "", true},
		{"both were, and none shows it again", silent, silent, map[string]bool{"one": answered, "two": answered}, kit.NotObserved, kit.Unstable, false},
		{"another shows it at last", answered, answered, map[string]bool{"two": silent}, kit.Pass, "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			track := &suites.Track{Revision: revision, Transport: kit.StreamableHTTP, Again: map[string]*wire.Transcript{}, First: []*wire.Transcript{
				conversation("inventory", answered), conversation("one", row.one), conversation("two", row.two),
			}}
			for script, answered := range row.again {
				track.Again[script] = conversation(script, answered)
			}
			record := &suites.Record{Tracks: []*suites.Track{track}, Plan: suites.Plan{Revisions: []string{revision}, Checks: []string{id}}}
			for _, r := range record.JudgeAll(suite) {
				if r.Verdict != row.verdict || r.Cause != row.cause || r.Confirmed != row.confirmed {
					t.Errorf("%s (%s), confirmed: %v: %s; want %s (%s), confirmed: %v", r.Verdict, r.Cause, r.Confirmed, r.Message, row.verdict, row.cause, row.confirmed)
				}
			}
		})
	}
}
