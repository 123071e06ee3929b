package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// RenderHTMLMatrix writes several reports as one page: what each run amounts to, and every requirement with its verdict on every
// server. Reports of one page need not come from one version of the tool, nor have the same revisions.
func RenderHTMLMatrix(w io.Writer, reports []Report) error {
	d := htmlServers{htmlPage: newHTMLPage("mcpcheck: " + counted(len(reports), "server") + " compared")}
	var all []Result
	var tools []string
	reports = slices.Clone(reports)
	for i := range reports {
		reports[i] = escaped(reports[i], Visible)
		r := reports[i]
		all = append(all, r.Results...)
		d.Servers = append(d.Servers, newHTMLServer(r, i))
		if tool := oneLine(r.Tool.Name + " " + r.Tool.Version); !slices.Contains(tools, tool) {
			tools = append(tools, tool)
		}
	}
	d.Tool = strings.Join(tools, ", ")
	d.Date, d.Until = htmlPeriod(reports)
	for _, v := range []Verdict{Fail, Error, Warn, Note} {
		if CountFindings(all).Of(v) > 0 {
			d.Verdicts = append(d.Verdicts, v.word())
			for i, r := range reports {
				d.Servers[i].Counts = append(d.Servers[i].Counts, htmlNumber{htmlClass(v), CountFindings(r.Results).Of(v)})
			}
		}
	}
	var judged []htmlJudged
	for i, r := range reports {
		if len(r.Results) == 0 {
			d.Empty = append(d.Empty, d.Servers[i].Name)
		} else {
			judged = append(judged, newHTMLJudged(r, d.Servers[i]))
		}
	}
	d.Filters = newHTMLFilters(all)
	d.Filters.Compare = true
	var names []string
	for _, s := range judged {
		names = append(names, s.name)
	}
	d.Filters.columns("Server", names)
	d.Matrix = htmlServerMatrix(judged, all, d.Filters)
	d.List, d.Left = htmlServerList(judged, d.Matrix)
	d.Picture = htmlServerPicture(judged, d.Matrix)
	return htmlParts().pages.ExecuteTemplate(w, "servers.tmpl", d)
}

type htmlServers struct {
	htmlPage
	Until    htmlDate // of the last run, where that is another time than Date
	Servers  []htmlServer
	Verdicts []string // of findings
	List     []htmlEntry
	Left     int
	Picture  htmlPicture
	Filters  htmlFilters
	Matrix   htmlMatrix
	Empty    []string // servers without results have no column
}

type htmlServer struct {
	Number         int
	Name           string // in the head of its column
	Server, Target string
	Outcome, Class string
	Revisions      string
	Date           htmlDate
	Counts         []htmlNumber // of findings
	Passed         string       // of the cells
	Seen           string       // why it was not tested
}

// htmlJudged is a server with results: a column.
type htmlJudged struct {
	number  int
	name    string
	results map[string][]Result // by requirement
}

func newHTMLJudged(r Report, s htmlServer) htmlJudged {
	j := htmlJudged{number: s.Number, name: s.Name, results: make(map[string][]Result)}
	for _, result := range r.Results {
		j.results[result.ID] = append(j.results[result.ID], result)
	}
	return j
}

func newHTMLServer(r Report, i int) htmlServer {
	outcome, class := htmlOutcome(r, false)
	s := htmlServer{
		Number: i + 1, Server: serverText(r.Target.Itself()), Target: cut(oneLine(r.Target.Place()), targetLimit), Outcome: outcome, Class: class,
		Revisions: strings.Join(r.Target.Revisions, ", "), Date: newHTMLDate(r.Started),
	}
	s.Name = cut(oneLine(r.Target.Itself().Name), 28)
	if s.Name == "" {
		s.Name = cut(strings.TrimPrefix(strings.TrimPrefix(s.Target, "https://"), "http://"), 28)
	}
	s.Name = fmt.Sprintf("%d. %s", s.Number, s.Name)
	if r.Diagnosis != nil {
		s.Seen = shorten(oneLine(r.Diagnosis.Seen), wireHeaderBytes)
	}
	if counts := Count(r.Results); counts.Total() > 0 {
		s.Passed = fmt.Sprintf("%d of %d", counts.Pass, counts.Total())
	}
	return s
}

// htmlPeriod is when the first run started, and the last one where that is another minute.
func htmlPeriod(reports []Report) (first, last htmlDate) {
	var from, until time.Time
	for _, r := range reports {
		if r.Started.IsZero() {
			continue
		}
		if from.IsZero() || r.Started.Before(from) {
			from = r.Started
		}
		if r.Started.After(until) {
			until = r.Started
		}
	}
	first, last = newHTMLDate(from), newHTMLDate(until)
	if first.Text == last.Text {
		last = htmlDate{}
	}
	return first, last
}

