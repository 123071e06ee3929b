package report

import (
	"fmt"
	"io"
	"strings"
)

// What a character of the badge's font takes, in tenths of a pixel at 11 px; close enough for Verdana and its replacements, and the text
// is stretched to fit.
const (
	badgeChar   = 66
	badgeMargin = 10
)

// RenderBadge writes an SVG badge: "MCP" on the left, the outcome on the right. It holds nothing that the server said.
func RenderBadge(w io.Writer, r Report) error {
	s := CountFindings(r.Results)
	text, colour := headline(r), "#9f9f9f"
	switch {
	case r.Diagnosis != nil:
	case s.Fail > 0:
		text, colour = fmt.Sprintf("%d failed", s.Fail), "#c0392b"
	case s.Warn > 0:
		text, colour = plural(s.Warn, "warning"), "#a86b00"
	case r.Conformant != nil && *r.Conformant:
		colour = "#2b7a2b"
		if n := len(r.Target.Revisions); n > 0 {
			text += " " + newestOf(r)
		}
	}
	return renderBadge(w, text, colour)
}

func renderBadge(w io.Writer, text, colour string) error {
	const label = "MCP"
	left, right := badgeWidth(label), badgeWidth(text)
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" role="img" aria-label="%[4]s: %[5]s">
  <title>%[4]s: %[5]s</title>
  <rect width="%[2]d" height="20" fill="#444"/>
  <rect x="%[2]d" width="%[3]d" height="20" fill="%[6]s"/>
  <g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
    <text x="%[7]g" y="14" textLength="%[9]d">%[4]s</text>
    <text x="%[8]g" y="14" textLength="%[10]d">%[5]s</text>
  </g>
</svg>
`, left+right, left, right, label, text, colour, float64(left)/2, float64(left)+float64(right)/2, left-badgeMargin, right-badgeMargin)
	return err
}

// newestOf is the newest revision that was judged, if it looks like one.
func newestOf(r Report) string {
	for _, c := range Columns(r.Results) {
		if len(c.Revision) == len("2006-01-02") && strings.Trim(c.Revision, "0123456789-") == "" {
			return c.Revision
		}
	}
	return ""
}

func badgeWidth(text string) int { return len(text)*badgeChar/10 + badgeMargin }
