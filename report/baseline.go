package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Baseline lists findings that are known and accepted for now. It never excuses a target that could not be tested, or a failure of
// mcpcheck itself.
type Baseline []Excuse

// An Excuse accepts the findings of one requirement.
type Excuse struct {
	// ID is the requirement.
	ID string `yaml:"id"`
	// Revision narrows it to one revision; empty means all.
	Revision string `yaml:"revision,omitempty"`
	// Transport narrows it to one transport; empty means both.
	Transport string `yaml:"transport,omitempty"`
	// Reason says why the finding is accepted; it must not be empty.
	Reason string `yaml:"reason"`
}

func (e Excuse) String() string {
	return strings.TrimSpace(strings.Join([]string{e.ID, e.Revision, e.Transport}, " "))
}

func (e Excuse) covers(r Result) bool {
	return e.ID == r.ID && (e.Revision == "" || e.Revision == r.Revision) && (e.Transport == "" || e.Transport == r.Transport)
}

// ReadBaseline reads a baseline. Errors say which entry is wrong and what is missing.
func ReadBaseline(in io.Reader) (Baseline, error) {
	decoder := yaml.NewDecoder(in)
	decoder.KnownFields(true)
	var b Baseline
	if err := decoder.Decode(&b); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading the baseline: %w", err)
	}
	for i, e := range b {
		switch {
		case e.ID == "":
			return nil, fmt.Errorf("entry %d of the baseline has no id", i+1)
		case strings.TrimSpace(e.Reason) == "":
			return nil, fmt.Errorf("entry %d of the baseline (%s) has no reason", i+1, e)
		case slices.ContainsFunc(b[:i], func(o Excuse) bool { return o.ID == e.ID && o.Revision == e.Revision && o.Transport == e.Transport }):
			return nil, fmt.Errorf("entry %d of the baseline (%s) stands there twice", i+1, e)
		}
	}
	return b, nil
}

// Apply excuses the findings that the baseline lists, in r. An entry whose requirement was met everywhere is an unexpected pass: it has
// to go, so that the finding does not come back unnoticed. What matches no result at all is returned: a typing error, or a revision
// that the server does not speak.
func (b Baseline) Apply(r *Report) (unmatched []Excuse) {
	for _, e := range b {
		matched, met, found := false, false, false
		for i := range r.Results {
			result := &r.Results[i]
			if !e.covers(*result) {
				continue
			}
			matched = true
			switch result.Verdict {
			case Fail, Warn:
				result.Excused, found = e.Reason, true
			case Pass, Note:
				met = true
			}
		}
		switch {
		case !matched:
			unmatched = append(unmatched, e)
		case met && !found:
			r.Unexpected = append(r.Unexpected, e.String())
		}
	}
	*r = Finish(*r)
	return unmatched
}

// WriteBaseline writes a baseline of the findings of a report: one entry for a requirement, or one for each revision where it is met in
// others. The reasons are left for people to write.
func WriteBaseline(w io.Writer, r Report) error {
	r = escaped(r, Visible)
	var b strings.Builder
	b.WriteString("# Findings that are known and accepted for now. Each needs a reason; mcpcheck --baseline FILE refuses those without.\n")
	entries := 0
	for _, f := range Findings(r.Results) {
		if f.Verdict != Fail && f.Verdict != Warn {
			continue
		}
		fmt.Fprintf(&b, "\n# %s: %s\n", f.Verdict, oneLine(shorten(f.Message, textLimit)))
		for _, e := range excuses(r, f) {
			fmt.Fprintf(&b, "- id: %s\n", e.ID)
			if e.Revision != "" {
				fmt.Fprintf(&b, "  revision: %q\n", e.Revision)
			}
			if e.Transport != "" {
				fmt.Fprintf(&b, "  transport: %s\n", e.Transport)
			}
			fmt.Fprintf(&b, "  reason: %q\n", r.reasonFor(e))
			entries++
		}
	}
	if entries == 0 {
		b.WriteString("[]\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// reasonFor keeps the reason that a finding was excused with before.
func (r Report) reasonFor(e Excuse) string {
	for _, result := range r.Results {
		if e.covers(result) && result.Excused != "" {
			return result.Excused
		}
	}
	return ""
}

// excuses are the entries that cover a finding and nothing else.
func excuses(r Report, f Finding) []Excuse {
	whole := Excuse{ID: f.ID}
	covered := 0
	for _, result := range r.Results {
		if whole.covers(result) && (result.Verdict == Pass || result.Verdict == Note) {
			covered = -1
			break
		}
		if whole.covers(result) && (result.Verdict == Fail || result.Verdict == Warn) {
			covered++
		}
	}
	if covered == len(f.Cells) {
		return []Excuse{whole}
	}
	var all []Excuse
	for _, c := range f.Cells {
		e := Excuse{ID: f.ID, Revision: c.Revision}
		if c.Transport == "http-sse" {
			e.Transport = c.Transport
		}
		all = append(all, e)
	}
	return all
}

// Decisive counts the findings that fail or warn and that no baseline excuses: what an exit code is made from.
func Decisive(r Report) (fails, warns int) {
	for _, f := range Findings(r.Results) {
		switch {
		case f.Excused != "":
		case f.Verdict == Fail:
			fails++
		case f.Verdict == Warn:
			warns++
		}
	}
	return fails, warns
}
