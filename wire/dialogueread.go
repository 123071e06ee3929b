package wire

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// ReadDialogue reads a conversation as text. Errors name the line, counted from 1.
func ReadDialogue(text string) (*Dialogue, error) {
	r := &dialogueReader{d: &Dialogue{}}
	for line := range strings.SplitSeq(text, "\n") {
		r.line++
		if err := r.read(strings.TrimSuffix(line, "\r")); err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
	}
	if err := r.endTurn(); err != nil {
		return nil, fmt.Errorf("line %d: %w", r.line, err)
	}
	return r.d, nil
}

type dialogueReader struct {
	d    *Dialogue
	line int
	turn *turn
	// sent and got are the lines of the exchange so far.
	sent, got half
}

// A half is what a request or a response has by now.
type half struct {
	begun, inBody bool
	first         string
	header        http.Header
	body          []byte
	loose         bool // the last line of the body has the line feed that may not belong to it
	chunks        []Chunk
}

func (r *dialogueReader) read(line string) error {
	switch {
	case line == "" || line[0] == '#':
		return nil
	case strings.HasPrefix(line, "== "):
		return r.beginTurn(line[3:])
	case line[0] == '>':
		return r.half(&r.sent, line[1:])
	case line[0] == '<':
		if r.turn != nil && r.turn.answer != nil {
			return errors.New("the response goes on behind its end")
		}
		return r.half(&r.got, line[1:])
	case strings.HasPrefix(line, "@ "):
		at, err := time.ParseDuration(line[2:])
		if err != nil || !r.got.inBody {
			return errors.New(`"@ TIME" says within the body of a response when the bytes so far were there`)
		}
		r.got.chunks = append(r.got.chunks, Chunk{End: int64(len(r.got.body)), At: at})
		return nil
	case strings.HasPrefix(line, ". "):
		return r.end(line[2:])
	}
	name, text, ok := strings.Cut(line, ":")
	if !ok || strings.ContainsAny(name, " \t") {
		return fmt.Errorf("%.40q is no line of a dialogue", line)
	}
	text, err := unquoted(strings.TrimSpace(text), name == "window" || name == "origin")
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if r.turn == nil {
		return r.d.add(field{name, text})
	}
	if r.sent.begun || r.got.begun {
		return fmt.Errorf("%s: such a line stands ahead of the request", name)
	}
	r.turn.fields = append(r.turn.fields, field{name, text})
	return new(Exchange).set(field{name, text})
}

// add takes a line about the transcript.
func (d *Dialogue) add(f field) error {
	if f.name == "without" {
		d.without = append(d.without, f.value)
		return nil
	}
	d.fields = append(d.fields, f)
	return new(Transcript).set(f)
}

func (r *dialogueReader) beginTurn(text string) error {
	if err := r.endTurn(); err != nil {
		return err
	}
	label, err := unquoted(text, false)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(r.d.turns, func(t *turn) bool { return t.label == label }) {
		return fmt.Errorf("there is an exchange %q already", label)
	}
	r.turn = &turn{label: label}
	r.d.turns = append(r.d.turns, r.turn)
	return nil
}

// half takes a line of a request or response, without its sign.
func (r *dialogueReader) half(h *half, line string) error {
	if r.turn == nil {
		return errors.New(`"== LABEL" begins an exchange`)
	}
	quoted := strings.HasPrefix(line, `"`)
	if !quoted && line != "" && line[0] != ' ' {
		return errors.New("a space follows the sign of a request or response")
	}
	plain := strings.TrimPrefix(line, " ")
	switch {
	case !h.begun && quoted:
		return errors.New("a body stands behind the first line of its request or response")
	case !h.begun:
		h.begun, h.first = true, plain
		return nil
	case !h.inBody && plain == "":
		h.inBody = true
		return nil
	case !h.inBody && !quoted && !beginsBody(plain):
		return h.addHeader(plain)
	}
	h.inBody = true
	if !quoted {
		h.body, h.loose = append(append(h.body, plain...), '\n'), true
		return nil
	}
	part, err := strconv.Unquote(line)
	if err != nil {
		return errors.New("a part of a body that is no Go string")
	}
	h.body, h.loose = append(h.body, part...), false
	return nil
}

// beginsBody tells that a line can be no header field, so that no empty line has to come before it.
func beginsBody(line string) bool {
	return strings.HasPrefix(line, "{") || strings.HasPrefix(line, "[")
}

