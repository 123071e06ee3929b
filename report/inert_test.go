package report

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// assertGraphic fails where text holds anything but graphic characters, spaces and newlines.
func assertGraphic(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Error("not valid UTF-8")
	}
	for i, r := range text {
		if r != '\n' && !unicode.IsGraphic(r) {
			t.Fatalf("control or format character %U in %q", r, text[max(0, i-20):min(len(text), i+20)])
		}
	}
}

var ownColour = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestHostileTerminalIsInert(t *testing.T) {
	for _, o := range []TerminalOptions{{}, {Quiet: true}, {Verbose: 1}, {Verbose: 2}, {Width: 40}, {Width: 120, Verbose: 2}} {
		t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) {
			plain := rendered(t, "text", hostileReport(), Options{Terminal: o})
			assertGraphic(t, plain)
			o.Color = true
			coloured := rendered(t, "text", hostileReport(), Options{Terminal: o})
			if coloured == plain {
				t.Error("no colour")
			}
			if ownColour.ReplaceAllString(coloured, "") != plain {
				t.Error("colour changes more than colour")
			}
		})
	}
}

func TestTerminalFitsWidth(t *testing.T) {
	for _, r := range []Report{hostileReport(), cleanReport(), interruptedReport(), diagnosisReport()} {
		for _, width := range []int{60, 80, 100, 120} {
			for verbose := range 3 {
				text := rendered(t, "text", r, Options{Terminal: TerminalOptions{Width: width, Verbose: verbose}})
				for line := range strings.SplitSeq(text, "\n") {
					copied := strings.Contains(line, "clause    https://") || strings.Contains(line, "curl ") ||
						strings.HasPrefix(strings.TrimSpace(line), "-d ") || strings.HasPrefix(line, "        mcpcheck --header") || strings.HasPrefix(line, "the same command with -v")
					if displayWidth(line) > width && !copied {
						t.Errorf("width %d, verbose %d: %d columns: %s", width, verbose, displayWidth(line), line)
					}
					if strings.TrimRight(line, " ") != line {
						t.Errorf("trailing space: %q", line)
					}
				}
				if strings.Contains(text, "\n\n\n") || strings.HasPrefix(text, "\n") || strings.HasSuffix(text, "\n\n") {
					t.Errorf("width %d, verbose %d: stray blank lines", width, verbose)
				}
			}
		}
	}
}

func TestTerminalKeepsCurlWhole(t *testing.T) {
	r := hostileReport()
	text := rendered(t, "text", r, Options{Terminal: TerminalOptions{Verbose: 1}})
	for _, f := range Findings(r.Results) {
		for line := range strings.SplitSeq(f.Curl, "\n") {
			if !strings.Contains(text, line+"\n") {
				t.Errorf("broken or missing: %s", line)
			}
		}
	}
}

func TestHostileJUnitIsInert(t *testing.T) {
	r := hostileReport()
	for _, row := range []struct {
		name     string
		options  JUnitOptions
		failures int
	}{
		{"default", JUnitOptions{}, r.Summary.Fail},
		{"strict", JUnitOptions{Strict: true}, r.Summary.Fail + r.Summary.Warn},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := rendered(t, "junit", r, Options{JUnit: row.options})
			assertGraphic(t, text)
			var suites junitSuites
			if err := xml.Unmarshal([]byte(text), &suites); err != nil {
				t.Fatal(err)
			}
			cases, failures, errors, skipped := 0, 0, 0, 0
			skippedBySuites := 0
			for _, s := range suites.Suites {
				skippedBySuites += s.Skipped
				for _, c := range s.Cases {
					cases++
					if c.Failure != nil {
						failures++
					}
					if c.Error != nil {
						errors++
					}
					if c.Skipped != nil {
						skipped++
					}
				}
			}
			want := [4]int{len(r.Results), row.failures, r.Summary.Error, r.Summary.NotApplicable + r.Summary.NotObserved}
			if got := [4]int{cases, failures, errors, skipped}; got != want {
				t.Errorf("cases, failures, errors, skipped: %v, want %v", got, want)
			}
			if got := [4]int{suites.Tests, suites.Failures, suites.Errors, skippedBySuites}; got != want {
				t.Errorf("attributes: %v, want %v", got, want)
			}
			if suites.Suites[0].Name != "127.0.0.1:8931/mcp 2025-11-25 streamable-http" {
				t.Errorf("first suite is %q", suites.Suites[0].Name)
			}
			if !strings.Contains(suites.Suites[0].Properties[2].Value, `\x1b]0;owned\x07`) {
				t.Error("the name of the server is not shown")
			}
			lastOfLifecycle := suites.Suites[0].Cases[14]
			if lastOfLifecycle.Failure == nil || !strings.Contains(lastOfLifecycle.Failure.Text, "]]>&amp;<![CDATA[") {
				t.Errorf("text with ]]> did not survive: %+v", lastOfLifecycle)
			}
		})
	}
}

