package migration

import (
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
)

// TestWay: the file holds against the catalogue, so that every server entry of the newer revision belongs to a step or is said to need none.
func TestWay(t *testing.T) {
	w, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range w.entries {
		if _, placed := w.steps[e.ID]; !placed {
			t.Errorf("%s has no place", e.ID)
		}
	}
	if n := len(w.entries); n < 200 {
		t.Errorf("only %d entries were looked at", n)
	}
}

// TestWayRefuses: what makes the file wrong is found, by a change that makes it so.
func TestWayRefuses(t *testing.T) {
	c, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, old, new, want string }{
		{"an entry without a step", "requirements: [modern.headers.*]", "requirements: [modern.headers.name-*]", "modern.headers.version-missing-400 (MUST) belongs to no step"},
		{"an entry of two steps", "requirements: [modern.headers.*]", "requirements: [modern.headers.*, modern.auth.*]", "belongs to another step"},
		{"a pattern of nothing", "requirements: [modern.auth.*]", "requirements: [modern.auth.*, modern.tols.*]", "modern.tols.* names no server requirement"},
		{"a requirement of clients", "requirements: [modern.headers.*]", "requirements: [modern.headers.*, modern.client.headers.*]", "modern.client.headers.* names no server requirement"},
		{"no requirement today", "modern.transport.utf8: transport.utf8", "modern.transport.utf8: transport.utf9", "transport.utf9 is no server requirement of an older revision"},
		{"today's of the same era", "modern.transport.utf8: transport.utf8", "modern.transport.utf8: modern.sse.well-formed", "modern.sse.well-formed is no server requirement of an older"},
		{"carried to a client", "modern.transport.utf8: transport.utf8", "modern.client.transport.utf8: transport.utf8", "modern.client.transport.utf8 is no server requirement"},
		{"a note on nothing", "seen: {id: resources.read.not-found, verdict: [pass]}", "seen: {id: resources.read.found}", "resources.read.found is no server requirement"},
		{"something to drop that nobody judges", "seen: {id: jsonrpc.batch.receive, verdict: [pass]}", "seen: {id: jsonrpc.batch.take}", "jsonrpc.batch.take is no server requirement"},
		{"an SDK that a step forgets", "      rust: rmcp 3.x does it.\n", "", "step headers: SDKs are"},
		{"a client of nobody", "      typescript-1: Cannot connect any more.", "      typescript-0: Cannot connect any more.", "no client is called typescript-0"},
		{"a kind of answer of nobody", "falls-back: [silence]", "falls-back: [shouting]", `"shouting" is no kind of answer`},
		{"an SDK that speaks it since never", "    since: v1.7.0\n", "", "sdk go: since goes with speaks"},
		{"a revision of the older era", `to: "2026-07-28"`, `to: "2025-11-25"`, "is no revision to go to"},
		{"a need that says nothing", "      no: It declares neither listChanged nor subscribe.\n", "", "either no or unknown"},
		{"what an SDK is told for", "concerns: [modern.security.origin-*]", "concerns: [security.*]", "security.* names no server requirement"},
		{"a key of nobody", "hidden:\n", "hiden:\n", "hiden"},
		{"a reason that is missing", "    because: They concern other transports than HTTP.\n", "", "want a reason"},
	} {
		t.Run(test.name, func(t *testing.T) {
			changed := strings.Replace(string(embedded), test.old, test.new, 1)
			if changed == string(embedded) {
				t.Fatalf("way.yaml has no %q", test.old)
			}
			if _, err := read([]byte(changed), c); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}
