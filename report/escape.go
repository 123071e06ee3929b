package report

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Everything in a report may come from a hostile server. A renderer therefore escapes the whole report first (escaped), for the
// format that it writes, instead of trusting itself to remember each field.

// Visible writes everything that has no shape of its own as an escape that shows: control characters (\x1b), bidirectional and
// other format characters (\u202e), private and unassigned ones, and bytes that are no UTF-8 (\xff). Newlines and tabs stay. The
// result is valid UTF-8, legal in XML 1.0, and does nothing to a terminal. It is for eyes: a backslash of the input stays as it
// is, so the escape cannot be undone.
func Visible(s string) string {
	return escapeRunes(s, func(r rune) bool { return r == '\n' || r == '\t' || unicode.IsGraphic(r) })
}

// visibleBytes makes only bytes that are no UTF-8 visible; what else is odd, JSON can say itself.
func visibleBytes(s string) string {
	return escapeRunes(s, func(rune) bool { return true })
}

func escapeRunes(s string, keep func(rune) bool) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case keep(r):
			b.WriteString(s[i : i+size])
		case r == '\r':
			b.WriteString(`\r`)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += size
	}
	return b.String()
}

// terminalText is Visible without tabs, whose width depends on the column that they stand in, and without words that a CI runner which
// reads the output takes for its commands (GitHub: "::error::", "##[error]"), wherever on a line they come to stand.
func terminalText(s string) string {
	return commandWord.ReplaceAllStringFunc(strings.ReplaceAll(Visible(s), "\t", "    "), func(word string) string {
		mark := strings.TrimLeft(word, " \n")
		return strings.TrimSuffix(word, mark) + fmt.Sprintf(`\x%02x`, mark[0]) + mark[1:]
	})
}

var commandWord = regexp.MustCompile(`(^|[ \n])(::|##\[)`)

// oneLine folds all white space into single spaces, for places where a newline would break the layout or start a block.
func oneLine(s string) string {
	return strings.Join(strings.Fields(s), " ")
}

// escaped returns a deep copy of r with f applied to every string in it. Nil slices become empty ones, so that JSON shows [].
func escaped(r Report, f func(string) string) Report {
	return mapStrings(reflect.ValueOf(r), f).Interface().(Report)
}

func mapStrings(v reflect.Value, f func(string) string) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		out.SetString(f(v.String()))
	case reflect.Slice:
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(mapStrings(v.Index(i), f))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(mapStrings(v.Elem(), f))
		}
	case reflect.Struct:
		out.Set(v) // time.Time has unexported fields and no text of the server
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(mapStrings(v.Field(i), f))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for _, key := range v.MapKeys() {
				out.SetMapIndex(mapStrings(key, f), mapStrings(v.MapIndex(key), f))
			}
		}
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(mapStrings(v.Elem(), f))
		}
	default:
		out.Set(v)
	}
	return out
}

// jsonASCIIControls rewrites encoded JSON so that it is safe to look at: outside of strings JSON is ASCII, so a rune that is not
// graphic stands in a string and may be written as \uXXXX. encoding/json itself leaves DEL, C1 and bidi controls as they are.
func jsonASCIIControls(encoded []byte) []byte {
	out := make([]byte, 0, len(encoded))
	for i := 0; i < len(encoded); {
		r, size := utf8.DecodeRune(encoded[i:])
		switch {
		case r < 0x7f || unicode.IsGraphic(r):
			out = append(out, encoded[i:i+size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += size
	}
	return out
}

// markdownRisk finds words that Markdown, or GitHub on top of it, could read as more than text: any markup character, mentions,
// issue and commit references, links, emoji names.
var markdownRisk = regexp.MustCompile("(?i)" +
	"[`*_{}\\[\\]<>#|~^$@&\\\\]" +
	"|://|^\\W*www\\.|^\\W*gh-\\d|:[a-z0-9+-]+:|^\\W*[0-9a-f]{7,40}\\W*$")

// markdownGap is how many harmless words between two risky ones still go into the same code span: `{"a": 1, "b": 2}` is one thing.
const markdownGap = 3

// markdownText makes s safe as a paragraph or list item: words that could act become code spans, in which nothing does, and the
// rest stays readable text. One line.
func markdownText(s string) string {
	words := strings.Fields(s)
	var out []string
	for i := 0; i < len(words); {
		if !markdownRisk.MatchString(words[i]) {
			out = append(out, words[i])
			i++
			continue
		}
		end := i + 1 // behind the last risky word of this span
		for j := end; j < len(words) && j <= end+markdownGap; j++ {
			if markdownRisk.MatchString(words[j]) {
				end = j + 1
			}
		}
		out = append(out, markdownCode(strings.Join(words[i:end], " ")))
		i = end
	}
	text := strings.Join(out, " ")
	// A paragraph must not turn into a list, a rule or the underline of a heading.
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") || strings.HasPrefix(text, "=") {
		return `\` + text
	}
	return listNumber.ReplaceAllString(text, `$1\$2`)
}

var listNumber = regexp.MustCompile(`^(\d+)([.)])`)

// markdownCode writes s as a code span whose backticks are longer than any run inside. One line; "" stays "".
func markdownCode(s string) string {
	s = oneLine(s)
	if s == "" {
		return ""
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// markdownCell is markdownText for a table, where GitHub looks for pipes before it looks for code spans.
func markdownCell(s string) string {
	return strings.ReplaceAll(markdownText(s), "|", `\|`)
}

// markdownFence writes s as a fenced block that nothing inside can close.
func markdownFence(language, s string) string {
	fence := strings.Repeat("`", max(3, longestRun(s, '`')+1))
	return fence + language + "\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n"
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		run++
		if s[i] != c {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// Redacted returns a copy of r in which every secret is replaced, wherever it stands.
func Redacted(r Report, secrets []string) Report {
	if len(secrets) == 0 {
		return r
	}
	var pairs []string
	for _, s := range secrets {
		pairs = append(pairs, s, "[redacted]")
	}
	return mapStrings(reflect.ValueOf(r), strings.NewReplacer(pairs...).Replace).Interface().(Report)
}
