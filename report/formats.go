package report

import "io"

// Options are the choices of all formats; each format reads its own.
type Options struct {
	Terminal TerminalOptions
	JUnit    JUnitOptions
	SARIF    SARIFOptions
	JSON     JSONOptions
	Diff     DiffOptions
}

// A Format is one way to write a report.
type Format struct {
	// Name is what users write in -o NAME=PATH.
	Name string
	// Summary says in a few words what the format is for.
	Summary string
	Render  func(io.Writer, Report, Options) error
	// RenderFleet writes many reports as one. It is nil for sarif, which may take several files: RenderFleetSARIF.
	RenderFleet func(io.Writer, Fleet, Options) error
}

// Formats lists all formats, in the order in which help names them.
func Formats() []Format {
	return []Format{
		{"text", "the report for people, as on the terminal", func(w io.Writer, r Report, o Options) error {
			return RenderTerminal(w, r, o.Terminal)
		}, func(w io.Writer, f Fleet, o Options) error { return RenderFleetText(w, f, o.Terminal) }},
		{"json", "everything, for programs (" + Schema + ")", func(w io.Writer, r Report, o Options) error {
			return RenderJSON(w, r, o.JSON)
		}, func(w io.Writer, f Fleet, o Options) error { return RenderFleetJSON(w, f, o.JSON) }},
		{"junit", "JUnit XML, for CI systems", func(w io.Writer, r Report, o Options) error {
			return RenderJUnit(w, r, o.JUnit)
		}, func(w io.Writer, f Fleet, o Options) error { return RenderFleetJUnit(w, f, o.JUnit) }},
		{"markdown", "for pull requests and job summaries", func(w io.Writer, r Report, _ Options) error {
			return RenderMarkdown(w, r)
		}, func(w io.Writer, f Fleet, _ Options) error { return RenderFleetMarkdown(w, f) }},
		{"html", "one page for browsers, which needs no network", func(w io.Writer, r Report, o Options) error { return RenderHTML(w, r, o.JUnit.Strict) },
			func(w io.Writer, f Fleet, _ Options) error { return RenderFleetHTML(w, f) }},
		{"sarif", "for code scanning (SARIF 2.1.0)", func(w io.Writer, r Report, o Options) error { return RenderSARIF(w, r, o.SARIF) }, nil},
		{"github", "annotations of a GitHub Actions run", func(w io.Writer, r Report, _ Options) error { return RenderGitHub(w, r) },
			func(w io.Writer, f Fleet, _ Options) error { return RenderFleetGitHub(w, f) }},
		{"tap", "the Test Anything Protocol", func(w io.Writer, r Report, o Options) error { return RenderTAP(w, r, o.JUnit.Strict) },
			func(w io.Writer, f Fleet, o Options) error { return RenderFleetTAP(w, f, o.JUnit.Strict) }},
		{"badge", "an SVG badge", func(w io.Writer, r Report, _ Options) error { return RenderBadge(w, r) },
			func(w io.Writer, f Fleet, _ Options) error { return RenderFleetBadge(w, f) }},
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
