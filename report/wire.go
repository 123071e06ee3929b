package report

import (
	"fmt"
	"strings"
)

// Limits of the wire log in reports for people; the JSON report has everything that was kept.
const (
	wireHeaderBytes = 240 // of one header line
	wireEventBytes  = 2048
	wireEvents      = 24
)

// A wireLine is one line of the log of an exchange. Sign says whose it is: > sent, < received, * an event, = about the end,
// # a remark of ours.
type wireLine struct {
	sign byte
	time string // since the request, on the first line of what came at that time
	text string
}

// wireTitle names an exchange: the script and its label, and which attempt it was where there were several.
func wireTitle(e Evidence) string {
	title := strings.Trim(oneLine(e.Script)+" / "+oneLine(e.Label), " /")
	if e.Attempt > 1 {
		title += fmt.Sprintf(", attempt %d", e.Attempt)
	}
	return title
}

// wireLog tells an exchange line by line.
func wireLog(e Evidence) []wireLine {
	var log []wireLine
	add := func(sign byte, atMS float64, text string) {
		stamp := relative(atMS - e.Request.AtMS)
		for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
			log = append(log, wireLine{sign, stamp, line})
			stamp = ""
		}
	}
	addMessage := func(sign byte, atMS float64, first string, header []string, body string) {
		lines := []string{first}
		for _, h := range header {
			lines = append(lines, shorten(oneLine(h), wireHeaderBytes))
		}
		if body != "" {
			lines = append(lines, "", body)
		}
		add(sign, atMS, strings.Join(lines, "\n"))
	}
	addMessage('>', e.Request.AtMS, oneLine(e.Request.Method+" "+e.Request.URL), e.Request.Header, e.Request.Body)
	if e.Response != nil {
		addMessage('<', e.Response.AtMS, fmt.Sprintf("HTTP %d", e.Response.Status), e.Response.Header, e.Response.Body)
	}
	for i, event := range e.Events {
		if i == wireEvents {
			log = append(log, wireLine{sign: '=', text: fmt.Sprintf("%d more events", len(e.Events)-i)})
			break
		}
		add('*', event.AtMS, shorten(event.Raw, wireEventBytes))
	}
	end := func(sign byte, text string) {
		if text = oneLine(text); text != "" {
			log = append(log, wireLine{sign: sign, text: text})
		}
	}
	end('=', e.Error)
	if e.EndedBy != "" {
		end('=', "ended by "+e.EndedBy)
	}
	if e.Truncated {
		end('=', "cut: not everything that was on the wire is shown")
	}
	end('#', askedOnce(e.AskedIn))
	end('#', e.Remark)
	return log
}

// askedOnce says that something is the same in every revision and was asked in that one only; empty where it was not.
func askedOnce(in string) string {
	if in == "" {
		return ""
	}
	return "asked once, in " + in + ", for all revisions"
}

// wireText is the log as plain text, for JUnit and Markdown.
func wireText(e Evidence) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", wireTitle(e))
	for _, l := range wireLog(e) {
		fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("%9s  %c %s", l.time, l.sign, l.text), " "))
	}
	return b.String()
}

// relative writes a time since the request; the request itself has none.
func relative(ms float64) string {
	switch {
	case ms == 0:
		return "0 ms"
	case ms < 1000 && ms > -1000:
		return fmt.Sprintf("%+.1f ms", ms)
	}
	return fmt.Sprintf("%+.2f s", ms/1000)
}

// shorten keeps the first limit bytes of s and says how long it was.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && s[limit]&0xc0 == 0x80 { // never inside a character
		limit--
	}
	return fmt.Sprintf("%s... (%d bytes)", s[:limit], len(s))
}

// counted writes "1 request", "2 requests".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