func (h *half) addHeader(line string) error {
	name, rest, ok := strings.Cut(line, ":")
	if strings.HasPrefix(line, `"`) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return errors.New("a header field whose name is no Go string")
		}
		name, _ = strconv.Unquote(quoted)
		rest, ok = strings.CutPrefix(line[len(quoted):], ":")
	}
	if !ok {
		return fmt.Errorf("%.40q is no header field", line)
	}
	text, err := unquoted(strings.TrimSpace(rest), false)
	if err != nil {
		return err
	}
	if h.header == nil {
		h.header = http.Header{}
	}
	h.header[name] = append(h.header[name], text)
	return nil
}

// bytes returns the body: the lines of one that is no event stream have line feeds between them.
func (h *half) bytes(stream bool) []byte {
	if h.loose && !stream {
		return h.body[:len(h.body)-1]
	}
	return h.body
}

func (r *dialogueReader) end(text string) error {
	if r.turn == nil || r.turn.answer != nil {
		return errors.New("an exchange has one end")
	}
	words, err := readWords(text)
	if err != nil {
		return err
	}
	by := EndedBy(words[0])
	if !slices.Contains([]EndedBy{ByServer, ByClient, ByTimeout, ByError, ByLimit}, by) {
		return fmt.Errorf("an exchange is ended by %s, %s, %s, %s or %s, not by %q", ByServer, ByClient, ByTimeout, ByError, ByLimit, words[0])
	}
	a := &turnAnswer{endedBy: by}
	if len(words) > 1 {
		words = append(words, "", "", "")
		a.err = &NetError{Kind: ErrorKind(words[1]), Message: words[2], Phase: words[3], Reason: words[4]}
	}
	r.turn.answer = a
	return nil
}

func (r *dialogueReader) endTurn() error {
	sent, got := r.sent, r.got
	r.sent, r.got = half{}, half{}
	if r.turn == nil {
		return nil
	}
	if sent.begun {
		method, url, err := cutWord(sent.first)
		if err != nil {
			return err
		}
		if url == "" {
			url = DefaultURL
		} else if url, err = unquoted(url, false); err != nil {
			return err
		}
		r.turn.request = &Request{Method: method, URL: url, Header: sent.header, Body: NewBody(sent.bytes(false))}
	}
	if got.begun {
		if r.turn.answer == nil {
			r.turn.answer = &turnAnswer{endedBy: ByServer}
		}
		response, err := got.response()
		if err != nil {
			return err
		}
		r.turn.answer.response = response
	}
	return nil
}

func (h *half) response() (*Response, error) {
	r := &Response{Proto: "HTTP/1.1", Header: h.header}
	word, rest, _ := strings.Cut(h.first, " ")
	if strings.HasPrefix(word, "HTTP/") {
		r.Proto = word
		word, rest, _ = strings.Cut(rest, " ")
	}
	status, err := strconv.Atoi(word)
	if err != nil {
		return nil, fmt.Errorf("a response begins with its status, not %.40q", h.first)
	}
	r.Status = status
	if rest != "" {
		media, err := unquoted(rest, false)
		if err != nil {
			return nil, err
		}
		if r.Header == nil {
			r.Header = http.Header{}
		}
		r.Header["Content-Type"] = append([]string{media}, r.Header["Content-Type"]...)
	}
	body := h.bytes((&Exchange{Response: r}).IsSSE())
	r.Body = NewBody(body)
	last := int64(0)
	for _, c := range h.chunks {
		if c.End = min(c.End, int64(len(body))); c.End > last { // one that brings nothing is none
			r.Chunks, last = append(r.Chunks, c), c.End
		}
	}
	return r, nil
}

// unquoted reads a value: a Go string where it begins with a quotation mark, unless it is one of several words.
func unquoted(s string, words bool) (string, error) {
	if words || !strings.HasPrefix(s, `"`) {
		if !utf8.ValidString(s) {
			return "", errors.New("what is not UTF-8 is written as a Go string")
		}
		return s, nil
	}
	u, err := strconv.Unquote(s)
	if err != nil || s[0] != '"' {
		return "", fmt.Errorf("%.40s is no Go string", s)
	}
	return u, nil
}

// cutWord takes a word or Go string off the beginning of a line.
func cutWord(s string) (word, rest string, err error) {
	if !strings.HasPrefix(s, `"`) {
		word, rest, _ = strings.Cut(s, " ")
		return word, strings.TrimLeft(rest, " "), nil
	}
	quoted, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", "", fmt.Errorf("%.40s is no Go string", s)
	}
	word, err = strconv.Unquote(quoted)
	return word, strings.TrimLeft(s[len(quoted):], " "), err
}

// readWords splits a line into words and Go strings; there is at least one.
func readWords(s string) (words []string, err error) {
	for s = strings.TrimLeft(s, " "); s != ""; {
		var word string
		if word, s, err = cutWord(s); err != nil {
			return nil, err
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		return nil, errors.New("something is missing")
	}
	return words, nil
}
