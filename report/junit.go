package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"
)

// JUnitOptions says what counts as a failure for the build.
type JUnitOptions struct {
	// Strict turns warnings into failures, as --strict does for the exit code.
	Strict bool
}

// JUnit has no schema of its own. This is what the one of Jenkins' xUnit plugin allows (junit-10.xsd), of which others read a part.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"` // seconds
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr,omitempty"` // UTC, without a zone
	Hostname   string          `xml:"hostname,attr,omitempty"`  // of the target
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class     string        `xml:"classname,attr"`
	Name      string        `xml:"name,attr"`
	Time      string        `xml:"time,attr"`
	Failure   *junitProblem `xml:"failure"`
	Error     *junitProblem `xml:"error"`
	Skipped   *junitSkipped `xml:"skipped"`
	SystemOut *junitText    `xml:"system-out"`
}

type junitProblem struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"` // encoding/xml splits a section that has ]]> in it
}

type junitText struct {
	Text string `xml:",cdata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// RenderJUnit writes one test suite for each revision and transport, one test case for each cell.
//
// The class of a case is its target, revision, transport and area: readers tell cases apart by class and name alone, and GitLab drops all
// but the first of those that are equal, in all files of a job together.
//
// The time is that of the run as a whole, and of its suite where there is one: several are recorded at the same time, and a cell is judged
// from recordings that it shares with others.
func RenderJUnit(w io.Writer, r Report, o JUnitOptions) error {
	r = escaped(r, Visible)
	encoded, err := xml.MarshalIndent(junitSuitesOf(r, junitTarget(r.Target.Place()), o), "", "  ")
	if err != nil {
		return fmt.Errorf("write JUnit report: %w", err)
	}
	_, err = io.WriteString(w, xml.Header+string(encoded)+"\n")
	return err
}

// junitSuitesOf are the suites of one run, whose text is safe already; its classes begin with target.
func junitSuitesOf(r Report, target string, o JUnitOptions) junitSuites {
	suites := junitSuites{Name: "mcpcheck " + oneLine(r.Target.Place()), Time: seconds(r.DurationMS)}
	if kind, reason := r.unfinished(); reason != "" {
		c := junitCase{Class: target + ".run", Name: oneLine(kind), Time: seconds(0), Error: &junitProblem{Type: oneLine(kind), Message: oneLine(reason)}}
		if r.Diagnosis != nil {
			c.Error.Message, c.Error.Text = oneLine(r.Diagnosis.Seen), diagnosisText(*r.Diagnosis)
		}
		suites.add(junitSuite{Name: target + " run", Cases: []junitCase{c}}, r)
	}
	if len(r.Unexpected) > 0 {
		suite := junitSuite{Name: target + " baseline"}
		for _, entry := range r.Unexpected {
			text := "it is met now; take it out of the baseline"
			suite.Cases = append(suite.Cases, junitCase{
				Class: target + ".baseline", Name: oneLine(entry), Time: seconds(0),
				Failure: &junitProblem{Type: "unexpected pass", Message: text, Text: text},
			})
		}
		suites.add(suite, r)
	}
	for _, c := range Columns(r.Results) {
		suite := junitSuite{Name: oneLine(target + " " + c.Revision + " " + c.Transport)}
		for _, result := range r.Results {
			if (Column{result.Revision, result.Transport}) == c {
				suite.Cases = append(suite.Cases, junitCaseOf(result, target, o))
			}
		}
		suites.add(suite, r)
	}
	if len(suites.Suites) == 1 {
		suites.Suites[0].Time = suites.Time
	}
	return suites
}

// junitTarget is how the classes of a target begin: its URL without the scheme where that is http. Readers take dots for the ends of
// packages, and cut a class at its last one: the area stays whole.
func junitTarget(raw string) string {
	if text := strings.TrimPrefix(oneLine(raw), "http://"); text != "" {
		return text
	}
	return "target"
}

// add counts the cases of a suite and gives it the properties of the run.
func (s *junitSuites) add(suite junitSuite, r Report) {
	suite.Time = seconds(0)
	if !r.Started.IsZero() {
		suite.Timestamp = r.Started.UTC().Format("2006-01-02T15:04:05")
	}
	if u, err := url.Parse(r.Target.Place()); err == nil {
		suite.Hostname = u.Hostname()
	}
	suite.Properties = []junitProperty{
		{"tool", oneLine(r.Tool.Name + " " + r.Tool.Version)},
		{"target", r.Target.Place()},
		{"server", oneLine(r.Target.Itself().Name + " " + r.Target.Itself().Version)},
		{"conformant", conformantText(r.Conformant)},
	}
	for _, remark := range remarks(r) {
		suite.Properties = append(suite.Properties, junitProperty{"remark", oneLine(remark)})
	}
	for _, c := range suite.Cases {
		suite.Tests++
		switch {
		case c.Failure != nil:
			suite.Failures++
		case c.Error != nil:
			suite.Errors++
		case c.Skipped != nil:
			suite.Skipped++
		}
	}
	s.Tests += suite.Tests
	s.Failures += suite.Failures
	s.Errors += suite.Errors
	s.Suites = append(s.Suites, suite)
}

func conformantText(conformant *bool) string {
	if conformant == nil {
		return "unknown"
	}
	return fmt.Sprint(*conformant)
}

func junitCaseOf(r Result, target string, o JUnitOptions) junitCase {
	c := junitCase{Class: oneLine(strings.Join([]string{target, r.Revision, r.Transport, r.Area}, ".")), Name: oneLine(r.ID), Time: seconds(0)}
	problem := func() *junitProblem {
		return &junitProblem{Type: r.Level, Message: oneLine(r.Message), Text: plainText(r)}
	}
	switch {
	case r.Excused != "":
		c.Skipped = &junitSkipped{Message: oneLine(string(r.Verdict) + ", excused by the baseline: " + r.Excused)}
	case r.Verdict == Fail:
		c.Failure = problem()
	case r.Verdict == Warn:
		if o.Strict {
			c.Failure = problem()
		} else {
			c.SystemOut = &junitText{"warn: " + plainText(r)}
		}
	case r.Verdict == Note:
		c.SystemOut = &junitText{"note: " + plainText(r)}
	case r.Verdict == Error:
		c.Error = problem()
		c.Error.Type = "mcpcheck" // nothing that the server did
	case r.Verdict == NotApplicable, r.Verdict == NotObserved:
		c.Skipped = &junitSkipped{Message: oneLine(r.Verdict.word() + ": " + cellReason(r))}
	}
	return c
}

func diagnosisText(d Diagnosis) string {
	text := strings.Join([]string{"seen: " + d.Seen, "why: " + d.Why, "do: " + d.Do}, "\n") + "\n"
	for _, e := range d.Evidence {
		text += "\n" + wireText(e)
	}
	return text
}

// plainText is a finding as unformatted text, evidence included.
func plainText(r Result) string {
	var b strings.Builder
	fmt.Fprintln(&b, oneLine(r.Message))
	for _, field := range [][2]string{
		{"requirement", r.Title}, {"sent", r.Sent}, {"expected", r.Expected}, {"got", r.Got},
		{"more", Finding{Result: r}.moreText()}, {"because", r.Why}, {"clause", r.Spec}, {"fix", r.Remedy},
	} {
		if text := oneLine(field[1]); text != "" {
			fmt.Fprintf(&b, "%s: %s\n", field[0], text)
		}
	}
	if r.Curl != "" {
		fmt.Fprintf(&b, "reproduce:\n%s\n", strings.Trim(r.Curl, "\n"))
	}
	for _, e := range r.Evidence {
		fmt.Fprintf(&b, "\n%s", wireText(e))
	}
	return b.String()
}

func seconds(ms int64) string {
	return fmt.Sprintf("%.3f", (time.Duration(ms) * time.Millisecond).Seconds())
}
