// Package evidence shows exchanges to readers: as they were on the wire, cut to size and without session ids, and as lines of curl that send
// them again. It judges nothing.
package evidence

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// maxEvidence is how much of a body goes into a report; the transcript file has it whole.
const maxEvidence = 2 << 10

// maxEvents is how many events of a stream go into a report.
const maxEvents = 8

// maxHead is how many bytes of a head go into a report, maxField how many of one field.
const maxHead, maxField = 16 << 10, 2 << 10

// Of shows an exchange as it was on the wire, cut to size and without session ids, which are credentials while they live.
func Of(p kit.Place, remark string) report.Evidence {
	x := p.Exchange
	e := report.Evidence{Label: x.Label, EndedBy: string(x.EndedBy), Remark: remark}
	hide := func(s string) string { return s }
	if p.Transcript != nil {
		e.Script, e.Attempt = p.Transcript.Script, p.Transcript.Attempt
		hide = Hider(p.Transcript)
	}
	body, cut := excerpt(x.Request.Body)
	head, less := shortened(headerLines(x.Request.Header, hide))
	e.Truncated = cut || less
	e.Request = report.EvidenceRequest{
		Method: x.Request.Method, URL: x.Request.URL, Header: head, Body: hide(body), AtMS: ms(x.Sent),
	}
	if x.Request.Host != "" {
		e.Request.Header = append([]string{"Host: " + x.Request.Host}, e.Request.Header...)
	}
	if x.Error != nil {
		e.Error = fmt.Sprintf("%s: %s", x.Error.Kind, x.Error.Message)
	}
	if x.Response == nil {
		return e
	}
	head, less = shortened(responseHead(x.Response, hide))
	e.Response = &report.EvidenceResponse{Status: x.Status(), Header: head, AtMS: ms(x.Head)}
	if x.IsSSE() {
		e.Events, cut = events(x, p.Event, hide)
	} else {
		body, cut = excerpt(x.Response.Body)
		e.Response.Body = hide(body)
	}
	e.Truncated = e.Truncated || cut || less
	return e
}

// events shows the event that matters, or else the first ones.
func events(x *wire.Exchange, which int, hide func(string) string) ([]report.EvidenceEvent, bool) {
	all := x.Events()
	first, last := 0, min(len(all), maxEvents)
	if which >= 0 && which < len(all) {
		first, last = max(0, which-1), which+1
	}
	var shown []report.EvidenceEvent
	cut := first > 0 || last < len(all)
	for _, e := range all[first:last] {
		raw, c := excerpt(wire.NewBody(e.Raw))
		cut = cut || c
		shown = append(shown, report.EvidenceEvent{Raw: hide(raw), AtMS: ms(e.At)})
	}
	return shown, cut
}

func excerpt(b wire.Body) (string, bool) {
	raw := b.Bytes()
	if len(raw) <= maxEvidence {
		return string(raw), b.Truncated()
	}
	return string(raw[:runeEnd(raw, maxEvidence)]), true
}

// runeEnd is where a text may be cut that is to have n bytes at most.
func runeEnd[T string | []byte](text T, n int) int {
	cut := n
	for cut > max(0, n-utf8.UTFMax) && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return cut
}

// shortened are the fields of a head, cut to size.
func shortened(lines []string) (short []string, cut bool) {
	room := maxHead
	for _, line := range lines {
		if n := min(room, maxField); len(line) > n {
			line, cut = line[:runeEnd(line, n)], true
		}
		if line == "" {
			break
		}
		room -= len(line)
		short = append(short, line)
	}
	return short, cut
}

// responseHead prefers the raw head, which shows what a parser hides: spelling, order, repeated fields.
func responseHead(r *wire.Response, hide func(string) string) []string {
	if len(r.RawHead) == 0 {
		return headerLines(r.Header, hide)
	}
	lines := strings.Split(strings.TrimRight(string(r.RawHead), "\r\n"), "\n")
	var fields []string
	for _, line := range lines[1:] {
		fields = append(fields, hide(strings.TrimSuffix(line, "\r")))
	}
	return fields
}

func headerLines(h http.Header, hide func(string) string) []string {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	var lines []string
	for _, name := range names {
		for _, v := range h[name] {
			lines = append(lines, hide(name+": "+v))
		}
	}
	return lines
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
