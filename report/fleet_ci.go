package report

import (
	"fmt"
	"io"
	"strings"
)

// Limits of services that read the reports of a fleet.
const (
	SARIFFileRuns    = 20 // GitHub takes no more runs of a file
	fleetAnnotations = 8  // GitHub shows ten of a kind, of a step
)

// RenderFleetSARIF writes the findings of all servers, each revision of each server a run as in a report of one. A file takes so many
// runs at most (0: all), so that there may be several: create makes the n-th, from 1 on.
func RenderFleetSARIF(f Fleet, o SARIFOptions, most int, create func(n int, render func(io.Writer) error) error) error {
	var runs []sarifRun
	seen := map[string]int{}
	files := 0
	flush := func() error {
		files++
		full := runs
		runs = nil
		return create(files, func(w io.Writer) error { return writeSARIF(w, full) })
	}
	err := f.each(Visible, func(_ int, r Report) error {
		place := placeOf(r.Target)
		if seen[place.key]++; seen[place.key] > 1 {
			place.key += fmt.Sprintf("~%d", seen[place.key]) // two runs of one category are refused
		}
		next := sarifRunsOf(r, place, o)
		if len(runs) > 0 && most > 0 && len(runs)+len(next) > most {
			if err := flush(); err != nil {
				return err
			}
		}
		runs = append(runs, next...)
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// RenderFleetGitHub writes annotations: one for what fails on most servers, one for each server that could not be tested, and one for all.
// GitHub shows ten of a kind, so there is none for each server and finding; the job summary has those.
func RenderFleetGitHub(w io.Writer, f Fleet) error {
	f = escapedFleet(f, Visible)
	var b strings.Builder
	counts := map[string]int{}
	annotate := func(kind, title, text string) {
		if counts[kind]++; counts[kind] <= fleetAnnotations {
			command(&b, kind, title, text)
		}
	}
	for _, t := range f.tallies() {
		kind := "error"
		if t.Verdict == Warn {
			kind = "warning"
		}
		annotate(kind, fmt.Sprintf("%s (%d of %s)", t.ID, len(t.Servers), plural(len(f.Servers), "server")), cut(oneLine(t.Title), titleLimit)+"\n"+t.where(&f, fleetWorst))
	}
	for _, i := range f.order() {
		if s := f.Servers[i]; !s.fine() && len(s.Broken) == 0 {
			annotate("error", s.headline+": "+s.title(), s.says())
		}
	}
	for _, kind := range []string{"error", "warning"} {
		if n := counts[kind] - fleetAnnotations; n > 0 {
			command(&b, kind, "mcpcheck", fmt.Sprintf("%d more in the report", n))
		}
	}
	command(&b, "notice", "mcpcheck", plural(len(f.Servers), "server")+": "+f.outcomesText())
	_, err := io.WriteString(w, b.String())
	return err
}

// RenderFleetMarkdown writes the fleet for a pull request or a job summary: outcomes, what fails most, the worst servers, and what was
// found on them as far as there is room.
func RenderFleetMarkdown(w io.Writer, f Fleet) error {
	safe := escapedFleet(f, Visible)
	m := &markdown{}
	m.printf("## mcpcheck: %s, %s\n\n", plural(len(safe.Servers), "server"), markdownText(safe.outcomesText()))
	if safe.Interrupted {
		m.printf("Interrupted: not all of them were checked to the end.\n\n")
	}
	if all := safe.tallies(); len(all) > 0 {
		m.printf("### What fails most\n\n| | requirement | servers | |\n|:---|:---|---:|:---|\n")
		for i, t := range all {
			if i == fleetWorst {
				m.printf("| | %s | | |\n", counted(len(all)-i, "more requirement"))
				break
			}
			m.printf("| %s | %s %s | %d | %s |\n", t.Verdict.word(), markdownCell(t.ID), markdownCell(cut(oneLine(t.Title), titleLimit)), len(t.Servers), markdownCell(t.where(&safe, fleetNames)))
		}
		m.printf("\n")
	}
	m.printf("### Servers, the worst first\n\n| outcome | server | |\n|:---|:---|:---|\n")
	shown := 0
	for _, i := range safe.order() {
		s := safe.Servers[i]
		name := markdownCell(s.title())
		if s.Target.Name != "" {
			name += " " + markdownCell(cut(oneLine(s.Target.Place()), targetLimit))
		}
		outcome := markdownText(s.headline)
		if !s.fine() {
			outcome = "**" + outcome + "**"
		}
		line := fmt.Sprintf("| %s | %s | %s |\n", outcome, name, markdownCell(cut(s.says(), shortLimit)))
		if m.out.Len()+len(line) > markdownBudget {
			break
		}
		m.out.WriteString(line)
		shown++
	}
	if n := len(safe.Servers) - shown; n > 0 {
		m.printf("\n%d more, which are better, in the other reports.\n", n)
	}
	m.printf("\n")
	if err := m.fleetDetails(safe); err != nil {
		return err
	}
	m.printf("%s, %s\n", markdownText(safe.Tool.Name+" "+safe.Tool.Version), f.Started.UTC().Format("2006-01-02 15:04 UTC"))
	_, err := io.WriteString(w, m.out.String())
	return err
}

// fleetDetails folds away what was found on the worst servers. The evidence is in the reports of each.
func (m *markdown) fleetDetails(f Fleet) error {
	for _, i := range f.order() {
		s := f.Servers[i]
		if s.fine() || m.out.Len() > markdownBudget/2 {
			break
		}
		r, err := f.Open(i)
		if err != nil {
			return fmt.Errorf("reading the report of server %d again: %w", i+1, err)
		}
		r = escaped(r, Visible)
		one := &markdown{report: r, main: mainTransport(r.Results)}
		if r.Diagnosis != nil {
			one.diagnosis(Diagnosis{Seen: r.Diagnosis.Seen, Why: r.Diagnosis.Why, Do: r.Diagnosis.Do})
		}
		for _, found := range Findings(r.Results) {
			if found.Excused != "" || found.Verdict == Note {
				continue
			}
			one.printf("- **%s** %s %s: %s\n", found.Verdict.word(), markdownCode(found.ID), markdownText("("+found.where(one.main)+")"), limitedMarkdown(found.Message))
			if found.Remedy != "" {
				one.printf("  - fix: %s\n", limitedMarkdown(found.Remedy))
			}
		}
		if one.out.Len() == 0 {
			continue
		}
		m.printf("#### %s\n\n", markdownText(s.title()))
		m.details("Findings", one.out.String())
	}
	return nil
}
