package report

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// An SDKTable compares servers that were built with SDKs: what each speaks, and what was found in each area, with its evidence. It grades
// nobody, and sorts by name.
type SDKTable struct {
	Rows []SDKRow
	// NotRun are servers that are known and were not run, and why.
	NotRun []SDKNotRun
}

// An SDKRow is one server.
type SDKRow struct {
	// Name is that of the server, SDK what it is built with, Version which of it was run.
	Name, SDK, Language, Version string
	// What says what the server is.
	What string
	// Report is the run, Reasons why findings are true of it as somebody found out who looked at the bytes, by id and verdict.
	Report  Report
	Reasons map[SDKReason]string
}

// SDKReason says what a reason is for.
type SDKReason struct {
	ID      string
	Verdict Verdict
}

// SDKNotRun is a server that was not run.
type SDKNotRun struct{ Name, Because string }

// Limits of the page, which is kept in a repository.
const (
	sdkBodyBytes  = 420 // of a body of an exchange
	sdkEventBytes = 240
	sdkEvents     = 3
	sdkHeaders    = 10 // header lines of each side
	sdkReason     = 400
)

// sdkGrid is the table of one era: areas by servers.
type sdkGrid struct {
	Title string
	Areas []string
	// Cells are those of an area, a server each.
	Cells map[string][]sdkCell
}

// sdkCell is what an area of a server amounts to. Text is empty where the server does not speak the era.
type sdkCell struct {
	Text   string
	Anchor string // of the findings; "" without any
	Worst  Verdict
}

// sdkView is a table with everything escaped and grouped.
type sdkView struct {
	rows     []SDKRow
	findings [][]Finding // of each row
	grids    []sdkGrid
	from, to time.Time
	tool     string
}

func newSDKView(t SDKTable) sdkView {
	v := sdkView{rows: slices.Clone(t.Rows)}
	slices.SortStableFunc(v.rows, func(a, b SDKRow) int {
		return strings.Compare(strings.ToLower(a.Language+" "+a.Name), strings.ToLower(b.Language+" "+b.Name))
	})
	for i := range v.rows {
		r := &v.rows[i]
		r.Report = escaped(r.Report, Visible)
		for _, text := range []*string{&r.Name, &r.SDK, &r.Language, &r.Version, &r.What} {
			*text = oneLine(Visible(*text))
		}
		v.findings = append(v.findings, Findings(r.Report.Results))
		if s := r.Report.Started; v.from.IsZero() || s.Before(v.from) {
			v.from = s
		}
		if s := r.Report.Started; s.After(v.to) {
			v.to = s
		}
		if tool := oneLine(r.Report.Tool.Name + " " + r.Report.Tool.Version); !strings.Contains(v.tool, tool) {
			v.tool = strings.TrimPrefix(v.tool+", "+tool, ", ")
		}
	}
	v.grids = []sdkGrid{v.grid("2026-07-28, without sessions", true), v.grid("2024-11-05 to 2025-11-25, with initialize", false)}
	return v
}

// ofModern tells the era of a requirement by its id.
func ofModern(id string) bool { return strings.HasPrefix(id, "modern.") }

func (v sdkView) grid(title string, modern bool) sdkGrid {
	g := sdkGrid{Title: title, Cells: map[string][]sdkCell{}}
	for _, row := range v.rows {
		for _, r := range row.Report.Results {
			if ofModern(r.ID) == modern && !slices.Contains(g.Areas, r.Area) {
				g.Areas = append(g.Areas, r.Area)
			}
		}
	}
	for _, area := range g.Areas {
		for i := range v.rows {
			g.Cells[area] = append(g.Cells[area], v.cell(i, area, modern))
		}
	}
	return g
}

// cell counts the findings of an area, each once in however many revisions it shows.
func (v sdkView) cell(i int, area string, modern bool) sdkCell {
	var results []Result
	for _, r := range v.rows[i].Report.Results {
		if r.Area == area && ofModern(r.ID) == modern {
			results = append(results, r)
		}
	}
	counts, cells := CountFindings(results), Count(results)
	var parts []string
	c := sdkCell{}
	for _, verdict := range []Verdict{Fail, Error, Warn, Note} {
		if n := counts.Of(verdict); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, verdict.word()))
			if c.Worst == "" {
				c.Worst = verdict
			}
		}
	}
	switch {
	case len(results) == 0:
	case len(parts) > 0:
		c.Text, c.Anchor = strings.Join(parts, ", "), sdkAnchor(v.rows[i].Name, area, modern)
	case cells.Pass > 0:
		c.Text, c.Worst = "ok", Pass
	default:
		c.Text, c.Worst = "–", NotApplicable
	}
	return c
}

