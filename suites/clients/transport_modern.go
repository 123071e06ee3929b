package clients

import (
	"net/http"

	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func transportModern(s *kit.Section) {
	s.Passive("modern.client.transport.post-per-message", postPerMessage)
	s.Passive("modern.client.transport.accept-both", acceptBoth)
	s.Passive("modern.client.transport.content-type-json", contentType)
	s.Passive("modern.client.transport.single-message-body", singleMessage)
	s.Passive("modern.client.transport.no-responses", noResponses)
	s.Passive("modern.client.transport.utf8", utf8Bodies)
	s.Passive("modern.client.transport.no-get-stream", noGetStream)
	transportStreamsModern(s)
}

// noResponses: in this revision a client never answers by a message of its own.
func noResponses(t *kit.T) {
	const expected = "requests and notifications only"
	t.Says(expected)
	for _, m := range t.Messages() {
		switch {
		case isResponse(m.Message):
			t.BreachAt(m, expected, "a response with id "+kit.JSON(m.ID))
		case m.HasMethod:
			t.Saw()
		}
	}
}

// noGetStream: once a request of this revision was served, nothing of sessions and their streams is left.
func noGetStream(t *kit.T) {
	const expected = "no GET, no DELETE and no Mcp-Session-Id"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "nothing followed a request of this revision that was served")
	for _, tr := range t.Transcripts() {
		served := servedModern(tr)
		if served == nil {
			continue
		}
		for _, x := range tr.Exchanges {
			m := x.RequestMessage()
			switch {
			case x.Sent < served.End || m.Method == methodInitialize || x.Request.URL != served.Request.URL:
			case x.Request.Method == http.MethodGet, x.Request.Method == http.MethodDelete:
				t.Warn(x, expected, x.Request.Method)
			case has(x, headerSession):
				t.Warn(x, expected, what(x)+" with Mcp-Session-Id")
			default:
				t.Saw()
			}
		}
	}
}
