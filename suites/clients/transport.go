package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func transport(s *kit.Section) {
	s.Passive("transport.client.post-per-message", postPerMessage)
	s.Passive("transport.client.accept-both", acceptBoth)
	s.Passive("transport.client.single-message", singleMessage)
	s.Passive("transport.client.get-accept", getAccept)
	s.Passive("transport.client.get-optional", getOptional)
	s.Passive("transport.client.content-type", contentType)
	s.Passive("transport.client.utf8", utf8Bodies)
	s.Passive("transport.client.cancel-explicit", cancelsByNotification)
	s.Passive("transport.client.unexpected-answer", unexpectedAnswer)
	s.Passive("transport.client.rate-limited", waitsWhenAsked)
	transportForms(s)
}

// postPerMessage: a message is a POST of its own. Both eras have the rule.
func postPerMessage(t *kit.T) {
	const expected = "each message as a POST of its own"
	t.Says(expected)
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			m := x.RequestMessage()
			switch {
			case x.Request.Method == http.MethodPost && m.Kind == wire.KindNotJSON && severalDocuments(x):
				t.Breach(x, expected, "several JSON texts in one body")
			case x.Request.Method == http.MethodPost:
				t.Saw()
			case m.HasMethod:
				t.Breach(x, expected, x.Request.Method+" with a message in its body")
			}
		}
	}
}

// severalDocuments tells that a body is a sequence of JSON texts, each on its own line or not.
func severalDocuments(x *wire.Exchange) bool {
	texts := json.NewDecoder(bytes.NewReader(x.Request.Body.Bytes()))
	for n := 0; ; n++ {
		var text json.RawMessage
		switch err := texts.Decode(&text); {
		case errors.Is(err, io.EOF):
			return n > 1
		case err != nil:
			return false
		}
	}
}

// acceptBoth: a client has to take either form of an answer. Both eras have the rule.
func acceptBoth(t *kit.T) {
	const expected = "application/json and text/event-stream in Accept"
	t.Says(expected)
	for _, x := range posts(t) {
		types := accepted(x)
		var missing []string
		for _, want := range []string{"application/json", "text/event-stream"} {
			if !slices.Contains(types, want) {
				missing = append(missing, want)
			}
		}
		switch {
		case len(missing) == 0:
			t.Saw()
		case slices.Contains(types, "*/*"):
			t.Breach(x, expected, what(x)+" with Accept: "+acceptText(x)+", which takes anything and names neither")
		default:
			t.Breach(x, expected, what(x)+" with Accept: "+acceptText(x)+", without "+strings.Join(missing, " and "))
		}
	}
}

// accepted are the media types in all Accept lines, in lower case and without parameters.
func accepted(x *wire.Exchange) []string {
	var types []string
	for name, values := range x.Request.Header {
		if !strings.EqualFold(name, "Accept") {
			continue
		}
		for part := range strings.SplitSeq(strings.Join(values, ","), ",") {
			media, _, _ := strings.Cut(part, ";")
			types = append(types, strings.ToLower(strings.TrimSpace(media)))
		}
	}
	return types
}

func acceptText(x *wire.Exchange) string {
	if v := kit.RequestHeader(x, "Accept"); v != "" {
		return kit.Quote([]byte(v))
	}
	return "(none)"
}

// singleMessage: what a body may hold. Batches are of 2025-03-26 alone.
func singleMessage(t *kit.T) {
	const expected = "one request, notification or response in the body"
	t.Says(expected)
	for _, x := range posts(t) {
		m := x.RequestMessage()
		switch {
		case x.Request.Body.Truncated():
		case m.Kind == wire.KindNotJSON && severalDocuments(x):
			// transport.client.post-per-message has it.
		case m.Kind == wire.KindBatch && t.Since("2025-06-18"):
			t.Breach(x, expected, "an array")
		case m.Kind == wire.KindBatch && len(m.Elements) == 0:
			t.Breach(x, expected, "an empty array")
		case m.Kind == wire.KindBatch:
			responses := len(slices.DeleteFunc(slices.Clone(m.Elements), func(e wire.Message) bool { return !isResponse(e) }))
			if responses > 0 && responses < len(m.Elements) {
				t.Breach(x, expected, "an array of responses and other messages")
				continue
			}
			t.Saw()
		case m.Kind == wire.KindNotJSON:
			t.Breach(x, expected, "a body that is no JSON: "+m.Problem)
		case !m.HasMethod && !isResponse(m):
			t.Breach(x, expected, "a body that is no message: "+kit.JSON(m.Raw()))
		default:
			t.Saw()
		}
	}
}

// streamGETs are the GETs to the endpoint that the client means to listen on.
func streamGETs(t *kit.T) []*wire.Exchange {
	var all []*wire.Exchange
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			for _, x := range s.requests {
				if x.Request.Method == http.MethodGet {
					all = append(all, x)
				}
			}
		}
	}
	return all
}

func getAccept(t *kit.T) {
	const expected = "text/event-stream in Accept"
	t.Says(expected)
	streams := streamGETs(t)
	if len(streams) == 0 {
		t.NotApplicable("the client opened no stream, which it need not")
	}
	for _, x := range streams {
		if !slices.Contains(accepted(x), "text/event-stream") {
			t.Breach(x, expected, "GET with Accept: "+acceptText(x))
			continue
		}
		t.Saw()
	}
}

func getOptional(t *kit.T) {
	t.Says("a GET stream, or none")
	streams := streamGETs(t)
	if len(streams) == 0 {
		t.OK(nil, "the client opens no stream, which it need not")
		return
	}
	t.OK(streams[0], "the client listens on a GET stream")
}

// contentType: what the body is. The legacy revisions do not say so, and servers refuse what is not labelled.
func contentType(t *kit.T) {
	const expected = "Content-Type: application/json"
	t.Says(expected)
	for _, x := range posts(t) {
		value := kit.RequestHeader(x, "Content-Type")
		media, _, err := mime.ParseMediaType(value)
		switch {
		case err == nil && media == "application/json":
			t.Saw()
		case value == "":
			t.Breach(x, expected, what(x)+" without Content-Type")
		default:
			t.Breach(x, expected, what(x)+" with Content-Type: "+kit.Quote([]byte(value)))
		}
	}
}

// utf8Bodies: the encoding of every message. Both eras have the rule.
func utf8Bodies(t *kit.T) {
	const expected = "a body in UTF-8"
	t.Says(expected)
	for _, x := range posts(t) {
		_, parameters, _ := mime.ParseMediaType(kit.RequestHeader(x, "Content-Type"))
		charset := strings.ToLower(parameters["charset"])
		switch {
		case !utf8.Valid(x.Request.Body.Bytes()):
			t.Breach(x, expected, what(x)+" with bytes that are none")
		case charset != "" && charset != "utf-8" && charset != "utf8":
			t.Breach(x, expected, what(x)+" with charset="+charset)
		default:
			t.Saw()
		}
	}
}