// htmlServerMatrix has the most important verdict of a requirement on each server, and where it does not hold in all revisions, in
// how many.
func htmlServerMatrix(servers []htmlJudged, all []Result, filters htmlFilters) htmlMatrix {
	m := htmlMatrix{Label: "Requirements by server", Columns: filters.Columns}
	anchors := make(htmlAnchors)
	for _, row := range newRequirements(all) {
		var keys []htmlKey
		var reasons htmlReasons
		var words []string
		cells := 0
		row.Anchor, row.Passes = anchors.of(row.ID), true
		for i, s := range servers {
			cell := htmlCell{Column: s.name}
			if results := s.results[row.ID]; len(results) > 0 {
				cells++
				verdict, n := worst(results)
				cell.Class, cell.Word = htmlClass(verdict), verdict.word()
				if n < len(results) {
					cell.More = fmt.Sprintf("%d of %d revisions", n, len(results))
				}
				if !slices.Contains(words, cell.Word) {
					words = append(words, cell.Word)
				}
				row.Passes = row.Passes && verdict == Pass
				for _, r := range results {
					if r.Verdict == verdict {
						keys = append(keys, filters.key(r, i))
						reasons.add(r, "", strconv.Itoa(s.number))
					}
				}
			}
			row.Cells = append(row.Cells, cell)
		}
		row.Keys, row.Reasons, row.Differs = filters.keys(keys), m.within(reasons.list(cells, "on ")), len(words) > 1
		m.add(row.area, row.htmlRow)
	}
	return m
}

// htmlServerList has every requirement that is a finding on any server, the worst first, and of those what is found on most.
func htmlServerList(servers []htmlJudged, m htmlMatrix) (list []htmlEntry, left int) {
	type place struct {
		verdict Verdict
		servers int
	}
	places := make(map[string]place) // by anchor
	for _, area := range m.Areas {
		for _, row := range area.Rows {
			numbers := make(map[Verdict][]string)
			found := place{verdict: Pass}
			for _, s := range servers {
				results := s.results[row.ID]
				if len(results) == 0 {
					continue
				}
				verdict, _ := worst(results)
				if verdictRank(verdict) > verdictRank(Note) {
					continue
				}
				found.servers++
				numbers[verdict] = append(numbers[verdict], strconv.Itoa(s.number))
				if verdictRank(verdict) < verdictRank(found.verdict) {
					found.verdict = verdict
				}
			}
			if found.servers == 0 {
				continue
			}
			var where []string
			for _, v := range Verdicts() {
				if n := numbers[v]; len(n) > 0 {
					where = append(where, v.word()+" on "+strings.Join(n, ", "))
				}
			}
			places[row.Anchor] = found
			list = append(list, htmlEntry{
				row.Anchor, htmlClass(found.verdict), found.verdict.word(), row.Title, row.ID, cut(strings.Join(where, "; "), titleLimit),
			})
		}
	}
	slices.SortStableFunc(list, func(a, b htmlEntry) int {
		if d := verdictRank(places[a.Anchor].verdict) - verdictRank(places[b.Anchor].verdict); d != 0 {
			return d
		}
		return places[b.Anchor].servers - places[a.Anchor].servers
	})
	if len(list) > htmlFindings {
		list, left = list[:htmlFindings], len(list)-htmlFindings
	}
	return list, left
}

// htmlServerPicture counts each requirement once for a server, by its most important verdict there.
func htmlServerPicture(servers []htmlJudged, m htmlMatrix) htmlPicture {
	p := htmlPicture{Label: "Areas by server", Columns: m.Columns}
	for _, area := range m.Areas {
		row := htmlPictureRow{Area: area.Name, Anchor: area.Anchor}
		for _, s := range servers {
			var counts Summary
			for _, r := range area.Rows {
				if results := s.results[r.ID]; len(results) > 0 {
					verdict, _ := worst(results)
					if n := counts.counter(verdict); n != nil {
						*n++
					}
				}
			}
			row.Cells = append(row.Cells, newHTMLPictureCell(s.name, counts))
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

// worst is the most important verdict of results, and how many have it.
func worst(results []Result) (verdict Verdict, n int) {
	verdict = results[0].Verdict
	for _, r := range results {
		if verdictRank(r.Verdict) < verdictRank(verdict) {
			verdict = r.Verdict
		}
	}
	for _, r := range results {
		if r.Verdict == verdict {
			n++
		}
	}
	return verdict, n
}
