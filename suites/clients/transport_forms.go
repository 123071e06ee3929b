package clients

import (
	"net/http"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func transportForms(s *kit.Section) {
	s.Passive("transport.client.json-and-sse", func(t *kit.T) {
		goesOn(t, "the client goes on in each form of an answer", asJSON, asStream, withCRLF, inLines, withComment, otherEvents, withCharset, oddTypeCase)
	})
	s.Passive("transport.client.get-405", goesOnAfter405)
	s.Passive("transport.client.large-message", readsLarge)
	s.Passive("transport.client.decodes-utf8", decodesUTF8)
}

// goesOnAfter405: a server need not have a stream to listen on.
func goesOnAfter405(t *kit.T) {
	const expected = "the client goes on without the stream"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client opened no stream that was refused with 405")
	var ended []*wire.Exchange
	onWithStream := false
	for _, tr := range t.Everywhere() {
		for _, x := range tr.Exchanges {
			if x.Request.Method == http.MethodGet && x.IsSSE() && x.Status() == http.StatusOK {
				onWithStream = onWithStream || asksBehind(tr, x)
			}
		}
	}
	for _, tr := range t.Transcripts() {
		refused := 0
		var first *wire.Exchange
		for _, x := range tr.Exchanges {
			if x.Request.Method == http.MethodGet && x.Status() == http.StatusMethodNotAllowed && has(x, headerSession) {
				refused++
				if first == nil {
					first = x
				}
			}
		}
		switch {
		case first == nil:
		case asksBehind(tr, first):
			t.Saw()
			if refused >= manyRefused {
				t.Note(first, "GET was repeated %d times, though it is answered 405", refused-1)
			}
		default:
			ended = append(ended, first)
		}
	}
	switch {
	case t.Observed() || len(ended) == 0:
	case len(ended) > 1 && onWithStream:
		t.Breach(ended[0], expected, "no request after GET was answered 405, on two tries, while it goes on where GET opens a stream")
	default:
		t.Unseen(kit.Inconclusive, "the client asked nothing after GET was answered 405%s", haveItGoOn)
	}
}

// manyRefused is how often a GET that is refused can come before it is worth a word.
const manyRefused = 5
