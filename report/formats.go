package report

import "io"

// Options are the choices of all formats; each format reads its own.
type Options struct {
	Terminal TerminalOptions
	JUnit    JUnitOptions
	SARIF    SARIFOptions
	JSON     JSONOptions
}

// A Format is one way to write a report.
type Format struct {
	// Name is what users write in -o NAME=PATH.
	Name string
	// Summary says in a few words what the format is for.
	Summary string
	Render  func(io.Writer, Report, Options) error
}

// Formats lists all formats, in the order in which help names them.
func Formats() []Format {
	return []Format{
		{"text", "the report for people, as on the terminal", func(w io.Writer, r Report, o Options) error {
			return RenderTerminal(w, r, o.Terminal)
		}},
		{"json", "everything, for programs (" + Schema + ")", func(w io.Writer, r Report, o Options) error {
			return RenderJSON(w, r, o.JSON)
		}},
		{"junit", "JUnit XML, for CI systems", func(w io.Writer, r Report, o Options) error {
			return RenderJUnit(w, r, o.JUnit)
		}},
		{"markdown", "for pull requests and job summaries", func(w io.Writer, r Report, _ Options) error {
			return RenderMarkdown(w, r)
		}},
		{"html", "one page for browsers, which needs no network", func(w io.Writer, r Report, o Options) error { return RenderHTML(w, r, o.JUnit.Strict) }},
		{"sarif", "for code scanning (SARIF 2.1.0)", func(w io.Writer, r Report, o Options) error { return RenderSARIF(w, r, o.SARIF) }},
		{"github", "annotations of a GitHub Actions run", func(w io.Writer, r Report, _ Options) error { return RenderGitHub(w, r) }},
		{"tap", "the Test Anything Protocol", func(w io.Writer, r Report, o Options) error { return RenderTAP(w, r, o.JUnit.Strict) }},
		{"badge", "an SVG badge", func(w io.Writer, r Report, _ Options) error { return RenderBadge(w, r) }},
	}
}

// FormatByName finds a format by its name.
func FormatByName(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}
