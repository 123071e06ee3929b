package report

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for _, row := range []struct{ name, in, want string }{
		{"plain", "Grüße, 世界 🙂", "Grüße, 世界 🙂"},
		{"newline and tab stay", "a\n\tb", "a\n\tb"},
		{"escape", "\x1b[31m", `\x1b[31m`},
		{"carriage return", "a\r\n", `a\r` + "\n"},
		{"nul and del", "\x00\x7f", `\x00\x7f`},
		{"C1 as a character", "\u009b", `\u009b`},
		{"C1 as a byte", "\x9b", `\x9b`},
		{"bidi", "\u202e\u2066", `\u202e\u2066`},
		{"zero width, BOM, line separator", "\u200b\ufeff\u2028", `\u200b\ufeff\u2028`},
		{"tags", "\U000e0041", `\U000e0041`},
		{"noncharacter", "\uffff", `\uffff`},
		{"half a character", "\xe4\xb8", `\xe4\xb8`},
		{"replacement character is one", "\ufffd", "\ufffd"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := Visible(row.in); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

func TestMarkdownText(t *testing.T) {
	for _, row := range []struct{ name, in, want string }{
		{"plain", "status 200, not 400 (as in 2025-06-18)", "status 200, not 400 (as in 2025-06-18)"},
		{"mention", "ask @octocat now", "ask `@octocat` now"},
		{"JSON is one span", `got {"a": 1, "b": 2} here`, "got `{\"a\": 1, \"b\": 2}` here"},
		{"backticks", "a `b` c", "a `` `b` `` c"},
		{"far apart", "<a> is not at all the same as <b>", "`<a>` is not at all the same as `<b>`"},
		{"issue", "see #12 and GH-12", "see `#12 and GH-12`"},
		{"commit", "at deadbeef1.", "at `deadbeef1.`"},
		{"link", "(https://evil.example)", "`(https://evil.example)`"},
		{"link without a scheme", "(www.evil.example)", "`(www.evil.example)`"},
		{"list", "- item", `\- item`},
		{"numbered list", "1. item", `1\. item`},
		{"underline of a heading", "===", `\===`},
		{"newlines", "a\n\n# b", "a `#` b"},
		{"empty", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := markdownText(row.in); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}

func TestMarkdownCell(t *testing.T) {
	if got, want := markdownCell("a|b"), "`a\\|b`"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMarkdownFence(t *testing.T) {
	for _, row := range []struct{ name, in, want string }{
		{"short", "x", "```sh\nx\n```\n"},
		{"longer than what is inside", "a\n`````\nb\n\n", "``````sh\na\n`````\nb\n``````\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := markdownFence("sh", row.in); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

func TestMarkdownLink(t *testing.T) {
	if got, want := markdownLink("x", "https://a.example/b#c"), "[x](https://a.example/b#c)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, address := range []string{"javascript:alert(1)", "https://a.example/)[x](http://b", "https://a.example/ x", "http://a.example"} {
		if got := markdownLink("x", address); strings.HasPrefix(got, "[") {
			t.Errorf("%q became a link: %s", address, got)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, row := range []struct {
		name, in string
		width    int
		want     string
	}{
		{"words", "one two three four", 10, "one two|three four"},
		{"long word", "a bbbbbbbbbbbbbbbbbbbbbbb c", 10, "a|bbbbbbbbbb|bbbbbbbbbb|bbb c"},
		{"newlines stay", "a\nb", 10, "a|b"},
		{"wide characters", "世界世界世界", 8, "世界世界|世界"},
		{"empty", "", 10, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := strings.Join(wrap(row.in, row.width), "|"); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}

func TestShortenKeepsCharactersWhole(t *testing.T) {
	if got, want := shorten("ab世界", 4), "ab... (8 bytes)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func FuzzEscape(f *testing.F) {
	f.Add(hostileAll)
	f.Add(hostileFence)
	f.Fuzz(func(t *testing.T, s string) {
		visible := Visible(s)
		if !utf8.ValidString(visible) {
			t.Errorf("%q: not UTF-8", visible)
		}
		for _, r := range visible {
			if r != '\n' && r != '\t' && !unicode.IsGraphic(r) {
				t.Errorf("%q: %U", visible, r)
			}
		}
		if prose := withoutCodeSpans(markdownText(visible)); strings.ContainsAny(prose, "<>@`#[]|*_") {
			t.Errorf("%q: prose %q", s, prose)
		}
		proseOf(t, markdownFence("", visible)) // fails where the block does not close
		for _, line := range wrap(terminalText(s), 20) {
			if displayWidth(line) > 20 {
				t.Errorf("%q: line %q", s, line)
			}
		}
	})
}
