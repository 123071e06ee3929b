package report

import (
	"strings"
	"unicode"

	"github.com/fatih/color"
)

// displayWidth is the number of terminal columns that s takes: two for East Asian wide characters and emoji, none for combining
// marks. It looks at no locale, so that a report is the same everywhere.
func displayWidth(s string) int {
	width := 0
	for _, r := range s {
		width += runeWidth(r)
	}
	return width
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf && r != 0x303f, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6,
		r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// Cut shortens a line to so many columns of a terminal; 0 and less leave it as it is.
func Cut(s string, width int) string {
	if width <= 0 {
		return s
	}
	return cut(s, width)
}

// cut shortens s to width columns, ending in "..." when something is lost.
func cut(s string, width int) string {
	if displayWidth(s) <= width {
		return s
	}
	head, _ := splitAt(s, max(width-3, 1))
	return strings.TrimRight(head, " ") + "..."
}

// splitAt cuts s after at most width columns; the head has at least one rune.
func splitAt(s string, width int) (head, rest string) {
	used := 0
	for i, r := range s {
		used += runeWidth(r)
		if used > width && i > 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// Wrap breaks s into lines of at most width columns, between words where it can be.
func Wrap(s string, width int) []string { return wrap(s, width) }

// wrap breaks s into lines of at most width columns: at the newlines of s, between words, and inside a word only where it is
// longer than a line.
func wrap(s string, width int) []string {
	width = max(width, 8)
	var lines []string
	for paragraph := range strings.SplitSeq(strings.Trim(s, "\n"), "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && displayWidth(line)+1+displayWidth(word) > width {
				lines, line = append(lines, line), ""
			}
			if line != "" {
				line += " "
			}
			line += word
			for displayWidth(line) > width {
				var head string
				head, line = splitAt(line, width)
				lines = append(lines, head)
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// wrapHard breaks every line of s at exactly width columns; it shows bytes, so nothing is trimmed or moved.
func wrapHard(s string, width int) []string {
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		for displayWidth(line) > width {
			var head string
			head, line = splitAt(line, width)
			lines = append(lines, head)
		}
		lines = append(lines, line)
	}
	return lines
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-displayWidth(s)))
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-displayWidth(s))) + s
}

// A paint colours text, or leaves it alone. Text is padded before it is painted, so that widths are those of what is seen.
type paint func(string) string

// A palette has all colours of the terminal report. They only support words that stand there anyway.
type palette struct {
	fail, warn, note, err, pass, bold, faint paint
}

func newPalette(on bool) palette {
	paintWith := func(attributes ...color.Attribute) paint {
		c := color.New(attributes...)
		c.DisableColor()
		if on {
			c.EnableColor() // decided by the caller, not by what package color finds in the environment
		}
		return func(s string) string {
			if strings.TrimSpace(s) == "" {
				return s
			}
			return c.Sprint(s)
		}
	}
	return palette{
		fail: paintWith(color.FgRed, color.Bold), warn: paintWith(color.FgYellow, color.Bold), note: paintWith(color.FgCyan),
		err: paintWith(color.FgMagenta, color.Bold), pass: paintWith(color.FgGreen), bold: paintWith(color.Bold),
		faint: paintWith(color.Faint),
	}
}

func (p palette) of(v Verdict) paint {
	switch v {
	case Fail:
		return p.fail
	case Warn:
		return p.warn
	case Note:
		return p.note
	case Error:
		return p.err
	case Pass:
		return p.pass
	}
	return p.faint
}

// A gridCell is one cell of a grid: pieces of text, each with its own colour.
type gridCell struct {
	pieces []piece
	right  bool // aligned to the right
}

type piece struct {
	text  string
	paint paint
}

func (c gridCell) width() int {
	width := 0
	for _, p := range c.pieces {
		width += displayWidth(p.text)
	}
	return width
}

func textCell(text string, paint paint) gridCell {
	return gridCell{pieces: []piece{{text, paint}}}
}

func numberCell(text string, paint paint) gridCell {
	return gridCell{pieces: []piece{{text, paint}}, right: true}
}

// gridWidths are the widths of the columns of rows.
func gridWidths(rows [][]gridCell) []int {
	var widths []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], c.width())
		}
	}
	return widths
}

// gridWidth is how wide rows are when laid out.
func gridWidth(rows [][]gridCell) int {
	total := -2
	for _, w := range gridWidths(rows) {
		total += w + 2
	}
	return max(total, 0)
}

// grid lays out rows in columns two spaces apart, without trailing spaces.
func grid(rows [][]gridCell) []string {
	widths := gridWidths(rows)
	lines := make([]string, 0, len(rows))
	for _, row := range rows {
		var b strings.Builder
		gap := 0 // spaces owed; written only when text follows
		for i, c := range row {
			fill := widths[i] - c.width()
			if c.right {
				gap += fill
			}
			for _, p := range c.pieces {
				if p.text == "" {
					continue
				}
				b.WriteString(strings.Repeat(" ", gap))
				gap = 0
				if p.paint == nil {
					b.WriteString(p.text)
				} else {
					b.WriteString(p.paint(p.text))
				}
			}
			if !c.right {
				gap += fill
			}
			gap += 2
		}
		lines = append(lines, b.String())
	}
	return lines
}
