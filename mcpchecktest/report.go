package mcpchecktest

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
)

// A Report is what a check found.
type Report struct {
	report    report.Report
	strict    bool
	unmatched []report.Excuse
}

// A Requirement is what a check found about one requirement, in all revisions together.
type Requirement struct {
	ID, Title string
	// Verdict is the worst of its verdicts that counts: pass, fail, warn, note, error, not-applicable or not-observed.
	Verdict string
	// Text tells people about it: the findings with what was sent, expected and got, or why there was nothing to judge; "" for a pass.
	Text string
	// Broken: it fails the test. Excused: a baseline accepts it.
	Broken, Excused bool
}

// Skipped tells that nothing was judged, or that a baseline accepts what was found.
func (r Requirement) Skipped() bool {
	return !r.Broken && (r.Excused || r.Verdict == string(report.NotApplicable) || r.Verdict == string(report.NotObserved))
}

// Err is nil unless the requirement is broken.
func (r Requirement) Err() error {
	if !r.Broken {
		return nil
	}
	return errors.New(r.Text)
}

// IDs are the requirements that this version judges in servers, in the order of its catalogue: for frameworks that want the names of
// their tests beforehand.
func IDs() []string {
	suite, err := suites.New(eras.All()...)
	if err != nil {
		panic(err) // the catalogue is compiled in
	}
	var ids []string
	for _, check := range suite.Checks() {
		ids = append(ids, check.Entry.ID)
	}
	return ids
}

// Requirements are those that were planned for the server, in the order of the catalogue.
func (r *Report) Requirements() []Requirement {
	var ids []string
	byID := map[string][]report.Result{}
	for _, result := range r.report.Results {
		if byID[result.ID] == nil {
			ids = append(ids, result.ID)
		}
		byID[result.ID] = append(byID[result.ID], result)
	}
	all := make([]Requirement, len(ids))
	for i, id := range ids {
		all[i] = r.requirement(id, byID[id])
	}
	return all
}

// Requirement is that of an id. One that the check did not plan, because the server speaks no revision that has it, is not applicable.
func (r *Report) Requirement(id string) Requirement {
	results := slices.DeleteFunc(slices.Clone(r.report.Results), func(o report.Result) bool { return o.ID != id })
	if len(results) == 0 {
		return Requirement{ID: id, Verdict: string(report.NotApplicable), Text: "no revision that was checked has it"}
	}
	return r.requirement(id, results)
}

func (r *Report) requirement(id string, results []report.Result) Requirement {
	one := Requirement{ID: id, Title: results[0].Title}
	// A finding that counts says most, then one that is accepted, then any judgement, then why there was none.
	rank := func(o report.Result) int {
		order := slices.Index(report.Verdicts(), o.Verdict)
		if o.Excused != "" {
			order = slices.Index(report.Verdicts(), report.Note)
		}
		return order
	}
	worst := slices.MinFunc(results, func(a, b report.Result) int { return rank(a) - rank(b) })
	one.Verdict, one.Excused = string(worst.Verdict), worst.Excused != ""
	switch {
	case worst.Excused != "":
		one.Text = fmt.Sprintf("%s, accepted by the baseline: %s", worst.Verdict, report.Visible(worst.Excused))
	case worst.Verdict == report.NotApplicable, worst.Verdict == report.NotObserved:
		one.Text = reasons(results)
	case worst.Verdict != report.Pass:
		one.Broken = worst.Verdict == report.Fail || worst.Verdict == report.Error || worst.Verdict == report.Warn && r.strict
		var b strings.Builder
		o := report.TerminalOptions{Width: 100}
		if one.Broken {
			o.Verbose = 1
		}
		_ = report.RenderRequirement(&b, r.report, id, o) // a Builder takes everything
		one.Text = strings.TrimRight(b.String(), "\n")
	}
	return one
}

// reasons are why nothing was judged, each once, with the revisions.
func reasons(results []report.Result) string {
	var texts []string
	revisions := map[string][]string{}
	for _, result := range results {
		text := fmt.Sprintf("%s: %s", result.Verdict, report.Visible(result.Message))
		if revisions[text] == nil {
			texts = append(texts, text)
		}
		if !slices.Contains(revisions[text], result.Revision) {
			revisions[text] = append(revisions[text], result.Revision)
		}
	}
	for i, text := range texts {
		texts[i] = fmt.Sprintf("%s (%s)", text, strings.Join(revisions[text], ", "))
	}
	return strings.Join(texts, "\n")
}

// Outcome is a word for what the check amounts to: conformant, not-conformant, incomplete, not-tested, partial and others, as in the
// JSON report.
func (r *Report) Outcome() string { return r.report.Outcome }

// Err is nil where a test may be green: no requirement is broken, and all that is a MUST could be looked at. It does not depend on which
// requirements the caller goes through.
func (r *Report) Err() error {
	var broken []error
	for _, one := range r.Requirements() {
		if err := one.Err(); err != nil {
			broken = append(broken, err)
		}
	}
	return errors.Join(errors.Join(broken...), r.whole())
}

// whole is what is wrong with a check beside the requirements that are broken.
func (r *Report) whole() error {
	one := r.report
	switch {
	case one.Interrupted:
		return errors.New("the check was interrupted")
	case one.Diagnosis != nil:
		return errors.New(r.text(report.TerminalOptions{Width: 100, Verbose: 1}))
	case len(one.Unexpected) > 0:
		return fmt.Errorf("met now, and to be taken out of the baseline: %s", strings.Join(one.Unexpected, ", "))
	case len(r.unmatched) > 0 && !one.Filtered:
		return fmt.Errorf("the baseline lists what no result has: %v", r.unmatched)
	case one.Summary.Judged() == 0:
		return errors.New("nothing could be judged")
	case one.Incomplete != nil && !one.Incomplete.Accepted:
		i := one.Incomplete
		return fmt.Errorf("incomplete: %d requirements of the weight of a MUST could not be looked at: %s; %s",
			i.Requirements, report.Visible(i.Because), report.Visible(i.Do))
	}
	return nil
}

// Summary is the check in a line.
func (r *Report) Summary() string {
	lines := strings.Split(strings.TrimRight(r.text(report.TerminalOptions{Quiet: true, Strict: r.strict}), "\n"), "\n")
	return lines[len(lines)-1]
}

func (r *Report) text(o report.TerminalOptions) string {
	var b strings.Builder
	_ = report.RenderTerminal(&b, r.report, o) // a Builder takes everything
	return strings.TrimSpace(b.String())
}

// Write writes the report in a format: text, json, junit, markdown, html, sarif, github, tap or badge.
func (r *Report) Write(w io.Writer, format string) error {
	f, known := report.FormatByName(format)
	if !known {
		return fmt.Errorf("no format is called %q", format)
	}
	return f.Render(w, r.report, report.Options{JUnit: report.JUnitOptions{Strict: r.strict}, Terminal: report.TerminalOptions{Strict: r.strict}})
}

// WriteBaseline writes the findings as a baseline, in which people fill in the reasons.
func (r *Report) WriteBaseline(w io.Writer) error { return report.WriteBaseline(w, r.report) }

// version is that of this module in the author's build.
func version() string {
	const module = "github.com/mcpcheck/mcpcheck"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == module && m.Version != "" && m.Version != "(devel)" {
				return m.Version
			}
		}
	}
	return "dev"
}
