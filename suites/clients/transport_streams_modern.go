package clients

import (
	"net/http"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func transportStreamsModern(s *kit.Section) {
	s.Passive("modern.client.transport.handles-json-and-sse", func(t *kit.T) {
		goesOn(t, "the client goes on in each form of an answer", asJSON, asStream, withCRLF, inLines, otherEvents, withCharset, oddTypeCase)
	})
	s.Passive("modern.client.transport.reissue-with-new-id", reissuesWithNewID)
	s.Passive("modern.client.transport.httpsse-probe-order", probesHTTPSSELast)
}

// brokenStreams are the streams that ended ahead of the response to their request, without the client having closed them.
func brokenStreams(tr *wire.Transcript) []*wire.Exchange {
	return slices.DeleteFunc(slices.Clone(tr.Exchanges), func(x *wire.Exchange) bool {
		m := x.RequestMessage()
		_, answered := x.Answer()
		return !isModern(m) || !isRequest(m) || !x.IsSSE() || answered || x.EndedBy == wire.ByClient || m.Method == "subscriptions/listen"
	})
}

// reissuesWithNewID: what was lost with its stream is asked again as something new, and nothing is resumed.
func reissuesWithNewID(t *kit.T) {
	const expected = "nothing more of the request, or another one with a new id"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no stream broke off ahead of its response: have the client call a tool")
	for _, tr := range t.Transcripts() {
		for _, lost := range brokenStreams(tr) {
			m, wrong := lost.RequestMessage(), false
			for _, x := range tr.Exchanges {
				o := x.RequestMessage()
				switch {
				case x.Sent < lost.End || x == lost:
				case has(x, headerEventID):
					t.Breach(x, expected, x.Request.Method+" with Last-Event-ID")
					wrong = true
				case x.Sent == lost.End: // in flight beside it: nobody sends again before they have seen the end
				case isRequest(o) && o.Method == m.Method && sameTarget(o, m) && wire.SameID(o.ID, m.ID):
					t.Breach(x, expected, what(x)+" with the same id "+kit.JSON(o.ID))
					wrong = true
				}
			}
			if !wrong {
				t.Saw()
			}
		}
	}
}

// probesHTTPSSELast: an error of JSON-RPC is no sign of the old transport.
func probesHTTPSSELast(t *kit.T) {
	const expected = "no GET after an answer that is a JSON-RPC error"
	t.Says(expected)
	for _, p := range probes(t) {
		m, ok := p.x.Answer()
		if code, _ := m.ErrorCode(); !ok || code != judges.CodeMethodNotFound || p.x.Status() != http.StatusNotFound {
			continue
		}
		until := len(p.tr.Exchanges)
		if p.initialized != nil {
			until = slices.Index(p.tr.Exchanges, p.initialized)
		}
		i := slices.IndexFunc(p.tr.Exchanges[:until], func(x *wire.Exchange) bool {
			// Who names a version opens a stream of Streamable HTTP: HTTP+SSE knows no such header.
			return x.Request.Method == http.MethodGet && x.Request.URL == p.x.Request.URL && x.Sent >= p.x.End &&
				!has(x, headerSession) && !has(x, headerVersion)
		})
		if i >= 0 {
			t.Warn(p.tr.Exchanges[i], expected, "GET after 404 with the error -32601")
			continue
		}
		t.Saw()
	}
	t.Unseen(kit.Unprovoked, "no request of this revision was answered 404 with the error -32601")
}
