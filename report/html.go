package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// The page is one file: no network, no frames, nothing that is loaded. Everything from the server passes Visible and the contextual
// escaping of html/template, and no policy allows what would still get through: only our style and our script run, by their hashes.

//go:embed html
var htmlFiles embed.FS

// Limits of the page. Readers who want more have the JSON report.
const (
	htmlTextBytes  = 2000       // of one text of a finding
	htmlBodyBytes  = 4 << 10    // of one body; what is kept has 2 KiB and grows when escapes show
	htmlExchanges  = 4          // of one finding
	htmlWireBudget = 1200 << 10 // of all wire logs together, escaped
	htmlFindings   = 400        // in full; a page of thousands helps nobody
	htmlReasonText = 400        // of one reason in the table
	htmlReasonAll  = 300 << 10  // of all reasons of passes together, escaped, and as much of the others
)

// htmlParts are what all pages share, read and parsed once.
var htmlParts = sync.OnceValue(func() (parts struct {
	pages         *template.Template
	style, script string
}) {
	read := func(name string) string {
		content, err := htmlFiles.ReadFile("html/" + name)
		if err != nil {
			panic(err) // embedded when this was compiled
		}
		return string(content)
	}
	parts.style, parts.script = read("style.css"), read("script.js")
	parts.pages = template.Must(template.New("").ParseFS(htmlFiles, "html/*.tmpl"))
	return parts
})

// htmlPage is what every page begins with.
type htmlPage struct {
	Title  string
	Policy string
	Style  template.CSS
	Script template.JS
	Tool   string
	Date   htmlDate
}

// htmlDate is when a run started, for people and for programs.
type htmlDate struct {
	Text, Machine string
}

func newHTMLDate(t time.Time) htmlDate {
	if t.IsZero() {
		return htmlDate{}
	}
	return htmlDate{t.UTC().Format("2006-01-02 15:04 UTC"), t.UTC().Format(time.RFC3339)}
}

func newHTMLPage(title string) htmlPage {
	parts := htmlParts()
	return htmlPage{
		Title:  title,
		Policy: htmlPolicy(parts.style, parts.script),
		Style:  template.CSS(parts.style), //nolint:gosec // ours, embedded
		Script: template.JS(parts.script), //nolint:gosec // ours, embedded
	}
}

// htmlPolicy allows one style and one script, by what they are, and nothing else.
func htmlPolicy(style, script string) string {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) + "; base-uri 'none'; form-action 'none'"
}

// RenderHTML writes the report as one page: the outcome, a list of the findings beside a picture of all areas, the findings with
// their evidence, and every cell with its verdict and the reason for it. With strict, warnings count.
func RenderHTML(w io.Writer, r Report, strict bool) error {
	r = escaped(r, Visible)
	v := &htmlView{report: r, main: mainTransport(r.Results), seen: make(map[string]string), anchors: make(htmlAnchors)}
	return htmlParts().pages.ExecuteTemplate(w, "report.tmpl", v.data(strict))
}

// htmlView turns a report into what the template shows.
type htmlView struct {
	report  Report
	main    string
	seen    map[string]string // the anchor of each exchange that is shown, by its text
	wire    int               // bytes of wire logs so far
	anchors htmlAnchors
}

type htmlReport struct {
	htmlPage
	Outcome      string
	OutcomeClass string
	Lead         string // the outcome in a sentence
	Facts        []htmlFact
	Remarks      []string
	Unexpected   []string
	Diagnosis    *htmlDiagnosis
	List         []htmlEntry
	Findings     []htmlFinding
	Excused      []htmlFinding
	Left         int
	Picture      htmlPicture
	Filters      htmlFilters
	Summary      htmlSummary
	Matrix       htmlMatrix
}

type htmlFact struct {
	Name, Text string
	Code       bool
}

// htmlAdvice is a text with commands in it, each part the one or the other.
type htmlAdvice struct {
	Text, Command string
}

type htmlDiagnosis struct {
	Seen, Why string
	Do        []htmlAdvice
	Points    []htmlPoint
	Exchanges []htmlExchange
	More      string
}

type htmlPoint struct {
	Point
	Class string
}

type htmlFinding struct {
	Finding
	Anchor    string
	Class     string
	Word      string
	Where     string
	Keys      string
	Fields    []htmlField
	Curl      string
	Exchanges []htmlExchange
	More      string
}

type htmlField struct {
	Name, Text, Link string
	Reason           bool // says what was found: the search looks there
}

