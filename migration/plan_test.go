package migration

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/report"
)

const (
	today = "2025-11-25"
	there = "2026-07-28"
)

// result is one of a server, in the revision that its id belongs to.
func result(id string, v report.Verdict, message string) report.Result {
	r := report.Result{ID: id, Revision: today, Transport: "streamable-http", Level: "MUST", Verdict: v, Title: "Title of " + id, Message: message, Remedy: "Mend it."}
	if strings.HasPrefix(id, "modern.") {
		r.Revision = there
	}
	return r
}

// legacy is a report of a server that speaks no newer revision.
func legacy(capabilities []string, results ...report.Result) report.Report {
	return report.Finish(report.Report{
		Target:  report.Target{URL: "http://a/", Eras: []string{"legacy"}, Revisions: []string{today}},
		Surface: &report.Surface{Revision: today, Capabilities: capabilities}, Results: results,
	})
}

// modern is one of a server that speaks the newer revision, and others where it says so.
func modern(revisions []string, results ...report.Result) report.Report {
	return report.Finish(report.Report{
		Target: report.Target{URL: "http://a/", Eras: []string{"modern"}, Revisions: append(revisions, there)}, Results: results,
	})
}

func plan(t *testing.T, r report.Report, c Choice) report.Migration {
	t.Helper()
	w, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return w.Plan(r, c)
}

func step(t *testing.T, m report.Migration, id string) report.MigrationStep {
	t.Helper()
	i := slices.IndexFunc(m.Steps, func(s report.MigrationStep) bool { return s.ID == id })
	if i < 0 {
		t.Fatalf("no step %s", id)
	}
	return m.Steps[i]
}

// TestStates: which state a step has, and what nothing that was seen may say.
func TestStates(t *testing.T) {
	asks := result("jsonrpc.server-request.id", report.Pass, "ping 1")
	for _, test := range []struct {
		name, step string
		report     report.Report
		want       string
	}{
		{"what has to be built", "headers", legacy(nil), report.MigrationOpen},
		{"nothing was judged that both ask for", "both-eras", legacy(nil), report.MigrationUnseen},
		{"what both ask for holds as far as it was seen", "both-eras", legacy(nil, result("transport.utf8", report.Pass, "")), report.MigrationSeen},
		{"what both ask for is broken", "both-eras", legacy(nil, result("transport.utf8", report.Pass, ""), result("tools.list.shape", report.Fail, "no")), report.MigrationOpen},
		{"a note is nothing to mend", "both-eras", legacy(nil, result("tools.list.shape", report.Note, "odd")), report.MigrationSeen},
		{"it tells of changes", "subscriptions", legacy([]string{"tools", "tools.listChanged"}), report.MigrationOpen},
		{"it tells of none", "subscriptions", legacy([]string{"tools", "resources"}), report.MigrationUnneeded},
		{"what it declares is not known", "subscriptions", report.Report{Target: report.Target{Revisions: []string{today}}}, report.MigrationAsk},
		{"it logs", "messages", legacy([]string{"logging"}), report.MigrationOpen},
		{"it tells of progress", "messages", legacy(nil, result("utilities.progress.shape", report.Pass, "")), report.MigrationOpen},
		{"it may tell of progress", "messages", legacy(nil, result("utilities.progress.shape", report.NotObserved, "none")), report.MigrationAsk},
		{"it asks the client", "input", legacy(nil, asks), report.MigrationOpen},
		{"it asks the client wrongly", "input", legacy(nil, result("jsonrpc.server-request.id", report.Fail, "")), report.MigrationOpen},
		{"nothing tells whether it asks", "input", legacy([]string{"tools"}), report.MigrationAsk},
		{"it asks for no credentials", "authorization", legacy(nil, result("auth.missing-token-401", report.NotApplicable, "")), report.MigrationUnneeded},
		{"it asks for credentials", "authorization", legacy(nil, result("auth.missing-token-401", report.Pass, "")), report.MigrationOpen},
		{"older revisions stay", "modern-only", legacy(nil), report.MigrationLater},

		{"the rest of it was not judged", "headers", modern(nil, result("modern.headers.name-missing-400", report.Pass, "")), report.MigrationSeen},
		{"one of them is broken", "headers", modern(nil, result("modern.headers.name-missing-400", report.Pass, ""), result("modern.headers.name-mismatch-400", report.Warn, "")), report.MigrationOpen},
		{"it was not seen", "headers", modern(nil, result("modern.headers.name-missing-400", report.NotObserved, "busy")), report.MigrationUnseen},
		{"the rest was not judged", "subscriptions", modern(nil, result("modern.subscriptions.ack-first", report.NotApplicable, "")), report.MigrationUnseen},
		{"today's breach is not that of the other revision", "both-eras",
			modern([]string{today}, result("tools.list.shape", report.Fail, ""), result("modern.tools.list-shape", report.Pass, "")), report.MigrationSeen},
		{"a server of both eras may stay one", "modern-only",
			modern([]string{today}, result("transport.utf8", report.Pass, ""), result("modern.legacy.httpsse-not-adopted", report.Pass, "")), report.MigrationLater},
		{"a server of one era is judged", "modern-only", modern(nil, result("modern.legacy.get-405", report.Pass, "")), report.MigrationSeen},
		{"and broken", "modern-only", modern(nil, result("modern.legacy.get-405", report.Warn, "")), report.MigrationOpen},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := step(t, plan(t, test.report, Choice{}), test.step); got.State != test.want {
				t.Errorf("%s is %q (%s), want %q", test.step, got.State, got.Because, test.want)
			}
		})
	}
}

