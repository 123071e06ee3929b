package evidence

import (
	"net/http"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// TestSentNamesTheRequest: what was sent is the request that the evidence answers, also where the answer came on a stream.
func TestSentNamesTheRequest(t *testing.T) {
	call := &wire.Exchange{Label: "call", EndedBy: wire.ByServer, Request: wire.Request{
		Method: http.MethodPost, Body: wire.NewBody([]byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call"}`)),
	}}
	stream := &wire.Exchange{
		Label: "stream", EndedBy: wire.ByClient, Request: wire.Request{Method: http.MethodGet},
		Response: &wire.Response{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: wire.NewBody([]byte(
			"data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{}}\n\n"))},
	}
	tr := &wire.Transcript{Exchanges: []*wire.Exchange{stream, call}}
	for event, want := range map[int]string{-1: "GET", 0: "GET", 1: "POST tools/call", 2: "GET"} {
		if got := sent(kit.Place{Transcript: tr, Exchange: stream, Event: event}); got != want {
			t.Errorf("event %d: sent %q, want %q", event, got, want)
		}
	}
}
