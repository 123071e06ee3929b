package report

import (
	"fmt"
	"html/template"
	"strings"
)

// htmlExchange is an exchange of a wire log, or a pointer to where the same one stands already.
type htmlExchange struct {
	Anchor   string
	Title    string
	SameAs   string
	Messages []htmlMessage
}

// htmlMessage is what was sent, or came, at one time.
type htmlMessage struct {
	Class, Word, Time string
	First             string // the line of the request or the status
	Header            []htmlHeader
	Text              string
}

type htmlHeader struct {
	Name, Value string
}

// exchanges are the wire logs of a finding, and what to say about those that are left out.
func (v *htmlView) exchanges(evidence []Evidence, anchor string) (shown []htmlExchange, more string) {
	for i, e := range evidence {
		if i == htmlExchanges || v.wire > htmlWireBudget {
			return shown, counted(len(evidence)-i, "more exchange") + " in the JSON report."
		}
		x := htmlExchange{Anchor: fmt.Sprintf("%s_x%d", anchor, i+1), Title: shorten(wireTitle(e), wireHeaderBytes)}
		if x.Title == "" {
			x.Title = "exchange"
		}
		if e.Response != nil {
			response := *e.Response
			response.Body = shorten(response.Body, htmlBodyBytes)
			e.Response = &response
		}
		e.Request.Body = shorten(e.Request.Body, htmlBodyBytes)
		log := wireLog(e)
		text := fmt.Sprint(log)
		if same, known := v.seen[text]; known {
			x.SameAs = same
		} else {
			v.seen[text] = x.Anchor
			v.wire += len(template.HTMLEscapeString(text))
			x.Messages = htmlMessages(log)
		}
		shown = append(shown, x)
	}
	return shown, ""
}

// htmlMessages groups the lines of a log: a line with a time, or of another kind, starts a message.
func htmlMessages(log []wireLine) []htmlMessage {
	var messages []htmlMessage
	for i := 0; i < len(log); {
		end := i + 1
		for end < len(log) && log[end].sign == log[i].sign && log[end].time == "" && log[i].time != "" {
			end++
		}
		var lines []string
		for _, l := range log[i:end] {
			lines = append(lines, l.text)
		}
		messages = append(messages, htmlMessageOf(log[i], lines))
		i = end
	}
	return messages
}

func htmlMessageOf(first wireLine, lines []string) htmlMessage {
	m := htmlMessage{Time: first.time}
	switch first.sign {
	case '>':
		m.Class, m.Word = "sent", "sent"
	case '<':
		m.Class, m.Word = "received", "received"
	case '*':
		m.Class, m.Word = "event", "event"
	case '#':
		m.Class, m.Word = "remark", "look here"
	default:
		m.Class, m.Word = "end", "end"
	}
	if first.sign == '>' || first.sign == '<' {
		m.First, lines = lines[0], lines[1:]
		for len(lines) > 0 && lines[0] != "" {
			name, value, _ := strings.Cut(lines[0], ":")
			m.Header = append(m.Header, htmlHeader{name, value})
			lines = lines[1:]
		}
		if len(lines) > 0 {
			lines = lines[1:] // the empty line behind the head
		}
	}
	m.Text = strings.Join(lines, "\n")
	return m
}
