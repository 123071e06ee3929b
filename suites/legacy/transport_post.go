package legacy

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// transportAnswers are the rules for the form of the answer to a POST, judged over all traffic.
func transportAnswers(s *kit.Section) {
	s.Passive("transport.utf8", func(t *kit.T) {
		const expected = "UTF-8"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no JSON body was seen")
		for _, x := range t.Exchanges() {
			body, plain := x.Decoded()
			if !plain || !x.IsJSON() || x.EndedBy != wire.ByServer || !holdsMessage(x, body) {
				continue
			}
			switch label := charset(x); {
			case wideUnits(body):
				t.Breach(x, expected, "a JSON body in UTF-16 or UTF-32")
			case !utf8.Valid(body):
				t.Breach(x, expected, fmt.Sprintf("a JSON body with the byte 0x%02x at position %d", body[judges.InvalidUTF8(body)], judges.InvalidUTF8(body)))
			case label != "" && label != "utf-8" && label != "utf8" && label != "us-ascii":
				t.Warn(x, expected, fmt.Sprintf("bytes that are UTF-8, labelled charset=%s", label))
			default:
				t.Saw()
			}
		}
	})

	s.Passive("transport.post.request-content-type", func(t *kit.T) {
		const expected = "application/json or text/event-stream, with a message in it"
		t.Says(expected)
		cancelled := cancelledIDs(t)
		for _, x := range t.Exchanges() {
			// What came on a GET stream is for sse.get-no-response.
			if !answeredRequest(x) || cancelled.Has(x.RequestMessage().ID) || x.Stray() {
				continue
			}
			switch {
			case x.Response.Body.Size() == 0 && !x.IsSSE():
				t.Breach(x, expected, kit.Describe(x))
			case !x.IsJSON() && !x.IsSSE():
				t.Breach(x, expected, "the media type "+fmt.Sprintf("%q", x.Response.Header.Get("Content-Type")))
			case judges.Responses(x) == 0:
				// No response inside earns nothing; what came in its place is the business of the rules for messages and streams.
			case x.Status() != 200:
				t.Note(x, "the right answer under HTTP %d", x.Status())
			default:
				t.Saw()
			}
		}
	})

	s.CheckAcross("transport.post.json-single-object", []*kit.Script{requestForms, traffic}, func(t *kit.T) {
		const expected = "one JSON-RPC response"
		t.Says(expected)
		for _, x := range t.Exchanges() {
			if !wellAnswered(x) || !x.IsJSON() || x.Response.Body.Size() == 0 {
				continue
			}
			if coding := x.Response.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
				// judgeCompressed looks at what we asked for, and a coding that is read as plain is one that we cannot read.
				if _, plain := x.Decoded(); plain || x.Broken != "" {
					continue
				}
			}
			var m wire.Message
			if list := x.Messages(); len(list) == 1 && list[0].Batch < 0 {
				m = list[0].Message
			} else {
				body, _ := x.Decoded()
				m = wire.ReadMessage(body)
			}
			switch {
			case m.Kind == wire.KindNotJSON && (!utf8.Valid(m.Raw()) || wideUnits(m.Raw())):
				// transport.utf8 reports it.
			case m.Kind == wire.KindBatch:
				t.Breach(x, expected, "an array, for a single request")
			case m.Kind == wire.KindNotJSON:
				t.Breach(x, expected, "a body that is not one JSON document: "+kit.Quote(m.Raw()))
			case m.HasMethod && !m.HasResult && !m.HasError:
				t.Breach(x, expected, kit.DescribeMessage(m)+" in its place")
			case m.HasResult, m.HasError:
				t.Saw()
			}
		}
		judgeCompressed(t, expected)
		if !t.Observed() {
			t.NotApplicable("every request was answered on a stream")
		}
	})

	s.Passive("transport.post.server-messages", func(t *kit.T) {
		t.Says("requests and notifications ahead of the response, where the server wants to")
		var methods []string
		streams := 0
		for _, x := range t.Streams() {
			if x.Request.Method == "POST" {
				streams++
				methods = addMethods(methods, x)
			}
		}
		t.OK(nil, "on %d POST streams the server sent %s ahead of the response", streams, listOrNothing(methods))
	}, kit.SSEAnswers)
}

