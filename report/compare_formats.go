package report

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// RenderDiffAs writes what changed between two reports in a format by its name; it is an error where there is none of that name.
func RenderDiffAs(format string, w io.Writer, before, after Report, o Options) error {
	switch format {
	case "text":
		return RenderDiff(w, before, after, o.Terminal)
	case "json":
		return diffJSON(w, Compare(escaped(before, visibleBytes), escaped(after, visibleBytes)))
	}
	renderers := map[string]func(io.Writer, Difference, Options) error{
		"junit": diffJUnit, "markdown": diffMarkdown, "html": diffHTML, "sarif": diffSARIF, "github": diffGitHub, "tap": diffTAP, "badge": diffBadge,
	}
	render := renderers[format]
	if render == nil {
		return fmt.Errorf("a comparison is not written as %s", format)
	}
	return render(w, Compare(escaped(before, Visible), escaped(after, Visible)), o)
}

// diffText is what a comparison amounts to.
func diffText(d Difference) string {
	text := fmt.Sprintf("%s got worse, %s got better, %s without weight", plural(cells(d.Worse), "cell"), plural(cells(d.Better), "cell"), plural(d.Other, "change"))
	switch n := d.Breaking(); {
	case d.Unseen != "":
		text += "; what the server offers was not compared: " + d.Unseen
	default:
		text += fmt.Sprintf("; %s to what the server offers", plural(len(d.Surface), "change"))
		if n > 0 {
			text += fmt.Sprintf(", %d of them breaking", n)
		}
	}
	return text
}

func columnsText(columns []string) string { return oneLine(strings.Join(columns, ", ")) }

func diffJSON(w io.Writer, d Difference) error {
	encoded, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return fmt.Errorf("write the comparison: %w", err)
	}
	_, err = w.Write(append(jsonASCIIControls(encoded), '\n'))
	return err
}

func diffJUnit(w io.Writer, d Difference, o Options) error {
	target := junitTarget(d.After.Target.Place())
	suite := junitSuite{Name: oneLine(target + " compared"), Time: seconds(0), Properties: []junitProperty{{"target", d.After.Target.Place()}}}
	seen := map[string]int{}
	for _, p := range d.points(o.Diff) {
		name := p.name
		if seen[name]++; seen[name] > 1 {
			name += fmt.Sprintf(" #%d", seen[name])
		}
		c := junitCase{Class: oneLine(target + ".diff." + p.kind), Name: name, Time: seconds(0)}
		if p.fails {
			c.Failure = &junitProblem{Type: p.kind, Message: p.text, Text: p.text}
			suite.Failures++
		} else {
			c.SystemOut = &junitText{p.kind + ": " + p.text}
		}
		suite.Cases = append(suite.Cases, c)
	}
	if len(suite.Cases) == 0 {
		suite.Cases = []junitCase{{Class: oneLine(target + ".diff"), Name: "nothing changed", Time: seconds(0)}}
	}
	suite.Tests = len(suite.Cases)
	encoded, err := xml.MarshalIndent(junitSuites{
		Name: "mcpcheck diff", Tests: suite.Tests, Failures: suite.Failures, Time: seconds(0), Suites: []junitSuite{suite},
	}, "", "  ")
	if err != nil {
		return fmt.Errorf("write the comparison: %w", err)
	}
	_, err = io.WriteString(w, xml.Header+string(encoded)+"\n")
	return err
}