func (v *htmlView) data(strict bool) htmlReport {
	r := v.report
	outcome, class := htmlOutcome(r, strict)
	page := newHTMLPage("mcpcheck: " + outcome + ", " + cut(oneLine(r.Target.Place()), targetLimit))
	page.Tool, page.Date = oneLine(r.Tool.Name+" "+r.Tool.Version), newHTMLDate(r.Started)
	d := htmlReport{htmlPage: page, Outcome: sentence(outcome), OutcomeClass: class, Facts: htmlFacts(r)}
	if len(r.Results) > 0 {
		d.Lead = sentence(outcomeText(r)) + "."
	}
	for _, remark := range remarks(r) {
		d.Remarks = append(d.Remarks, sentence(shorten(oneLine(remark), htmlTextBytes)))
	}
	for _, entry := range r.Unexpected {
		d.Unexpected = append(d.Unexpected, shorten(oneLine(entry), htmlTextBytes))
	}
	if r.Diagnosis != nil {
		d.Diagnosis = v.diagnosis(*r.Diagnosis)
	}
	d.Filters = newHTMLFilters(r.Results)
	d.Filters.columns("Revision", htmlColumns(r.Results, v.main))
	anchors := make(map[htmlCellKey]string)
	for i, f := range Findings(r.Results) {
		if i >= htmlFindings {
			d.Left++
			continue
		}
		anchor := v.anchors.of(f.ID)
		for _, c := range f.Cells {
			anchors[htmlCellKey{f.ID, c.Column}] = anchor
		}
		shown := v.finding(f, anchor)
		shown.Keys = d.Filters.keysOf(f, Columns(r.Results))
		if f.Excused != "" {
			d.Excused = append(d.Excused, shown)
		} else {
			d.Findings = append(d.Findings, shown)
			d.List = append(d.List, htmlEntry{anchor, shown.Class, shown.Word, shown.Title, f.ID, f.places(r.Results, v.main)})
		}
	}
	d.Matrix = newHTMLMatrix(r.Results, v.main, d.Filters, anchors, v.anchors)
	d.Picture = newHTMLPicture(r.Results, v.main, d.Matrix)
	d.Summary = newHTMLSummary(r.Results, v.main)
	return d
}

// htmlOutcome is the headline and the class of its colour.
func htmlOutcome(r Report, strict bool) (text, class string) {
	text, verdict := headline(r), headlineVerdict(r)
	if _, warns := Decisive(r); strict && verdict == Pass && warns > 0 {
		text, verdict = fmt.Sprintf("%s, with %s (strict)", text, plural(warns, "warning")), Warn
	}
	return text, htmlClass(verdict)
}

func htmlFacts(r Report) []htmlFact {
	facts := []htmlFact{{"Target", cut(oneLine(r.Target.Place()), targetLimit), true}}
	add := func(name, text string) {
		if text = oneLine(text); text != "" {
			facts = append(facts, htmlFact{name, cut(text, targetLimit), false})
		}
	}
	add("Server", serverText(r.Target.Itself()))
	add("Revisions", scope(r))
	run := effort(r)
	if r.Filtered {
		run += ", a selection of the requirements"
	}
	add("Run", run)
	return facts
}

// sentence starts s with a capital, if it starts with a plain letter.
func sentence(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

// htmlClass is the class of a verdict's colour; one that nobody knows has none.
func htmlClass(v Verdict) string {
	if slices.Contains(Verdicts(), v) {
		return string(v)
	}
	return ""
}

func (v *htmlView) diagnosis(d Diagnosis) *htmlDiagnosis {
	view := &htmlDiagnosis{Seen: sentence(d.Seen), Why: sentence(d.Why), Do: htmlAdvices(sentence(d.Do))}
	for _, p := range d.Points {
		class := htmlClass(NotObserved)
		switch p.State {
		case "ok":
			class = htmlClass(Pass)
		case "broken":
			class = htmlClass(Fail)
		}
		view.Points = append(view.Points, htmlPoint{p, class})
	}
	view.Exchanges, view.More = v.exchanges(d.Evidence, "d")
	return view
}

// htmlAdvices splits advice: lines that start with two spaces are commands.
func htmlAdvices(do string) []htmlAdvice {
	var advice []htmlAdvice
	for line := range strings.SplitSeq(strings.Trim(do, "\n"), "\n") {
		last := len(advice) - 1
		switch command := strings.HasPrefix(line, "  "); {
		case strings.TrimSpace(line) == "":
		case command && last >= 0 && advice[last].Command != "":
			advice[last].Command += "\n" + strings.TrimSpace(line)
		case command:
			advice = append(advice, htmlAdvice{Command: strings.TrimSpace(line)})
		case last >= 0 && advice[last].Text != "":
			advice[last].Text += " " + line
		default:
			advice = append(advice, htmlAdvice{Text: line})
		}
	}
	return advice
}

func (v *htmlView) finding(f Finding, anchor string) htmlFinding {
	view := htmlFinding{
		Finding: f, Anchor: anchor, Class: htmlClass(f.Verdict), Word: f.Verdict.word(), Where: f.where(v.main),
		Curl: strings.Trim(f.Curl, "\n"),
	}
	view.Title = cut(oneLine(f.Title), titleLimit)
	add := func(name, text string) {
		if text = strings.TrimSpace(text); text != "" {
			reason := slices.Contains([]string{"Excused", "Found", "Expected", "Got"}, name)
			view.Fields = append(view.Fields, htmlField{Name: name, Text: shorten(text, htmlTextBytes), Reason: reason})
		}
	}
	add("Excused", f.Excused)
	add("Found", f.says())
	add("Sent", f.Sent)
	add("Expected", f.Expected)
	add("Got", f.Got)
	add("More", f.moreText())
	if f.Verdict == Error {
		add("Because", "mcpcheck itself failed here; this says nothing about the server.")
	} else {
		add("Because", f.Why)
		if clause := oneLine(f.Spec); clause != "" {
			view.Fields = append(view.Fields, htmlField{Name: "Clause", Text: shorten(clause, htmlTextBytes), Link: htmlLink(clause)})
		}
		add("Blocks", f.blocksText())
		add("Fix", f.Remedy)
	}
	view.Exchanges, view.More = v.exchanges(f.Evidence, anchor)
	return view
}

// htmlLink is the address of a link, or "" where it is not as plain as those of the catalogue.
func htmlLink(address string) string {
	if plainLink.MatchString(address) {
		return address
	}
	return ""
}