// TestNothingThere: a step all of which the server legitimately does not offer, as far as it can be seen, is not needed.
func TestNothingThere(t *testing.T) {
	w, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	var results []report.Result
	for _, e := range w.entries {
		results = append(results, result(e.ID, report.NotApplicable, "not declared"))
	}
	m := w.Plan(modern(nil, results...), Choice{})
	for _, s := range m.Steps {
		if s.State != report.MigrationUnneeded {
			t.Errorf("%s is %q", s.ID, s.State)
		}
	}
	if m.Outcome != report.MigrationOver || m.Order != w.OrderSpoken {
		t.Errorf("%s, %s", m.Outcome, m.Order)
	}
	// And one all of which is met is done, though some of it cannot be seen.
	for i := range results {
		results[i].Verdict = report.Pass
	}
	for _, s := range w.Plan(modern(nil, results...), Choice{}).Steps {
		if s.State != report.MigrationDone {
			t.Errorf("%s is %q", s.ID, s.State)
		}
	}
}

// TestOutcome: what a way amounts to.
func TestOutcome(t *testing.T) {
	refused := legacy(nil)
	refused.Diagnosis = &report.Diagnosis{Kind: "auth"}
	for _, test := range []struct {
		name   string
		report report.Report
		want   string
	}{
		{"older revisions only", legacy(nil, result("transport.utf8", report.Pass, "")), report.MigrationLeft},
		{"a MUST is broken", modern(nil, result("modern.transport.utf8", report.Fail, "")), report.MigrationLeft},
		{"a SHOULD is broken", modern(nil, result("modern.transport.utf8", report.Warn, "")), report.MigrationOver},
		{"nothing is broken", modern(nil, result("modern.transport.utf8", report.Pass, "")), report.MigrationOver},
		{"an older revision is broken", modern([]string{today}, result("transport.utf8", report.Fail, "")), report.MigrationOver},
		{"nobody gets in", refused, report.MigrationUntested},
	} {
		if got := plan(t, test.report, Choice{}); got.Outcome != test.want {
			t.Errorf("%s: %q, want %q", test.name, got.Outcome, test.want)
		}
	}
}

// TestFindings: the worst first; of a server that does not speak the newer revision with the names of both requirements.
func TestFindings(t *testing.T) {
	m := plan(t, legacy(nil, result("tools.list.unique-names", report.Warn, "two"), result("security.origin-validated", report.Fail, "served"),
		result("session.missing-400", report.Warn, "no business of the newer one")), Choice{})
	got := step(t, m, "both-eras").Findings
	if len(got) != 2 || got[0].ID != "security.origin-validated" || got[0].There != "modern.security.origin-validated" || got[1].Verdict != report.Warn {
		t.Errorf("%+v", got)
	}
	m = plan(t, modern(nil, result("modern.security.origin-validated", report.Fail, "served")), Choice{})
	if got := step(t, m, "both-eras").Findings; len(got) != 1 || got[0].There != "" || got[0].Revision != there {
		t.Errorf("%+v", got)
	}
}

