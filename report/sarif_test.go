package report

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

func sarifOf(t *testing.T, r Report, o SARIFOptions) sarifLog {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal([]byte(rendered(t, "sarif", r, Options{SARIF: o})), &log); err != nil {
		t.Fatal(err)
	}
	return log
}

// targets are what a user can give, and what a report that was edited by hand may hold.
var targets = []string{
	"http://127.0.0.1:8931/mcp", "http://localhost:3000/mcp", "https://mcp.example.com/mcp", "https://mcp.example.com:8443/a/../b/",
	"http://[::1]:3000/mcp", "https://example.com/mcp?tenant=a", "https://example.com/mcp?tenant=b", "https://example.com",
	"http://host/\"quoted\" and\nbroken/\u202emcp", "javascript:alert(1)", "not a url: \x00\xff", "/etc/passwd", "",
}

// TestSARIFIsWhatGitHubTakes: whatever the target is called, no place has a scheme, and each run has a category of its own.
func TestSARIFIsWhatGitHubTakes(t *testing.T) {
	seen := map[string]string{}
	for _, target := range targets {
		for name, r := range map[string]Report{"hostile": hostileReport(), "diagnosis": diagnosisReport(), "empty": Finish(Report{})} {
			r.Target.URL = target
			log := sarifOf(t, r, SARIFOptions{})
			if len(log.Runs) == 0 || len(log.Runs) > 20 {
				t.Errorf("%q, %s: %d runs", target, name, len(log.Runs))
			}
			for _, run := range log.Runs {
				id := run.Automation.ID
				if was, ok := seen[name+id]; ok {
					t.Errorf("%s: %q and %q have the same id %s", name, was, target, id)
				}
				seen[name+id] = target
				if !strings.HasSuffix(id, "/") || strings.ContainsAny(id, " \n\\\"") {
					t.Errorf("%q: no category: %s", target, id)
				}
				for _, rule := range run.Tool.Driver.Rules {
					if rule.Help.Text == "" || rule.ShortDescription.Text == "" || len(rule.Properties.Tags) > 10 {
						t.Errorf("%s lacks a text, or has too many tags", rule.ID)
					}
				}
				for _, result := range run.Results {
					uri := result.Locations[0].Physical.Artifact.URI
					if u, err := url.Parse(uri); err != nil || u.Scheme != "" || u.Host != "" || strings.HasPrefix(uri, "/") ||
						strings.HasPrefix(uri, "..") || strings.ContainsAny(uri, ":\\ ") || uri == "" {
						t.Errorf("%q has the place %q: %v", target, uri, err)
					}
					if result.Locations[0].Physical.Region.StartLine != 1 {
						t.Error("no line")
					}
				}
			}
		}
	}
}

// TestSARIFFingerprints: the same requirement of the same target is the same alert, in every revision and every run.
func TestSARIFFingerprints(t *testing.T) {
	prints := func(target, server string) map[string]string {
		r := hostileReport()
		r.Target.URL, r.Target.Server.Name = target, server
		all := map[string]string{}
		for _, run := range sarifOf(t, r, SARIFOptions{}).Runs {
			for _, result := range run.Results {
				print := result.Fingerprints["primaryLocationLineHash"]
				if was, ok := all[result.RuleID]; ok && was != print {
					t.Errorf("%s differs from revision to revision", result.RuleID)
				}
				all[result.RuleID] = print
			}
		}
		if len(all) != 4 {
			t.Fatalf("%d requirements", len(all))
		}
		return all
	}
	const id = "session.missing-400"
	base := prints("http://127.0.0.1:40001/mcp", "one")
	for _, row := range []struct {
		name, target, server string
		same                 bool
	}{
		{"another port that the system handed out", "http://127.0.0.1:52113/mcp", "one", true},
		{"another server beside it", "http://127.0.0.1:52113/mcp", "two", false},
		{"a port that somebody chose", "http://127.0.0.1:3000/mcp", "one", false},
		{"another path", "http://127.0.0.1:40001/other", "one", false},
		{"another host", "http://example.com:40001/mcp", "one", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := prints(row.target, row.server); (got[id] == base[id]) != row.same {
				t.Errorf("the same: %v", !row.same)
			}
		})
	}
	seen := map[string]string{}
	for rule, print := range base {
		if was, ok := seen[print]; ok {
			t.Errorf("%s and %s are one", was, rule)
		}
		seen[print] = rule
	}
}