func TestHostileJSONIsInert(t *testing.T) {
	text := rendered(t, "json", hostileReport(), Options{})
	assertGraphic(t, text)
	if strings.Contains(text, "</script") {
		t.Error("ends a script element that it is put into")
	}
	if !json.Valid([]byte(text)) {
		t.Error("not JSON")
	}
}

var (
	codeSpan = regexp.MustCompile("`+")
	ownLink  = regexp.MustCompile(`\[Specification\]\(https://modelcontextprotocol\.io/[A-Za-z0-9./#-]+\)`)
	ownTags  = strings.NewReplacer("<details>", "", "</details>", "", "<summary>", "", "</summary>", "")
)

// proseOf returns what of a Markdown text is neither in a fenced block nor in a code span, read as CommonMark reads it.
func proseOf(t *testing.T, text string) string {
	t.Helper()
	var prose strings.Builder
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		ticks := len(line) - len(strings.TrimLeft(line, "`"))
		switch {
		case fence != "":
			if ticks >= len(fence) && strings.Trim(line, "` ") == "" {
				fence = ""
			}
		case ticks >= 3 && !strings.Contains(line[ticks:], "`"):
			fence = line[:ticks]
		default:
			prose.WriteString(withoutCodeSpans(line) + "\n")
		}
	}
	if fence != "" {
		t.Error("a fenced block is not closed")
	}
	return prose.String()
}

func withoutCodeSpans(line string) string {
	var out strings.Builder
	for {
		open := codeSpan.FindStringIndex(line)
		if open == nil {
			return out.String() + line
		}
		ticks := line[open[0]:open[1]]
		end := -1
		for _, run := range codeSpan.FindAllStringIndex(line[open[1]:], -1) {
			if run[1]-run[0] == len(ticks) {
				end = open[1] + run[1]
				break
			}
		}
		if end < 0 { // backticks that open nothing are text
			out.WriteString(line[:open[1]])
			line = line[open[1]:]
			continue
		}
		out.WriteString(line[:open[0]])
		line = line[end:]
	}
}

func TestHostileMarkdownIsInert(t *testing.T) {
	text := rendered(t, "markdown", hostileReport(), Options{})
	assertGraphic(t, text)
	prose := proseOf(t, text)
	if strings.Count(prose, "<details>") != strings.Count(prose, "</details>") {
		t.Error("<details> are not balanced")
	}
	prose = ownLink.ReplaceAllString(ownTags.Replace(prose), "")
	for _, bad := range []string{"<", ">", "@", "`", "://", "www.", "](", "octocat", "deadbeef1", ":tada:", "# Heading", "#1", "~~~"} {
		if strings.Contains(prose, bad) {
			t.Errorf("%q outside of code:\n%s", bad, prose)
		}
	}
	columns := -1
	for line := range strings.SplitSeq(prose, "\n") {
		if strings.HasPrefix(line, "|") {
			if n := strings.Count(line, "|"); columns >= 0 && n != columns {
				t.Errorf("%d pipes, want %d: %s", n, columns, line)
			} else {
				columns = n
			}
		}
	}
}

// TestEveryFieldIsEscaped puts hostile text into every string of a report, those of the tool's own words included: a report that
// was read from a file may have it anywhere.
func TestEveryFieldIsEscaped(t *testing.T) {
	all := func(r Report) Report {
		return escaped(r, func(s string) string { return s + hostileAll + hostileFence })
	}
	for _, r := range []Report{all(hostileReport()), all(diagnosisReport())} {
		for i := range r.Results {
			r.Results[i].Verdict = Verdicts()[i%len(Verdicts())]
		}
		for _, f := range Formats() {
			text := rendered(t, f.Name, r, Options{Terminal: TerminalOptions{Verbose: 2}})
			assertGraphic(t, text)
			switch f.Name {
			case "junit":
				if err := xml.Unmarshal([]byte(text), new(junitSuites)); err != nil {
					t.Error(err)
				}
			case "markdown":
				prose := ownTags.Replace(proseOf(t, text))
				for _, bad := range []string{"<", "@octocat", "](javascript", "evil.example"} {
					if strings.Contains(prose, bad) {
						t.Errorf("%q outside of code", bad)
					}
				}
			}
		}
	}
}

// TestTerminalGivesNoOrders: a CI runner that reads the output takes lines that begin with :: or ##[ for its commands, blanks before them
// aside, and a text may be wrapped at any word.
func TestTerminalGivesNoOrders(t *testing.T) {
	r := hostileReport()
	for i := range r.Results {
		r.Results[i].Message = "\n::error::one " + strings.Repeat("::warning::word ", 40)
		r.Results[i].Got, r.Results[i].Sent = "##[error]two\n::add-mask::three", "::stop-commands::four"
	}
	for _, o := range []TerminalOptions{{}, {Quiet: true}, {Verbose: 2}, {Width: 40}} {
		for line := range strings.Lines(rendered(t, "text", r, Options{Terminal: o})) {
			if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "::") || strings.HasPrefix(trimmed, "##[") {
				t.Fatalf("%+v: a line that a runner obeys: %q", o, line)
			}
		}
	}
}
