package evidence

import (
	"net/http"
	"slices"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
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

// TestAskedInAnotherRevision: what was asked once for all revisions says where, and nothing else does.
func TestAskedInAnotherRevision(t *testing.T) {
	place := func(revision, subject string) kit.Place {
		x := &wire.Exchange{Label: "control", Request: wire.Request{Method: http.MethodPost}}
		return kit.Place{Exchange: x, Event: -1, Transcript: &wire.Transcript{Revision: revision, Subject: subject, Exchanges: []*wire.Exchange{x}}}
	}
	for _, test := range []struct {
		name     string
		findings []kit.Place
		shown    []kit.Place
		want     string
		each     []string
	}{
		{"in its own", []kit.Place{place("2025-06-18", "")}, nil, "", []string{""}},
		{"elsewhere", []kit.Place{place("2025-11-25", "")}, []kit.Place{place("2025-11-25", "")}, "2025-11-25", []string{"2025-11-25", "2025-11-25"}},
		{"both", []kit.Place{place("2025-11-25", "")}, []kit.Place{place("2025-06-18", "")}, "", []string{"2025-11-25", ""}},
		{"a client's", []kit.Place{place("2025-11-25", wire.ClientSubject)}, nil, "", []string{""}},
		{"nothing", nil, nil, "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := kit.Result{Revision: "2025-06-18", Verdict: kit.Warn, Shown: test.shown}
			for _, p := range test.findings {
				result.Findings = append(result.Findings, kit.Finding{Place: p})
			}
			got := Result(catalogue.Entry{}, result, nil)
			if got.AskedIn != test.want {
				t.Errorf("the result was asked in %q, want %q", got.AskedIn, test.want)
			}
			var each []string
			for _, e := range got.Evidence {
				each = append(each, e.AskedIn)
			}
			if !slices.Equal(each, test.each) {
				t.Errorf("the evidence was asked in %q, want %q", each, test.each)
			}
		})
	}
}
