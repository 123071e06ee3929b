package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// RenderFleetJUnit writes the suites of all servers into one file, one server at a time. The totals that its head wants are counted before.
func RenderFleetJUnit(w io.Writer, f Fleet, o JUnitOptions) error {
	var total junitSuites
	targets := junitTargets(f)
	err := f.each(Visible, func(i int, r Report) error {
		s := junitSuitesOf(r, targets[i], o)
		total.Tests, total.Failures, total.Errors = total.Tests+s.Tests, total.Failures+s.Failures, total.Errors+s.Errors
		return nil
	})
	if err != nil {
		return err
	}
	out := &failing{w: w}
	fmt.Fprintf(out, "%s<testsuites name=\"mcpcheck, %s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" time=\"%s\">", xml.Header,
		plural(len(f.Servers), "server"), total.Tests, total.Failures, total.Errors, seconds(f.DurationMS))
	err = f.each(Visible, func(i int, r Report) error {
		for _, suite := range junitSuitesOf(r, targets[i], o).Suites {
			encoded, err := xml.MarshalIndent(struct {
				XMLName xml.Name `xml:"testsuite"`
				junitSuite
			}{junitSuite: suite}, "  ", "  ")
			if err != nil {
				return fmt.Errorf("write JUnit report: %w", err)
			}
			fmt.Fprintf(out, "\n%s", encoded)
		}
		return out.err
	})
	if err != nil {
		return err
	}
	fmt.Fprint(out, "\n</testsuites>\n")
	return out.err
}

// junitTargets are how the classes of the servers begin: each another way, since readers drop all but one of what is equal.
func junitTargets(f Fleet) []string {
	seen := map[string]int{}
	var all []string
	for _, s := range f.Servers {
		target := junitTarget(Visible(s.Target.Place()))
		if s.Target.Name != "" {
			target = oneLine(Visible(s.Target.Name))
		}
		if seen[target]++; seen[target] > 1 {
			target += fmt.Sprintf(" (%d)", seen[target])
		}
		all = append(all, target)
	}
	return all
}

// RenderFleetTAP writes the test points of all servers as one stream. A server that was not tested is a point that is not ok: to bail
// out would keep readers from the servers behind it.
func RenderFleetTAP(w io.Writer, f Fleet, strict bool) error {
	out := &failing{w: w}
	fmt.Fprintf(out, "TAP version 13\n# %s %s, %s\n", oneLine(Visible(f.Tool.Name)), oneLine(Visible(f.Tool.Version)), plural(len(f.Servers), "server"))
	n := 0
	names := junitTargets(f)
	err := f.each(Visible, func(i int, r Report) error {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s\n", oneLine(names[i]))
		point := func(ok, description, directive string) {
			n++
			fmt.Fprintf(&b, "%s %d - %s%s\n", ok, n, tapText(names[i]+": "+description), directive)
		}
		tapPoints(&b, r, strict, point)
		if kind, reason := r.unfinished(); reason != "" {
			point("not ok", kind+": "+reason, "")
		}
		_, err := io.WriteString(out, b.String())
		return err
	})
	fmt.Fprintf(out, "1..%d\n", n) // a plan may come last
	if err == nil {
		err = out.err
	}
	return err
}
