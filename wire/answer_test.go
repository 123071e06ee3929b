package wire

import (
	"net/http"
	"slices"
	"testing"
	"time"
)

// exchangeOf is a POST of one message and its answer.
func exchangeOf(request string, status int, media, body string, sent time.Duration) *Exchange {
	return &Exchange{
		Request: Request{Method: http.MethodPost, Body: NewBody([]byte(request))}, EndedBy: ByServer, Sent: sent, End: sent,
		Response: &Response{Status: status, Header: http.Header{"Content-Type": {media}}, Body: NewBody([]byte(body))},
	}
}

func streamOf(body string, at time.Duration, header http.Header) *Exchange {
	return &Exchange{
		Request: Request{Method: http.MethodGet, Header: header}, EndedBy: ByClient, End: at,
		Response: &Response{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: NewBody([]byte(body)), Chunks: []Chunk{{End: int64(len(body)), At: at}}},
	}
}

const (
	asked       = `{"jsonrpc":"2.0","id":7,"method":"ping"}`
	initialized = `{"jsonrpc":"2.0","id":7,"method":"initialize"}`
	right       = `{"jsonrpc":"2.0","id":7,"result":{}}`
)

// TestAnswerWhereverItCame: the answer to a request is the message with its id, and what a lenient client could take for it.
func TestAnswerWhereverItCame(t *testing.T) {
	const sse = "text/event-stream"
	tests := []struct {
		name      string
		x         *Exchange
		stream    *Exchange
		transport string
		served    bool
		stray     bool
	}{
		{name: "its own", x: exchangeOf(asked, 200, "application/json", right, 0), served: true},
		{name: "on a GET stream", x: exchangeOf(asked, 200, sse, ": nothing\n\n", 1), stream: streamOf("data: "+right+"\n\n", 2, nil), served: true, stray: true},
		{name: "after 202", x: exchangeOf(asked, 202, "", "", 1), stream: streamOf("data: "+right+"\n\n", 2, nil), served: true, stray: true},
		{name: "before it was asked", x: exchangeOf(asked, 202, "", "", 3), stream: streamOf("data: "+right+"\n\n", 2, nil)},
		{name: "in another session", x: exchangeOf(asked, 202, "", "", 1), stream: streamOf("data: "+right+"\n\n", 2, http.Header{"mcp-session-id": {"x"}})},
		{name: "on a resumed stream", x: exchangeOf(asked, 202, "", "", 1), stream: streamOf("data: "+right+"\n\n", 2, http.Header{"Last-Event-ID": {"x"}})},
		{name: "on somebody's stream of HTTP+SSE", x: exchangeOf(asked, 202, "", "", 1), stream: streamOf("data: "+right+"\n\n", 2, nil), transport: "http-sse"},
		{name: "its own, and a copy", x: exchangeOf(asked, 200, "application/json", right, 1), stream: streamOf("data: "+right+"\n\n", 2, nil), served: true},
		{name: "a string for a number", x: exchangeOf(asked, 200, "application/json", `{"jsonrpc":"2.0","id":"7","result":{}}`, 0), served: true},
		{name: "another number", x: exchangeOf(asked, 200, "application/json", `{"jsonrpc":"2.0","id":8,"result":{}}`, 0)},
		{name: "another event type", x: exchangeOf(asked, 200, sse, "event: result\ndata: "+right+"\n\n", 0), served: true},
		{name: "an id of its own for initialize", x: exchangeOf(initialized, 200, "application/json", `{"jsonrpc":"2.0","id":"session","result":{}}`, 0), served: true},
		{name: "two of them", x: exchangeOf(initialized, 200, sse,
			"data: {\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"b\",\"result\":{}}\n\n", 0)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tr := &Transcript{Transport: test.transport, Exchanges: []*Exchange{test.x}}
			if test.stream != nil {
				tr.Exchanges = append(tr.Exchanges, test.stream)
			}
			tr.Settle()
			if test.x.Served() != test.served || test.x.Stray() != test.stray {
				t.Errorf("served %v, stray %v; want %v, %v", test.x.Served(), test.x.Stray(), test.served, test.stray)
			}
		})
	}
}

// TestReplies: a response to somebody else beside the right one is none of the replies; alone it is all there is.
func TestReplies(t *testing.T) {
	const (
		foreign  = "data: {\"jsonrpc\":\"2.0\",\"id\":\"nobody\",\"result\":{}}\n\n"
		nameless = "data: {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"no\"}}\n\n"
		own      = "data: " + right + "\n\n"
		notice   = "data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\n"
		odd      = `{"jsonrpc":"2.0","id":7,"method":5}`
	)
	for name, test := range map[string]struct {
		request, stream string
		want            []string // ids, "" without one
	}{
		"the right one":         {asked, own, []string{"7"}},
		"a foreign one first":   {asked, foreign + own, []string{"7"}},
		"a foreign one alone":   {asked, foreign, []string{`"nobody"`}},
		"a nameless error":      {odd, foreign + nameless, []string{"null"}},
		"the id of what is odd": {odd, foreign + own, []string{"7"}},
		"a notification ahead":  {asked, notice + own, []string{"", "7"}},
	} {
		var got []string
		for _, m := range exchangeOf(test.request, 200, "text/event-stream", test.stream, 0).Replies() {
			got = append(got, string(m.ID))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: replies with the ids %q, want %q", name, got, test.want)
		}
	}
}