// TestCarries: what holds today is told where the newer revision is not spoken, and only what passed.
func TestCarries(t *testing.T) {
	results := []report.Result{
		result("transport.utf8", report.Pass, ""), result("tools.list.shape", report.Fail, ""), result("tools.list.answered", report.Pass, ""),
		result("prompts.list.answered", report.NotApplicable, ""), result("jsonrpc.response.id-echo", report.Pass, ""),
	}
	var got []string
	for _, a := range plan(t, legacy(nil, results...), Choice{}).Carries {
		got = append(got, a.Area+": "+strings.Join(a.IDs, " "))
	}
	want := []string{"transport: modern.transport.utf8", "jsonrpc: modern.jsonrpc.result-echoes-id modern.jsonrpc.error-echoes-id", "tools: modern.tools.list-answered"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := plan(t, modern([]string{today}, results...), Choice{}).Carries; len(got) > 0 {
		t.Errorf("carried beside verdicts of its own: %v", got)
	}
}

// TestNewestCounts: of several older revisions the newest one tells what is there today, and of two transports the one that says more.
func TestNewestCounts(t *testing.T) {
	old := result("tools.list.shape", report.Fail, "")
	old.Revision = "2025-03-26"
	m := plan(t, legacy(nil, old, result("tools.list.shape", report.Pass, "")), Choice{})
	if s := step(t, m, "both-eras"); s.State != report.MigrationSeen || m.From != today {
		t.Errorf("%s, from %s", s.State, m.From)
	}
	other := result("tools.list.shape", report.NotApplicable, "")
	other.Transport = "http-sse"
	m = plan(t, legacy(nil, other, result("tools.list.shape", report.Warn, "")), Choice{})
	if s := step(t, m, "both-eras"); s.State != report.MigrationOpen {
		t.Error(s.State)
	}
}

// TestNotesAndDrop: what was seen is said, and nothing that was not.
func TestNotesAndDrop(t *testing.T) {
	withSessions := plan(t, legacy([]string{"logging"}, result("session.assignment", report.Pass, "the response to initialize assigns a session id"),
		result("resources.read.not-found", report.Warn, "expected -32002, got JSON-RPC error -32602")), Choice{})
	without := plan(t, legacy(nil, result("session.assignment", report.Pass, "no session id is assigned: the server is stateless")), Choice{})
	if n := step(t, withSessions, "requests").Notes; len(n) != 1 || !strings.Contains(n[0], "needs a handle") {
		t.Error(n)
	}
	if n := step(t, withSessions, "errors").Notes; len(n) != 1 || !strings.Contains(n[0], "already") {
		t.Error(n)
	}
	if n := step(t, without, "requests").Notes; len(n) != 1 || !strings.Contains(n[0], "No session ids") {
		t.Error(n)
	}
	if d := strings.Join(withSessions.Drop, "; "); d != "initialize, notifications/initialized and ping; Session ids, and DELETE; logging/setLevel" {
		t.Error(d)
	}
	if d := strings.Join(without.Drop, "; "); d != "initialize, notifications/initialized and ping" {
		t.Error(d)
	}
	if d := plan(t, modern(nil, result("modern.transport.utf8", report.Pass, "")), Choice{}).Drop; len(d) > 0 {
		t.Errorf("nothing older is spoken: %v", d)
	}
}

// TestChoice: SDKs are told of by name.
func TestChoice(t *testing.T) {
	m := plan(t, legacy(nil), Choice{SDKs: []string{"go"}})
	if s := step(t, m, "headers").SDKs; len(m.SDKs) != 1 || m.SDKs[0].Name != "Go" || len(s) != 1 || s[0].Name != "Go" || !s[0].Comes {
		t.Errorf("%v, and of headers %v", m.SDKs, s)
	}
	if m = plan(t, legacy(nil), Choice{}); len(m.SDKs) != 5 {
		t.Errorf("%d SDKs", len(m.SDKs))
	}
}

// TestConcerns: how an SDK is told to look at Origin is said to those who do not.
func TestConcerns(t *testing.T) {
	origin, other := result("security.origin-validated", report.Fail, "served"), result("tools.list.shape", report.Fail, "no")
	for _, w := range step(t, plan(t, legacy(nil, other), Choice{}), "both-eras").SDKs {
		if w.Text != "" || len(w.Breaks) == 0 {
			t.Errorf("%+v", w)
		}
	}
	if s := step(t, plan(t, legacy(nil, other, origin), Choice{}), "both-eras"); len(s.SDKs) != 5 || s.SDKs[0].Comes {
		t.Errorf("%v", s.SDKs)
	}
	if s := step(t, plan(t, modern(nil, result("modern.security.origin-validated", report.Fail, "served")), Choice{}), "both-eras"); len(s.SDKs) != 5 {
		t.Errorf("%v", s.SDKs)
	}
}

// TestProbe: which clients give up after which answer, and which were seen to go on.
func TestProbe(t *testing.T) {
	const typescript, goSDK = "@modelcontextprotocol/client 2.4.0", "Go SDK v1.8.0"
	for _, test := range []struct {
		name          string
		answer        Answer
		says          string
		givesUp, goes []string
	}{
		{"silence", Answer{}, "not answered", []string{typescript, goSDK}, []string{"mcp-go v1.2.1"}},
		{"500", Answer{Status: 500}, "answered HTTP 500 Internal Server Error without a JSON-RPC message", []string{typescript}, []string{goSDK}},
		{"an error under 200", Answer{Status: 200, Error: true, Code: -32601}, "answered HTTP 200 OK with JSON-RPC error -32601", nil, []string{typescript, goSDK}},
		{"400 with an error", Answer{Status: 400, Error: true, Code: -32000}, "answered HTTP 400 Bad Request with JSON-RPC error -32000", nil, []string{typescript, goSDK}},
		{"a courtesy", Answer{Status: 200, Result: true}, "answered HTTP 200 OK with a result that does not name the revision", nil, nil},
		{"what nobody tried", Answer{Status: 418}, "answered HTTP 418 I'm a teapot without a JSON-RPC message", nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := plan(t, legacy(nil), Choice{Probe: &test.answer}).Probe
			slices.Sort(got.GivesUp)
			slices.Sort(got.FallsBack)
			slices.Sort(test.givesUp)
			slices.Sort(test.goes)
			if got.Answer != test.says || !slices.Equal(got.GivesUp, test.givesUp) || !slices.Equal(got.FallsBack, test.goes) {
				t.Errorf("%+v", got)
			}
		})
	}
	if got := plan(t, modern(nil), Choice{Probe: &Answer{Status: 200, Result: true}}).Probe; got != nil {
		t.Errorf("it speaks the revision, and %+v", got)
	}
}
