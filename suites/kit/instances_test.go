package kit

import (
	"net/http"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// TestRefusedInTurn: only a session that nobody ended, refused and served again by the same harmless request, twice each way, is one that
// several instances would give.
func TestRefusedInTurn(t *testing.T) {
	const ping, call = `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`
	type sent struct {
		status int
		body   string
		header string
		page   bool
		takes  time.Duration
		end    bool // a DELETE
	}
	answers := func(statuses ...int) (list []sent) {
		for _, s := range statuses {
			list = append(list, sent{status: s, body: ping})
		}
		return list
	}
	for name, row := range map[string]struct {
		sent []sent
		want int
	}{
		"twice each way":     {answers(200, 404, 200, 404, 404, 202), 3},
		"once":               {answers(200, 404, 200, 200), 0},
		"refused for good":   {answers(200, 404, 200, 404, 404), 0},
		"lost for good":      {answers(200, 200, 404, 200, 404), 0},
		"failing in between": {answers(404, 500, 404, 500), 0},
		"without a session": {[]sent{{status: 404, body: ping, header: "X"}, {status: 200, body: ping, header: "X"},
			{status: 404, body: ping, header: "X"}, {status: 200, body: ping, header: "X"}}, 0},
		"served for good":           {answers(200, 200, 200, 200), 0},
		"another status":            {answers(200, 400, 200, 400, 200), 0},
		"after its end":             {append([]sent{{status: 200, end: true}}, answers(404, 200, 404, 200)...), 0},
		"a request that may be 404": {[]sent{{status: 404, body: call}, {status: 200, body: call}, {status: 404, body: call}, {status: 200, body: call}}, 0},
		"another spelling": {[]sent{{status: 404, body: ping, header: "MCP-SESSION-ID"}, {status: 200, body: ping},
			{status: 404, body: ping, header: "MCP-SESSION-ID"}, {status: 200, body: ping}}, 0},
		"pages": {[]sent{{status: 404, body: ping, page: true}, {status: 200, body: ping}, {status: 404, body: ping, page: true}, {status: 200, body: ping}}, 0},
		"under way meanwhile": {[]sent{{status: 404, body: ping, takes: time.Hour}, {status: 200, body: ping},
			{status: 404, body: ping, takes: time.Hour}, {status: 200, body: ping}}, 0},
	} {
		tr := &wire.Transcript{Script: "s"}
		for i, s := range row.sent {
			at := time.Duration(i) * time.Second
			x := &wire.Exchange{Sent: at, End: at + max(s.takes, time.Millisecond), Request: wire.Request{
				Method: http.MethodPost, Header: http.Header{sessionHeader: {"1"}}, Body: wire.NewBody([]byte(s.body))}}
			if s.header != "" {
				x.Request.Header = map[string][]string{s.header: {"1"}}
			}
			if s.end {
				x.Request.Method = http.MethodDelete
			}
			x.Response = &wire.Response{Status: s.status, Header: http.Header{}}
			if s.page {
				x.Response.Header.Set("Content-Type", "text/html; charset=utf-8")
			}
			tr.Exchanges = append(tr.Exchanges, x)
		}
		if got := refusedInTurn([]*wire.Transcript{tr}, []string{"ping"}, http.StatusNotFound); len(got) != row.want {
			t.Errorf("%s: %d refusals in turn, want %d", name, len(got), row.want)
		}
	}
}

// TestIssuedElsewhere: a session that another conversation opened was issued by the server, though that one's recording is not looked at.
func TestIssuedElsewhere(t *testing.T) {
	x := &wire.Exchange{
		Request:  wire.Request{Method: http.MethodPost, Header: http.Header{sessionHeader: {"lent"}}},
		Response: &wire.Response{Status: http.StatusNotFound},
	}
	for shared, want := range map[bool]bool{true: true, false: false} {
		tr := &wire.Transcript{Script: "s", Shared: shared, Session: wire.SessionInfo{ID: "lent"}, Exchanges: []*wire.Exchange{x}}
		r := &Recording{Era: &Era{}, Instances: true, Transcripts: []*wire.Transcript{tr}}
		if got := r.inTurn(x); got != want {
			t.Errorf("shared %v: the refusal is the word of one of several instances: %v", shared, got)
		}
	}
}
