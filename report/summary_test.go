package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func verdicts(vs ...Verdict) []Result {
	var results []Result
	for _, v := range vs {
		results = append(results, Result{ID: "a.b", Revision: "2025-11-25", Verdict: v})
	}
	return results
}

func TestConformant(t *testing.T) {
	yes, no := true, false
	for _, row := range []struct {
		name   string
		report Report
		want   *bool
	}{
		{"passes", Report{Results: verdicts(Pass, Note, Warn, NotObserved)}, &yes},
		{"a note alone was judged", Report{Results: verdicts(Note)}, &yes},
		{"a fail", Report{Results: verdicts(Pass, Fail)}, &no},
		{"a fail and an error", Report{Results: verdicts(Fail, Error)}, &no},
		{"an error", Report{Results: verdicts(Pass, Error)}, nil},
		{"nothing judged", Report{Results: verdicts(NotObserved, NotApplicable)}, nil},
		{"no results", Report{}, nil},
		{"filtered", Report{Results: verdicts(Pass), Filtered: true}, nil},
		{"filtered, with a fail", Report{Results: verdicts(Fail), Filtered: true}, nil},
		{"interrupted", Report{Results: verdicts(Pass), Interrupted: true}, nil},
		{"not tested", Report{Results: verdicts(Pass), Diagnosis: &Diagnosis{}}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, Conformant(row.report)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFindings(t *testing.T) {
	at := func(id, revision string, v Verdict, message string) Result {
		return Result{ID: id, Revision: revision, Transport: "streamable-http", Level: "MUST", Verdict: v, Message: message}
	}
	results := []Result{
		at("a.note", "2025-11-25", Note, "n"),
		at("a.pass", "2025-11-25", Pass, ""),
		at("b.once", "2025-11-25", Fail, "x"),
		at("c.both", "2025-06-18", Fail, "y, said another way"),
		at("c.both", "2025-11-25", Fail, "y"),
		at("d.differs", "2025-11-25", Fail, "one way"),
		at("d.differs", "2025-06-18", Fail, "another way"),
		at("e.warn", "2025-11-25", Warn, "w"),
		at("f.error", "2025-11-25", Error, "e"),
		{ID: "g.blocked", Revision: "2025-11-25", Transport: "streamable-http", Verdict: NotObserved, BlockedBy: "c.both"},
		{ID: "g.blocked", Revision: "2025-03-26", Transport: "streamable-http", Verdict: NotObserved, BlockedBy: "c.both"},
	}
	results[6].Expected = "something else"
	var got []string
	for _, f := range Findings(results) {
		got = append(got, strings.Join(append([]string{string(f.Verdict), f.ID, f.Revision}, f.Revisions()...), " "))
		if f.ID == "c.both" && f.Blocks != 1 {
			t.Errorf("c.both blocks %d, want 1: the one in a revision where it was found", f.Blocks)
		}
	}
	want := []string{
		"fail c.both 2025-11-25 2025-11-25 2025-06-18",
		"fail b.once 2025-11-25 2025-11-25",
		"fail d.differs 2025-11-25 2025-11-25",
		"fail d.differs 2025-06-18 2025-06-18",
		"error f.error 2025-11-25 2025-11-25",
		"warn e.warn 2025-11-25 2025-11-25",
		"note a.note 2025-11-25 2025-11-25",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestFindingsAreCountedOnce: three cells of one cause are one finding, in every text that counts.
func TestFindingsAreCountedOnce(t *testing.T) {
	var r Report
	for _, revision := range []string{"2025-11-25", "2025-06-18", "2025-03-26"} {
		r.Results = append(r.Results,
			Result{ID: "a.fail", Revision: revision, Verdict: Fail}, Result{ID: "b.pass", Revision: revision, Verdict: Pass},
			Result{ID: "c.warn", Revision: revision, Verdict: Warn}, Result{ID: "d.warn", Revision: revision, Verdict: Warn})
	}
	r = Finish(r)
	if diff := cmp.Diff(FindingCounts{Fail: 1, Warn: 2}, r.Findings); diff != "" {
		t.Error(diff)
	}
	if r.Summary.Fail != 3 || r.Summary.Warn != 6 {
		t.Errorf("the summary counts cells: %+v", r.Summary)
	}
	for _, format := range []string{"text", "markdown", "github", "badge"} {
		text := rendered(t, format, r, Options{})
		if strings.Contains(text, "3 fail") && format != "markdown" || !strings.Contains(text, "1 fail") {
			t.Errorf("%s does not count one failure:\n%s", format, text)
		}
	}
	if text := rendered(t, "text", r, Options{Terminal: TerminalOptions{Quiet: true}}); !strings.Contains(text, ": 1 fail, 2 warn; 3 of 12 cells passed") {
		t.Errorf("quiet does not count one failure:\n%s", text)
	}
	baseline := Baseline{{ID: "a.fail", Reason: "known"}}
	baseline.Apply(&r)
	if diff := cmp.Diff(FindingCounts{Fail: 1, Warn: 2, Excused: 1}, r.Findings); diff != "" {
		t.Error(diff)
	}
	if fails, warns := Decisive(r); fails != 0 || warns != 2 {
		t.Errorf("%d failures and %d warnings decide", fails, warns)
	}
}

func TestFindingNamesLevelsApart(t *testing.T) {
	f := Findings([]Result{
		{ID: "a.b", Revision: "2025-03-26", Level: "SHOULD", Verdict: Warn},
		{ID: "a.b", Revision: "2025-06-18", Level: "MUST", Verdict: Warn},
		{ID: "a.b", Revision: "2025-11-25", Level: "MUST", Verdict: Warn},
	})[0]
	if got, want := f.where(""), "MUST in 2025-11-25, 2025-06-18; SHOULD in 2025-03-26"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRenderersLeaveTheReportAlone(t *testing.T) {
	r := hostileReport()
	for _, f := range Formats() {
		rendered(t, f.Name, r, Options{})
	}
	if diff := cmp.Diff(hostileReport(), r); diff != "" {
		t.Error(diff)
	}
}

func TestJSONRoundTrip(t *testing.T) {
	for _, r := range []Report{hostileReport(), cleanReport(), interruptedReport(), diagnosisReport()} {
		first := rendered(t, "json", r, Options{})
		read, err := ReadJSON(strings.NewReader(first))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(escaped(r, visibleBytes), read, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
		if second := rendered(t, "json", read, Options{}); second != first {
			t.Error("the second writing differs from the first")
		}
	}
}

func TestJSONHasArraysWhereThereIsNothing(t *testing.T) {
	text := rendered(t, "json", Report{}, Options{})
	for _, want := range []string{`"results": []`, `"eras": []`, `"revisions": []`, `"conformant": null`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

func TestReadJSONRefuses(t *testing.T) {
	valid := rendered(t, "json", cleanReport(), Options{})
	for _, row := range []struct{ name, in, want string }{
		{"nothing", "", "not an mcpcheck report"},
		{"syntax", "{\n\"schema\": oops}", "line 2"},
		{"no object", "[]", "not an mcpcheck report"},
		{"no schema", "{}", "no member schema"},
		{"later schema", `{"schema":"mcpcheck.report/v2"}`, `schema is "mcpcheck.report/v2"`},
		{"wrong type", `{"schema":"mcpcheck.report/v1","results":7}`, "damaged report"},
		{"unknown verdict", strings.Replace(valid, `"verdict": "pass"`, `"verdict": "great"`, 1), `unknown verdict "great"`},
		{"no id", strings.Replace(valid, `"id": "session.rule-a"`, `"id": ""`, 1), "no id"},
		{"changed verdict", strings.Replace(valid, `"verdict": "pass"`, `"verdict": "fail"`, 1), "summary counts"},
		{"two documents", valid + valid, "not an mcpcheck report"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := ReadJSON(strings.NewReader(row.in))
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("error %v, want one with %q", err, row.want)
			}
		})
	}
	later := strings.Replace(valid, `"tool": {`, `"new-member": {"a": 1}, "tool": {`, 1)
	if _, err := ReadJSON(strings.NewReader(later)); err != nil {
		t.Errorf("a member of a later version: %v", err)
	}
}

func TestHeadline(t *testing.T) {
	for _, row := range []struct {
		want   string
		report Report
	}{
		{"conformant", Report{Results: verdicts(Pass)}},
		{"not conformant", Report{Results: verdicts(Pass, Fail)}},
		{"interrupted", Report{Results: verdicts(Fail), Interrupted: true}},
		{"failed", Report{Results: verdicts(Fail), Filtered: true}},
		{"partial", Report{Results: verdicts(Pass), Filtered: true}},
		{"inconclusive", Report{Results: verdicts(Pass, Error)}},
		{"nothing judged", Report{Results: verdicts(NotObserved)}},
		{"not tested", Report{Diagnosis: &Diagnosis{}}},
	} {
		if got := headline(Finish(row.report)); got != row.want {
			t.Errorf("got %s, want %s", got, row.want)
		}
	}
}

func TestFormats(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Formats() {
		if seen[f.Name] || f.Summary == "" {
			t.Errorf("format %q twice or without summary", f.Name)
		}
		seen[f.Name] = true
		var out bytes.Buffer
		if err := f.Render(&out, Report{}, Options{}); err != nil || out.Len() == 0 {
			t.Errorf("%s of an empty report: %v, %q", f.Name, err, out.String())
		}
	}
	if _, ok := FormatByName("yaml"); ok {
		t.Error("found a format that is not there")
	}
}