// TestSARIFIsUnsuccessful where an upload would close alerts that nobody mended.
func TestSARIFIsUnsuccessful(t *testing.T) {
	unobserved := cleanReport()
	for i := range unobserved.Results {
		unobserved.Results[i].Verdict = NotObserved
	}
	for _, row := range []struct {
		name   string
		report Report
		want   []bool
	}{
		{"conformant", cleanReport(), []bool{true}},
		{"interrupted", interruptedReport(), []bool{false}},
		{"not tested", diagnosisReport(), []bool{false}},
		{"nothing judged", Finish(unobserved), []bool{false}},
		{"empty", Finish(Report{}), []bool{false}},
		// mcpcheck itself failed in the last column only.
		{"failing checks", hostileReport(), []bool{true, true, true, true, false}},
	} {
		t.Run(row.name, func(t *testing.T) {
			log := sarifOf(t, row.report, SARIFOptions{})
			if len(log.Runs) != len(row.want) {
				t.Fatalf("%d runs", len(log.Runs))
			}
			for i, run := range log.Runs {
				if run.Invocations[0].Successful != row.want[i] {
					t.Errorf("%s: %v", run.Automation.ID, run.Invocations[0].Successful)
				}
				for _, result := range run.Results {
					if result.Properties.Verdict == Error {
						t.Error("a failure of mcpcheck is held against the server")
					}
				}
			}
		})
	}
}

// TestSARIFExcused: what a baseline excuses opens no alert, and is said.
func TestSARIFExcused(t *testing.T) {
	r := hostileReport()
	n := 0
	for i := range r.Results {
		if v := r.Results[i].Verdict; v == Fail || v == Warn {
			r.Results[i].Excused = "known since 1.2"
			n++
		}
	}
	said := 0
	for _, run := range sarifOf(t, r, SARIFOptions{}).Runs {
		for _, result := range run.Results {
			if result.Level != "note" {
				t.Errorf("%s is a result", result.RuleID)
			}
		}
		for _, notification := range run.Invocations[0].Notifications {
			if strings.Contains(notification.Message.Text, "excused by the baseline, ") {
				said++
			}
		}
	}
	if said != n {
		t.Errorf("%d excused, %d said", n, said)
	}
}

func TestSARIFLocation(t *testing.T) {
	for _, result := range sarifOf(t, hostileReport(), SARIFOptions{Location: "deploy/my server#1.json"}).Runs[0].Results {
		if got := result.Locations[0].Physical.Artifact.URI; got != "deploy/my%20server%231.json" {
			t.Errorf("%q", got)
		}
	}
}

// TestManyResults: three thousand cells are neither too many nor slow to write, and each format says as many.
func TestManyResults(t *testing.T) {
	r := hostileReport()
	var many []Result
	for i := range 3000 {
		result := r.Results[i%len(r.Results)]
		result.ID += "." + strings.Repeat("x", 1+i/len(r.Results))
		many = append(many, result)
	}
	r.Results = many
	r = Finish(r)
	for _, f := range Formats() {
		var out bytes.Buffer
		if err := f.Render(&out, r, Options{}); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	results := 0
	for _, run := range sarifOf(t, r, SARIFOptions{}).Runs {
		results += len(run.Results)
	}
	if want := r.Summary.Fail + r.Summary.Warn + r.Summary.Note; results != want {
		t.Errorf("%d results, want %d", results, want)
	}
}