// judgeCompressed judges the answer to a client that accepts gzip: it decodes to the same as the one that came without.
func judgeCompressed(t *kit.T, expected string) {
	before, x, after := t.IfSent("control"), t.IfSent("gzip"), t.IfSent("control after")
	if before == nil || x == nil || after == nil || !before.Served() || !after.Served() || !before.IsJSON() || x.Status()/100 != 2 {
		return
	}
	if coding := x.Response.Header.Get("Content-Encoding"); strings.EqualFold(coding, "gzip") && x.IsJSON() {
		if why := badGzip(x); why != "" {
			t.Breach(x, expected, fmt.Sprintf("a gzip body that %s (%d bytes came, Content-Length %q), while the answer without compression is served",
				why, x.Response.Body.Size(), x.Response.Header.Get("Content-Length")))
			return
		}
		t.Saw()
	}
}

// badGzip says what is wrong with a compressed body, "" where nothing is.
func badGzip(x *wire.Exchange) string {
	r, err := gzip.NewReader(bytes.NewReader(x.Response.Body.Bytes()))
	if err != nil {
		return "does not begin as one"
	}
	text, err := io.ReadAll(io.LimitReader(r, maxUnpacked))
	switch {
	case err != nil:
		return "breaks off"
	case len(text) == maxUnpacked:
		return "" // too much to look at, which is nobody's fault
	case wire.ReadMessage(text).Kind == wire.KindNotJSON:
		return "holds no JSON"
	}
	return ""
}

// maxUnpacked bounds what is unpacked of one answer.
const maxUnpacked = 4 << 20

// answeredRequest tells that a request with nothing wrong in it got a 2xx answer. What an unanswered initialize is has an entry of its own.
func answeredRequest(x *wire.Exchange) bool { return x.Broken == "" && wellAnswered(x) }

// wellAnswered tells that a request got one, whatever else was wrong with it: it was a message.
func wellAnswered(x *wire.Exchange) bool {
	sent := x.RequestMessage()
	if sent.Kind != wire.KindRequest || judges.Malformed(x) || x.Status()/100 != 2 || x.EndedBy != wire.ByServer {
		return false
	}
	return sent.Method != "initialize" || x.Served()
}

// holdsMessage tells that a body is, or says that it is, a message of the server and no page of somebody between us and the server.
func holdsMessage(x *wire.Exchange, body []byte) bool {
	if x.Status()/100 == 2 && x.RequestMessage().Kind == wire.KindRequest {
		return len(body) > 0
	}
	return bytes.Contains(body, []byte(`"jsonrpc"`))
}

// wideUnits tells that the text comes in units of two or four bytes: one of the first two characters of JSON is ASCII, and no JSON
// has a zero byte.
func wideUnits(body []byte) bool { return bytes.IndexByte(body[:min(len(body), 8)], 0) >= 0 }

// cancelledIDs are the ids of requests that we cancelled: they need no answer.
func cancelledIDs(t *kit.T) judges.IDSet {
	var ids judges.IDSet
	for _, x := range t.Exchanges() {
		if sent := x.RequestMessage(); sent.Method == "notifications/cancelled" {
			if id, ok := sent.Pointer("/params/requestId"); ok {
				ids.Add(id)
			}
		}
	}
	return ids
}

// charset is the label of a body in lower case, "" without one.
func charset(x *wire.Exchange) string {
	_, params, _ := mime.ParseMediaType(x.Response.Header.Get("Content-Type"))
	return strings.ToLower(params["charset"])
}
