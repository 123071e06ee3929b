package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// fleetOf makes a fleet of reports, as the command does: each has its page, and one did not come to what was expected.
func fleetOf(reports ...Report) Fleet {
	f := Fleet{Tool: Tool{"mcpcheck", "0.1.0"}, Started: started, DurationMS: 65_400}
	for i, r := range reports {
		exit, expected := 0, ""
		switch {
		case r.Interrupted:
			exit = 130
		case r.Diagnosis != nil:
			exit, expected = 3, "conformant"
		case r.Summary.Fail > 0:
			exit = 1
		}
		s := Summarise(r, exit, expected, expected == "")
		s.Server.Page = fmt.Sprintf("all-servers/%03d-a.b.html", i+1)
		f.Add(s)
	}
	f.Open = func(i int) (Report, error) { return reports[i], nil }
	return f
}

func hostileFleet() Fleet {
	named := hostileReport()
	named.Target.Name, named.Target.Group = hostileAll, hostileHTML+hostileMark
	interrupted := interruptedReport()
	interrupted.Target.Name = "staging"
	return fleetOf(cleanReport(), hostileReport(), diagnosisReport(), named, interrupted)
}

func renderedFleet(t *testing.T, format string, f Fleet, o Options) string {
	t.Helper()
	var out bytes.Buffer
	known, ok := FormatByName(format)
	if !ok {
		t.Fatalf("no format %s", format)
	}
	var err error
	if known.RenderFleet == nil {
		err = RenderFleetSARIF(f, o.SARIF, 0, func(_ int, render func(io.Writer) error) error { return render(&out) })
	} else {
		err = known.RenderFleet(&out, f, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestFleetGoldens renders one hostile fleet in each format.
func TestFleetGoldens(t *testing.T) {
	for _, v := range []struct {
		suffix, format string
		options        Options
	}{
		{"txt", "text", Options{}},
		{"colour.txt", "text", Options{Terminal: TerminalOptions{Color: true}}},
		{"quiet.txt", "text", Options{Terminal: TerminalOptions{Quiet: true}}},
		{"json", "json", Options{}},
		{"junit.xml", "junit", Options{}},
		{"md", "markdown", Options{}},
		{"sarif", "sarif", Options{}},
		{"github.txt", "github", Options{}},
		{"tap", "tap", Options{}},
		{"svg", "badge", Options{}},
		{"html", "html", Options{}},
	} {
		t.Run(v.suffix, func(t *testing.T) {
			got := renderedFleet(t, v.format, hostileFleet(), v.options)
			if again := renderedFleet(t, v.format, hostileFleet(), v.options); got != again {
				t.Error("two renderings differ")
			}
			golden(t, "fleet."+v.suffix, got)
		})
	}
}

// TestFleetIsInert: nothing that a server or a configuration says does anything.
func TestFleetIsInert(t *testing.T) {
	f := hostileFleet()
	assertGraphic(t, renderedFleet(t, "text", f, Options{}))
	for _, s := range f.Servers {
		line := FleetLine(s, TerminalOptions{})
		assertGraphic(t, line)
		if strings.Count(line, "\n") != 1 || regexp.MustCompile(`(^| )(::|##\[)`).MatchString(line) {
			t.Errorf("not one line, or an order: %q", line)
		}
		if coloured := FleetLine(s, TerminalOptions{Color: true}); coloured == line || ownColour.ReplaceAllString(coloured, "") != line {
			t.Errorf("colour changes more than colour: %q", coloured)
		}
	}
	text := assertHTML(t, renderedFleet(t, "html", f, Options{}))
	for _, want := range []string{`\x1b]0;owned\x07`, hostileHTML[:20]} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	markdown := renderedFleet(t, "markdown", f, Options{})
	assertGraphic(t, markdown)
	prose := ownLink.ReplaceAllString(ownTags.Replace(proseOf(t, markdown)), "")
	for _, bad := range []string{"<", ">", "@", "`", "://", "www.", "](", "octocat", "deadbeef1", ":tada:", "# Heading", "#1", "~~~"} {
		if strings.Contains(prose, bad) {
			t.Errorf("%q outside of code:\n%s", bad, prose)
		}
	}
	for line := range strings.SplitSeq(renderedFleet(t, "github", f, Options{}), "\n") {
		if line != "" && !regexp.MustCompile(`^::(error|warning|notice) title=[^:,]*::`).MatchString(line) {
			t.Errorf("no annotation: %s", line)
		}
	}
	for _, s := range f.Servers {
		for _, page := range []string{"javascript:alert(1)", "//evil.example/x.html", "../x.html", "a/b/c.html", "x.html?y"} {
			s.Page = page
			if link := newHTMLFleetServer(s, 0).Page; link != "" {
				t.Errorf("%q is a link: %s", page, link)
			}
		}
	}
}

// TestFleetJUnit: what the head counts is there, and no two cases are alike, also where a server stands there twice.
func TestFleetJUnit(t *testing.T) {
	var suites junitSuites
	text := renderedFleet(t, "junit", fleetOf(hostileReport(), hostileReport(), diagnosisReport(), diagnosisReport()), Options{})
	if err := xml.Unmarshal([]byte(text), &suites); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	tests, failures, failed := 0, 0, 0
	for _, s := range suites.Suites {
		tests, failures, failed = tests+s.Tests, failures+s.Failures, failed+s.Errors
		for _, c := range s.Cases {
			if key := c.Class + " " + c.Name; seen[key] {
				t.Errorf("two cases are called %s", key)
			} else {
				seen[key] = true
			}
		}
	}
	if tests == 0 || tests != len(seen) || suites.Tests != tests || suites.Failures != failures || suites.Errors != failed || failed < 2 {
		t.Errorf("%d tests, %d failures, %d errors; the head says %d, %d, %d", tests, failures, failed, suites.Tests, suites.Failures, suites.Errors)
	}
}

// TestFleetSARIF: no file has more runs than GitHub takes, and no two runs of all of them the same category.
func TestFleetSARIF(t *testing.T) {
	var many []Report
	for range 12 {
		many = append(many, hostileReport())
	}
	files, runs, ids := 0, 0, map[string]bool{}
	err := RenderFleetSARIF(fleetOf(many...), SARIFOptions{}, SARIFFileRuns, func(n int, render func(io.Writer) error) error {
		var b bytes.Buffer
		var log sarifLog
		if err := errors.Join(render(&b), json.Unmarshal(b.Bytes(), &log)); err != nil {
			return err
		}
		if files++; n != files || len(log.Runs) == 0 || len(log.Runs) > SARIFFileRuns {
			t.Errorf("file %d is called %d and has %d runs", files, n, len(log.Runs))
		}
		for _, r := range log.Runs {
			runs++
			ids[r.Automation.ID] = true
		}
		return nil
	})
	if want := len(Columns(hostileReport().Results)) * len(many); err != nil || runs != want || len(ids) != want {
		t.Errorf("%d runs with %d ids, want %d, %v", runs, len(ids), want, err)
	}
}

// TestFleetTAP: every point has the next number, and the plan counts them.
func TestFleetTAP(t *testing.T) {
	text := renderedFleet(t, "tap", hostileFleet(), Options{})
	points := regexp.MustCompile(`(?m)^(not )?ok (\d+) - `).FindAllStringSubmatch(text, -1)
	for i, p := range points {
		if p[2] != fmt.Sprint(i+1) {
			t.Fatalf("point %d has the number %s", i+1, p[2])
		}
	}
	if !strings.HasSuffix(text, fmt.Sprintf("\n1..%d\n", len(points))) || strings.Contains(text, "Bail out!") {
		t.Error("the plan is wrong, or one server ends the stream")
	}
}

// TestFleetJSON: it can be read again, one server at a time, and then says the same; what is damaged is refused.
func TestFleetJSON(t *testing.T) {
	text := renderedFleet(t, "json", hostileFleet(), Options{})
	if !IsFleet([]byte(text)[:100]) || IsFleet([]byte(rendered(t, "json", cleanReport(), Options{}))) {
		t.Error("a fleet is not told from a report")
	}
	var reports []Report
	var again Fleet
	head, err := ReadFleetJSON(strings.NewReader(text), func(s FleetServer, r Report) error {
		reports = append(reports, r)
		summary := Summarise(r, s.Exit, s.Expected, s.AsExpected)
		again.Add(summary)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	again.Tool, again.Started, again.DurationMS = head.Tool, head.Started, head.DurationMS
	again.Open = func(i int) (Report, error) { return reports[i], nil }
	if diff := cmp.Diff(text, renderedFleet(t, "json", again, Options{})); diff != "" {
		t.Error(diff)
	}
	for name, damaged := range map[string]string{
		"another schema":  strings.Replace(text, FleetSchema, "mcpcheck.fleet/v9", 1),
		"no schema":       strings.Replace(text, `"schema": "`+FleetSchema+`",`, "", 1),
		"cut":             text[:len(text)/2],
		"no end":          strings.TrimSuffix(text, "}\n"),
		"a false verdict": strings.Replace(text, `"verdict": "warn"`, `"verdict": "great"`, 3),
		"a list":          "[]",
		"no servers":      strings.Replace(text, "\"servers\": [", "\"servers\": 7, \"x\": [", 1),
	} {
		if _, err := ReadFleetJSON(strings.NewReader(damaged), func(FleetServer, Report) error { return nil }); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	stop := errors.New("full")
	if _, err := ReadFleetJSON(strings.NewReader(text), func(FleetServer, Report) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of ours is lost: %v", err)
	}
}

// TestFleetSchema: what is written is what the schema allows.
func TestFleetSchema(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(FleetJSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("urn:mcpcheck:fleet:v1", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("urn:mcpcheck:fleet:v1")
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text string) error {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(value)
	}
	text := renderedFleet(t, "json", hostileFleet(), Options{})
	if err := valid(text); err != nil {
		t.Error(err)
	}
	for _, change := range [][2]string{{FleetSchema, "x"}, {`"exit": `, `"exit": -`}, {`"as_expected":true`, `"as_expected":1`}, {`"verdict": "warn"`, `"verdict": "great"`}} {
		if changed := strings.ReplaceAll(text, change[0], change[1]); changed == text || valid(changed) == nil {
			t.Errorf("the schema allows %s", change[1])
		}
	}
}

// TestFleetOrder: what decides the exit code comes first, then what breaks most; a requirement is counted once for a server.
func TestFleetOrder(t *testing.T) {
	f := hostileFleet()
	var names []string
	for _, i := range f.order() {
		names = append(names, f.Servers[i].headline)
	}
	if want := []string{"not conformant", "not conformant", "interrupted", "not tested", "conformant"}; !cmp.Equal(names, want) {
		t.Errorf("%q", names)
	}
	for _, y := range f.tallies() {
		if len(y.Servers) > len(f.Servers) || y.Title == "" {
			t.Errorf("tally %+v", y)
		}
	}
	if f.Exit() != 130 {
		t.Errorf("exit %d", f.Exit())
	}
}
