package wire

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Dialogue writes the transcript as text, which ReadDialogue reads. Everything is there but chunks beyond the bytes that are known.
func (t *Transcript) Dialogue() string {
	w := &dialogueWriter{}
	w.said("script", t.Script)
	w.said("subject", t.Subject)
	w.said("revision", t.Revision)
	w.said("transport", t.Transport)
	if t.Attempt != 1 {
		w.field("attempt", strconv.Itoa(t.Attempt))
	}
	w.flag("shared", t.Shared)
	w.said("session", t.Session.ID)
	w.said("negotiated", t.Session.Negotiated)
	w.flag("opened", t.Session.Opened)
	if !t.Started.Equal(DefaultStart) {
		w.field("started", t.Started.UTC().Format(time.RFC3339Nano))
	}
	if t.Duration != 0 {
		w.field("duration", t.Duration.String())
	}
	w.said("died", t.Died)
	w.said("aborted", t.Aborted)
	w.flag("superseded", t.Superseded)
	for _, v := range t.Windows {
		line := fmt.Sprintf("%s %v to %v want %v", strconv.Quote(v.Stream), v.From, v.To, v.Want)
		if v.Marker != "" {
			line += " after " + strconv.Quote(v.Marker)
		}
		w.raw("window", line)
	}
	derived := &Transcript{Exchanges: make([]*Exchange, len(t.Exchanges))}
	for i, x := range t.Exchanges {
		derived.Exchanges[i] = &Exchange{Label: x.Label, Request: x.Request}
	}
	deriveOrigins(derived)
	var now time.Duration
	for _, x := range t.Lent {
		w.exchange(x, Origin{}, now)
		now = max(now, x.Sent+step, x.End+step)
	}
	for i, x := range t.Exchanges {
		w.exchange(x, derived.Exchanges[i].Origin, now)
		now = max(now, x.Sent+step, x.End+step)
	}
	return w.b.String()
}

type dialogueWriter struct{ b strings.Builder }

func (w *dialogueWriter) line(s string) { w.b.WriteString(s + "\n") }

// raw writes a line whose value is words and Go strings already.
func (w *dialogueWriter) raw(name, words string) { w.line(name + ": " + words) }

func (w *dialogueWriter) field(name, value string) { w.line(name + ": " + quoted(value, "")) }

// said writes a value that is not the default.
func (w *dialogueWriter) said(name, value string) {
	if value != "" {
		w.field(name, value)
	}
}

func (w *dialogueWriter) flag(name string, on bool) {
	if on {
		w.line(name + ": yes")
	}
}

func (w *dialogueWriter) exchange(x *Exchange, derived Origin, now time.Duration) {
	w.line("== " + named(x.Label))
	w.said("broken", x.Broken)
	if o := x.Origin; o != derived && o != (Origin{}) {
		w.raw("origin", o.words())
	}
	w.said("stream", x.Stream)
	w.said("host", x.Request.Host)
	if x.Conn != 0 || x.Reused {
		w.line("conn: " + strconv.Itoa(x.Conn) + map[bool]string{true: " reused"}[x.Reused])
	}
	usual := &Exchange{Sent: now, Response: x.Response}
	if usual.times(nil); usual.Sent != x.Sent || usual.Head != x.Head || usual.End != x.End {
		w.line(fmt.Sprintf("at: %v %v %v", x.Sent, x.Head, x.End))
	}
	w.said("unparsed", string(x.Unparsed))
	body := x.Request.Body.Bytes()
	if x.Request.Body.Size() != int64(len(body)) {
		w.field("sent-size", strconv.FormatInt(x.Request.Body.Size(), 10))
	}
	if r := x.Response; r != nil {
		for _, head := range r.Interim {
			w.field("interim", string(head))
		}
		w.said("surplus", string(r.Surplus))
		w.said("head", string(r.RawHead))
		if body := r.Body.Bytes(); r.Body.Size() != int64(len(body)) {
			w.field("size", strconv.FormatInt(r.Body.Size(), 10))
		}
	}
	first := "> " + quoted(x.Request.Method, " ")
	if x.Request.URL != DefaultURL {
		first += " " + named(x.Request.URL)
	}
	w.line(first)
	w.header('>', x.Request.Header)
	w.body('>', body, nil, false)
	if x.Response != nil {
		w.response(x)
	}
	w.end(x)
}