// sdkAnchor is the heading of the findings of an area as GitHub makes an anchor of it.
func sdkAnchor(name, area string, modern bool) string {
	return strings.ReplaceAll(strings.ToLower(sdkHeading(name, area, modern)), " ", "-")
}

// sdkHeading is made of letters, digits, hyphens and spaces alone, so that its anchor is plain.
func sdkHeading(name, area string, modern bool) string {
	era := "older revisions"
	if modern {
		era = "2026-07-28"
	}
	return sdkPlain(name) + " " + sdkPlain(area) + " " + era
}

func sdkPlain(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == ' ' {
			return r
		}
		return '-'
	}, cut(oneLine(s), 40))
}

// sdkGroup are the findings of one area of one server.
type sdkGroup struct {
	heading, anchor string
	findings        []Finding
}

// groups of a server in the order of the areas, 2026-07-28 first.
func (v sdkView) groups(i int) []sdkGroup {
	var groups []sdkGroup
	for n, g := range v.grids {
		for _, area := range g.Areas {
			group := sdkGroup{heading: sdkHeading(v.rows[i].Name, area, n == 0), anchor: sdkAnchor(v.rows[i].Name, area, n == 0)}
			for _, f := range v.findings[i] {
				if f.Area == area && ofModern(f.ID) == (n == 0) {
					group.findings = append(group.findings, f)
				}
			}
			if len(group.findings) > 0 {
				groups = append(groups, group)
			}
		}
	}
	return groups
}

// reason why a finding is true, where somebody wrote it down.
func (r SDKRow) reason(f Finding) string {
	return shorten(oneLine(Visible(r.Reasons[SDKReason{f.ID, f.Verdict}])), sdkReason)
}

// sdkEvidence is the first exchange of a finding, as much of it as a page of many findings can hold.
func sdkEvidence(f Finding) []Evidence {
	if len(f.Evidence) == 0 {
		return nil
	}
	e := f.Evidence[0]
	e.Request.Header, e.Request.Body = sdkHead(e.Request.Header), shorten(e.Request.Body, sdkBodyBytes)
	if e.Response != nil {
		response := *e.Response
		response.Header, response.Body = sdkHead(response.Header), shorten(response.Body, sdkBodyBytes)
		e.Response = &response
	}
	left := len(e.Events) - sdkEvents
	e.Events = slices.Clone(e.Events[:min(len(e.Events), sdkEvents)])
	for i := range e.Events {
		e.Events[i].Raw = shorten(e.Events[i].Raw, sdkEventBytes)
	}
	if left > 0 {
		e.Remark = strings.TrimSpace(e.Remark + " " + counted(left, "more event"))
	}
	return []Evidence{e}
}

// sdkUsual are header lines that say nothing of a finding, by the beginnings of their names.
var sdkUsual = []string{"user-agent:", "date:", "connection:", "keep-alive:", "content-length:", "server:", "x-powered-by:", "host:", "accept-encoding:"}

func sdkHead(lines []string) []string {
	kept := slices.DeleteFunc(slices.Clone(lines), func(l string) bool {
		return slices.ContainsFunc(sdkUsual, func(name string) bool { return strings.HasPrefix(strings.ToLower(l), name) })
	})
	return kept[:min(len(kept), sdkHeaders)]
}

// date of the measurement, or the first and the last day where it took longer.
func (v sdkView) date() string {
	const day = "2006-01-02"
	first, last := v.from.UTC().Format(day), v.to.UTC().Format(day)
	if first == last {
		return first
	}
	return first + " to " + last
}

// lead says what the page is and what it is not.
const sdkLead = "Each server below is small, built as the documentation of its SDK shows, with the defaults of the SDK, and checked as any " +
	"other: mcpcheck URL, in every revision that it speaks. A finding may be of the SDK, of a default that can be changed, or of the small server; " +
	"beneath each stands what somebody found who looked. Nothing is added up to a grade: what weighs depends on what you build. Areas with " +
	"“ok” passed as far as they were observed, “–” is nothing that the server offers, and an empty cell an era that it does not speak."