func diffTAP(w io.Writer, d Difference, o Options) error {
	points := d.points(o.Diff)
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 13\n# mcpcheck diff, %s\n1..%d\n", oneLine(d.After.Target.Place()), max(len(points), 1))
	for i, p := range points {
		ok := "ok"
		if p.fails {
			ok = "not ok"
		}
		fmt.Fprintf(&b, "%s %d - %s\n", ok, i+1, tapText(p.kind+": "+p.name+": "+p.text))
	}
	if len(points) == 0 {
		b.WriteString("ok 1 - nothing changed\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func diffGitHub(w io.Writer, d Difference, o Options) error {
	var b strings.Builder
	for _, p := range d.points(o.Diff) {
		switch {
		case p.fails:
			command(&b, "error", p.kind+": "+p.name, p.text)
		case p.kind == "worse" || p.kind == "breaking":
			command(&b, "warning", p.kind+": "+p.name, p.text)
		}
	}
	command(&b, "notice", "mcpcheck diff", diffText(d))
	_, err := io.WriteString(w, b.String())
	return err
}

func diffMarkdown(w io.Writer, d Difference, o Options) error {
	m := &markdown{}
	m.printf("## mcpcheck: what changed\n\n%s\n\n%s.\n\n", markdownCode(cut(oneLine(d.After.Target.Place()), targetLimit)), markdownText(sentence(diffText(d))))
	if points := d.points(o.Diff); len(points) > 0 {
		m.printf("| | what | |\n|:---|:---|:---|\n")
		for i, p := range points {
			kind := p.kind
			if p.fails {
				kind = "**" + kind + "**"
			}
			line := fmt.Sprintf("| %s | %s | %s |\n", kind, markdownCell(p.name), markdownCell(p.text))
			if m.out.Len()+len(line) > markdownBudget {
				m.printf("| | %s | |\n", counted(len(points)-i, "more change"))
				break
			}
			m.out.WriteString(line)
		}
		m.printf("\n")
	}
	_, err := io.WriteString(w, m.out.String())
	return err
}

// diffSARIF writes what got worse and what breaks; the rest is no finding.
func diffSARIF(w io.Writer, d Difference, o Options) error {
	place := placeOf(d.After.Target)
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: d.After.Tool.Name, Version: strings.TrimPrefix(d.After.Tool.Version, "v"), InformationURI: homepage, Rules: []sarifRule{}}},
		Automation: sarifAutomation{"mcpcheck-diff/" + place.key + "/", sarifText{oneLine(d.After.Target.Place()) + ", compared"}},
		Invocations: []sarifInvocation{{Successful: d.Lost == "" && d.Unseen == "", Notifications: []sarifNotification{
			{"note", sarifText{diffText(d)}},
		}}},
		Results: []sarifResult{},
	}
	location := sarifArtifact{place.path}
	if o.SARIF.Location != "" {
		location.URI = relativeSegments(o.SARIF.Location)
	}
	for _, p := range d.points(o.Diff) {
		if p.kind != "worse" && p.kind != "breaking" {
			continue
		}
		verdict := Warn
		if p.fails {
			verdict = Fail
		}
		run.add(Result{
			ID: p.rule, Title: p.kind + ": " + p.name, Message: p.text, Verdict: verdict, Area: "diff", Level: p.kind, Spec: p.spec,
		}, location, targetPlace{place.path, place.key + "\n" + p.name})
	}
	return writeSARIF(w, []sarifRun{run})
}

func diffBadge(w io.Writer, d Difference, o Options) error {
	text, colour := "nothing worse", "#2b7a2b"
	switch worse, breaking := cells(d.Worse), d.Breaking(); {
	case worse > 0 && breaking > 0:
		text = fmt.Sprintf("%d worse, %d breaking", worse, breaking)
	case worse > 0:
		text = fmt.Sprintf("%d worse", worse)
	case breaking > 0:
		text = fmt.Sprintf("%d breaking", breaking)
	case d.Lost != "":
		text = "not tested"
	}
	if text != "nothing worse" {
		colour = "#a86b00"
	}
	if d.Fails(o.Diff) {
		colour = "#c0392b"
	}
	return renderBadge(w, text, colour)
}

type htmlDiff struct {
	htmlPage
	Class, Lead string
	Facts       []htmlFact
	Points      []htmlDiffPoint
	Left        int
}

type htmlDiffPoint struct{ Class, Kind, Name, Text, Link string }

func diffHTML(w io.Writer, d Difference, o Options) error {
	page := newHTMLPage("mcpcheck: what changed, " + cut(oneLine(d.After.Target.Place()), targetLimit))
	page.Tool, page.Date = oneLine(d.After.Tool.Name+" "+d.After.Tool.Version), newHTMLDate(d.After.Started)
	view := htmlDiff{htmlPage: page, Class: htmlClass(Pass), Lead: sentence(diffText(d)) + "."}
	if d.Fails(o.Diff) {
		view.Class = htmlClass(Fail)
	}
	for _, side := range []struct {
		name string
		DiffSide
	}{{"Before", d.Before}, {"After", d.After}} {
		text := []string{oneLine(side.Target.Place()), serverText(side.Target.Itself()), strings.ReplaceAll(side.Outcome, "-", " "), newHTMLDate(side.Started).Text}
		view.Facts = append(view.Facts, htmlFact{side.name, cut(strings.Join(text, ", "), targetLimit), false})
	}
	classes := map[string]Verdict{"worse": Warn, "breaking": Warn, "better": Pass, "changed": Note}
	for i, p := range d.points(o.Diff) {
		if i == fleetRows {
			view.Left = len(d.points(o.Diff)) - i
			break
		}
		class := classes[p.kind]
		if p.fails {
			class = Fail
		}
		view.Points = append(view.Points, htmlDiffPoint{htmlClass(class), p.kind, p.name, p.text, htmlLink(oneLine(p.spec))})
	}
	return htmlParts().pages.ExecuteTemplate(w, "diff.tmpl", view)
}
