package report

import (
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
)

// fleetRows bounds the lists of the page; beyond it readers have the JSON report.
const fleetRows = 5000

type htmlFleet struct {
	htmlPage
	Heading, Lead string
	Class         string
	Remarks       []string
	Outcomes      []htmlFleetOutcome
	Tallies       []htmlFleetTally
	Servers       []htmlFleetServer
	Left          int
}

type htmlFleetOutcome struct {
	Class, Word string
	N           int
}

type htmlFleetTally struct {
	Anchor, Class, Word, ID, Title string
	N                              int
	Servers                        []htmlFleetLink
	More                           int
}

type htmlFleetLink struct{ Text, Page string }

type htmlFleetServer struct {
	Anchor, Class, Outcome, Name, Group, URL, Server string
	Page, Because                                    string
	Fail, Warn, Note                                 int
	Passed                                           string
	Broken                                           []htmlFleetBroken
	More                                             int
}

type htmlFleetBroken struct{ Class, ID string }

// fleetBroken bounds the requirements that the line of a server names.
const fleetBroken = 8

// RenderFleetHTML writes the page of a fleet from the summaries alone: outcomes, what fails most, and every server, the worst first, with a
// link to its own page where there is one.
func RenderFleetHTML(w io.Writer, f Fleet) error {
	f = escapedFleet(f, Visible)
	page := newHTMLPage("mcpcheck: " + plural(len(f.Servers), "server"))
	page.Tool, page.Date = oneLine(f.Tool.Name+" "+f.Tool.Version), newHTMLDate(f.Started)
	n, exit := f.unfine()
	d := htmlFleet{htmlPage: page, Heading: plural(len(f.Servers), "server"), Class: htmlClass(Pass)}
	d.Lead = sentence(f.outcomesText()) + "; " + f.effort() + "."
	if n > 0 {
		d.Class = htmlClass(Warn)
		if f.findings().Fail > 0 {
			d.Class = htmlClass(Fail)
		}
		d.Remarks = append(d.Remarks, fmt.Sprintf("%s decide the exit code, %d.", plural(n, "server"), exit))
	}
	if f.Interrupted {
		d.Remarks = append(d.Remarks, "Interrupted: not all servers were checked to the end.")
	}
	for _, o := range f.outcomes() {
		d.Outcomes = append(d.Outcomes, htmlFleetOutcome{htmlClass(o.Verdict), o.Outcome, o.N})
	}
	anchors := make(htmlAnchors)
	for _, t := range f.tallies() {
		row := htmlFleetTally{
			Anchor: anchors.of(t.ID), Class: htmlClass(t.Verdict), Word: t.Verdict.word(), ID: oneLine(t.ID), Title: cut(oneLine(t.Title), titleLimit), N: len(t.Servers),
		}
		for _, i := range t.Servers[:min(len(t.Servers), fleetWorst)] {
			row.Servers = append(row.Servers, htmlFleetLink{cut(f.Servers[i].title(), shortLimit), fleetLink(f.Servers[i].Page, t.ID)})
		}
		row.More = len(t.Servers) - len(row.Servers)
		d.Tallies = append(d.Tallies, row)
	}
	for k, i := range f.order() {
		if k == fleetRows {
			d.Left = len(f.Servers) - k
			break
		}
		d.Servers = append(d.Servers, newHTMLFleetServer(f.Servers[i], i))
	}
	return htmlParts().pages.ExecuteTemplate(w, "fleet.tmpl", d)
}

func newHTMLFleetServer(s FleetServer, i int) htmlFleetServer {
	row := htmlFleetServer{
		Anchor: fmt.Sprintf("server_%d", i+1), Class: htmlClass(s.verdict), Outcome: s.headline, Name: s.title(), Group: cut(oneLine(s.Target.Group), titleLimit),
		Server: serverText(s.Target.Itself()), Page: fleetLink(s.Page, ""), Because: cut(oneLine(s.Because), textLimit),
		Fail: s.Findings.Fail + s.Findings.Error, Warn: s.Findings.Warn, Note: s.Findings.Note,
	}
	if s.Target.Name != "" {
		row.URL = cut(oneLine(s.Target.Place()), targetLimit)
	}
	switch {
	case !s.AsExpected:
		row.Outcome += ", expected " + oneLine(s.Expected)
	case s.Expected != "":
		row.Outcome += ", as expected"
	}
	if total := s.Summary.Total(); total > 0 {
		row.Passed = fmt.Sprintf("%d of %d", s.Summary.Pass, total)
	}
	for _, b := range s.Broken[:min(len(s.Broken), fleetBroken)] {
		row.Broken = append(row.Broken, htmlFleetBroken{htmlClass(b.Verdict), oneLine(b.ID)})
	}
	row.More = len(s.Broken) - len(row.Broken)
	return row
}

var plainPage = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)?\.html$`)

// fleetLink is the address of a server's page, at a finding where its id is as plain as those of the catalogue; "" where there is no page.
func fleetLink(page, id string) string {
	escaped := (&url.URL{Path: page}).EscapedPath()
	if !plainPage.MatchString(strings.ReplaceAll(escaped, "%", "")) {
		return ""
	}
	if plainID.MatchString(id) {
		return escaped + "#" + id
	}
	return escaped
}