func (w *dialogueWriter) response(x *Exchange) {
	r := x.Response
	first := "<"
	if r.Proto != "HTTP/1.1" && strings.HasPrefix(r.Proto, "HTTP/") && plainText(r.Proto) && !strings.Contains(r.Proto, " ") {
		first += " " + r.Proto
	}
	first += " " + strconv.Itoa(r.Status)
	header := r.Header
	if media := header["Content-Type"]; len(media) == 1 && media[0] != "" {
		first += " " + quoted(media[0], "")
		header = maps.Clone(header)
		delete(header, "Content-Type")
	}
	w.line(first)
	w.header('<', header)
	w.body('<', r.Body.Bytes(), r.Chunks, x.IsSSE())
}

func (w *dialogueWriter) header(sign byte, h http.Header) {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, v := range h[name] {
			written := name
			if !token(name) {
				written = strconv.Quote(name)
			}
			w.line(strings.TrimRight(fmt.Sprintf("%c %s: %s", sign, written, quoted(v, "")), " "))
		}
	}
}

// body writes a body in lines. Where a line is no plain text, or a chunk ends within it, it is a Go string.
func (w *dialogueWriter) body(sign byte, body []byte, chunks []Chunk, stream bool) {
	if len(body) == 0 {
		return
	}
	text := string(body)
	if !stream {
		text += "\n" // which the last line does not have
	}
	begun := false
	for from := 0; from < len(body) || from == len(body) && !stream && body[from-1] == '\n'; {
		to := min(from+strings.IndexByte(text[from:]+"\n", '\n')+1, len(text))
		if i := slices.IndexFunc(chunks, func(c Chunk) bool { return c.End > int64(from) }); i >= 0 && chunks[i].End < int64(min(to, len(body))) {
			to = int(chunks[i].End)
		}
		line, whole := strings.CutSuffix(text[from:to], "\n")
		switch plain := whole && plainText(line); {
		case plain && !begun && !beginsBody(line):
			w.line(string(sign))
			fallthrough
		case plain:
			w.line(strings.TrimRight(string(sign)+" "+line, " "))
		default:
			w.line(string(sign) + strconv.Quote(text[from:min(to, len(body))]))
		}
		begun = true
		for _, c := range chunks {
			if c.End > int64(from) && c.End <= int64(to) {
				w.line("@ " + c.At.String())
			}
		}
		from = to
	}
}

func (w *dialogueWriter) end(x *Exchange) {
	if x.Error == nil && x.Response != nil && (x.EndedBy == ByServer || x.EndedBy == "") {
		return
	}
	by := x.EndedBy
	if by == "" {
		by = ByServer
	}
	line := ". " + string(by)
	if e := x.Error; e != nil {
		line += " " + quoted(string(e.Kind), " ") + " " + strconv.Quote(e.Message)
		if e.Phase != "" || e.Reason != "" {
			line += " " + quoted(e.Phase, " ")
		}
		if e.Reason != "" {
			line += " " + quoted(e.Reason, " ")
		}
	}
	w.line(line)
}

// words writes an origin.
func (o Origin) words() string {
	line := quoted(string(o.Kind), " ")
	if o.Number != 0 {
		line += " " + strconv.Itoa(o.Number)
	}
	if o.Of != "" {
		line += " of " + strconv.Quote(o.Of)
	}
	if o.Repeat != 0 {
		line += " #" + strconv.Itoa(o.Repeat)
	}
	return line
}

// quoted returns a value as it is where that can be read back, and as a Go string otherwise; one with any of the characters in but too.
func quoted(s, but string) string {
	if s == "" && but == "" {
		return ""
	}
	if s == "" || s[0] == '"' || s[0] == ' ' || s[len(s)-1] == ' ' || !plainText(s) || strings.ContainsAny(s, but) {
		return strconv.Quote(s)
	}
	return s
}

// named is quoted for what is there even when it is empty.
func named(s string) string {
	if s == "" {
		return `""`
	}
	return quoted(s, "")
}

// plainText tells that a line reads back as it is written. A space at the end would be lost in editors.
func plainText(s string) bool {
	if !utf8.ValidString(s) || strings.HasSuffix(s, " ") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r == '\uFEFF' || r == '\u2028' || r == '\u2029' || !unicode.IsPrint(r)
	})
}

// token tells that a name can stand ahead of a colon.
func token(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~") == ""
}
