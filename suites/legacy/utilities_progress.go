package legacy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const (
	progressMethod = "notifications/progress"
	noProgress     = "no call that was made reported progress"
	noServerToken  = "the server sent no request with a progress token"
)

func utilitiesProgress(s *kit.Section) {
	progressOfCalls(s)
	progressOfServerRequests(s)

	s.Passive("utilities.progress.stops", func(t *kit.T) {
		const expected = "no progress after the response"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, noProgress+" whose end was seen")
		asked := tokenRequests(t)
		for _, m := range progressMessages(t) {
			token, _ := m.Pointer("/params/progressToken")
			r, _ := asked.only(m, token)
			switch {
			case r.task || r.response == nil:
			case r.response.Exchange == m.Exchange && m.Event > r.response.Event:
				t.BreachAt(m, expected, "progress of "+kit.JSON(token)+" behind the response on the same stream")
			case !onResumed(m) && lag(*r.response, m) > grace:
				t.BreachAt(m, expected, fmt.Sprintf("progress of %s %v after the response", kit.JSON(token), lag(*r.response, m).Round(time.Millisecond)))
			default:
				t.OK(m.Exchange, "progress ends before the response")
			}
		}
	})

	s.Passive("utilities.progress.shape", func(t *kit.T) {
		t.Says("progressToken and a number progress; total a number, message a string")
		t.Unseen(kit.Unprovoked, noProgress)
		for _, m := range progressMessages(t) {
			// Params that are no object are jsonrpc.params-object's.
			if m.HasParams && kit.JSONType(m.Params) != "object" {
				continue
			}
			found, _ := t.Schema().Notification(progressMethod, m.Params)
			if found = kit.Without(found, "/params/_meta"); len(found) > 0 {
				expected, got := kit.Wording(found)
				t.BreachAt(m, expected, got)
				continue
			}
			var progress, total float64
			_ = m.Decode("/params/progress", &progress)
			if m.Decode("/params/total", &total) == nil && progress > total {
				t.NoteAt(m, "progress %v is more than total %v", progress, total)
				continue
			}
			t.OK(m.Exchange, "progress notifications have a token and a number")
		}
	})

	s.Passive("utilities.progress.optional", func(t *kit.T) {
		t.Says("progress or none")
		if progress := progressMessages(t); len(progress) > 0 {
			t.OK(progress[0].Exchange, "the server reports progress: %d notifications came", len(progress))
			return
		}
		var called *wire.Exchange
		for _, x := range t.Exchanges() {
			if _, ok := progressTokenOf(x); ok && x.Served() && (called == nil || called.RequestMessage().Method != "tools/call") {
				called = x
			}
		}
		if called == nil {
			t.NotObserved(kit.Unprovoked, "no request with a progress token was served")
		}
		t.OK(called, "the server reports no progress of %s, which it may", called.RequestMessage().Method)
	})

	s.Check("utilities.progress.token-tolerated", oddRequests, func(t *kit.T) {
		t.Control("control", "control after")
		const expected = "a result, as without a token"
		t.Says(expected)
		for _, label := range []string{"string token", "integer token"} {
			x := conclusive(t, oddLabel(t, label))
			answer, _ := x.Answer()
			switch {
			case x.Served():
				t.OK(x, "a harmless request is served with a string and with 0 for its progress token")
			case answer.Kind == wire.KindError, x.Status()/100 == 4:
				t.Breach(x, expected, kit.Describe(x)+" to a request with a "+label)
			default:
				t.NotObservedAt(kit.Inconclusive, x, "a request with a %s was neither served nor refused: %s", label, kit.Describe(x))
			}
		}
	})
}

// progressOfCalls is about the progress that the server reports.
func progressOfCalls(s *kit.Section) {
	s.Passive("utilities.progress.increases", func(t *kit.T) {
		const expected = "a greater progress with each notification"
		t.Says(expected)
		asked := tokenRequests(t)
		last := map[string]json.RawMessage{}
		for _, m := range progressMessages(t) {
			token, _ := m.Pointer("/params/progressToken")
			progress, _ := m.Pointer("/params/progress")
			// Where several requests of a session carried one token it starts anew with each; on the stream of a request it is that one's.
			own, _ := progressTokenOf(m.Exchange)
			_, once := asked.only(m, token)
			if clear := once || tokenKey(own) == tokenKey(token) || !asked.supplied(token); !clear || !judges.StringOrInteger(token) || kit.JSONType(progress) != "number" {
				continue // utilities.progress.shape
			}
			key := fmt.Sprintf("%p %s", m.Exchange, token)
			before, again := last[key]
			last[key] = progress
			switch {
			case !again:
			case notGreater(before, progress):
				t.BreachAt(m, expected, fmt.Sprintf("progress %s after %s for the same token", kit.JSON(progress), kit.JSON(before)))
			default:
				t.OK(m.Exchange, "progress grows with each notification")
			}
		}
		switch {
		case t.Observed():
		case len(last) > 0:
			t.NotApplicable("no call reported progress more than once")
		default:
			t.NotApplicable(noProgress)
		}
	}, kit.Tools)

	s.Passive("utilities.progress.known-token", func(t *kit.T) {
		const expected = "a token that a request of ours supplied, with its value and type"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, noProgress)
		asked := tokenRequests(t)
		for _, m := range progressMessages(t) {
			token, _ := m.Pointer("/params/progressToken")
			switch {
			case !judges.StringOrInteger(token): // utilities.progress.shape
			case asked.supplied(token):
				t.OK(m.Exchange, "progress names the tokens that were supplied, such as %s", kit.JSON(token))
			case asked.otherType(token):
				t.BreachAt(m, expected, "the token "+kit.JSON(token)+" as a "+kit.JSONType(token)+", which was supplied with the other type")
			default:
				t.BreachAt(m, expected, "the token "+kit.JSON(token)+", which no request supplied")
			}
		}
	})
}

// progressOfServerRequests is about the tokens by which the server asks for progress.
func progressOfServerRequests(s *kit.Section) {
	s.Passive("utilities.progress.token-type", func(t *kit.T) {
		const expected = "a string or an integer as progressToken"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, noServerToken)
		for _, m := range t.Messages() {
			token, ok := m.Pointer("/params/_meta/progressToken")
			switch {
			case !ok || m.Kind != wire.KindRequest:
			case !judges.StringOrInteger(token):
				t.BreachAt(m, expected, m.Method+" with the token "+kit.JSON(token))
			default:
				t.OK(m.Exchange, "the server's %s has the token %s", m.Method, kit.JSON(token))
			}
		}
	})

	s.Passive("utilities.progress.token-unique", func(t *kit.T) {
		const expected = "different tokens for requests that are open at the same time"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "the server never had two requests with progress tokens open at the same time")
		sessions := dialogues(t).sessions
		for _, key := range slices.Sorted(maps.Keys(sessions)) {
			requests := sessions[key]
			for i, r := range requests {
				// Tokens of another type are utilities.progress.token-type's.
				token, _ := r.Pointer("/params/_meta/progressToken")
				if !judges.StringOrInteger(token) {
					continue
				}
				for _, earlier := range requests[max(0, i-maxOpen):i] {
					other, _ := earlier.Pointer("/params/_meta/progressToken")
					// Without session ids a stateless server knows one stream at a time.
					apart := strings.HasPrefix(key, "conversation ") && earlier.Exchange != r.Exchange
					if !judges.StringOrInteger(other) || apart || !earlier.openWhen(r) {
						continue
					}
					if wire.SameID(token, other) {
						t.BreachAt(r.Seen, expected, "the token "+kit.JSON(token)+" on two of them")
						continue
					}
					t.OK(r.Exchange, "requests that are open at the same time have different tokens, such as %s and %s", kit.JSON(other), kit.JSON(token))
				}
			}
		}
	})
}

// maxOpen bounds how many requests before one are compared with it.
const maxOpen = 32

// openWhen tells that a request was certainly open when a later one came: it had not been answered nor cancelled, and is no replay of
// the same event.
func (r *serverRequest) openWhen(later *serverRequest) bool {
	if wire.SameID(r.ID, later.ID) || onResumed(r.Seen) || onResumed(later.Seen) {
		return false
	}
	return (r.replied.IsZero() || r.replied.After(later.came)) && (r.cancelled.IsZero() || r.cancelled.After(later.came))
}

// onResumed tells that a message came on a stream that was resumed, perhaps for the second time.
func onResumed(m kit.Seen) bool { return kit.RequestHeader(m.Exchange, "Last-Event-ID") != "" }

func progressMessages(t *kit.T) []kit.Seen {
	var all []kit.Seen
	for _, m := range t.Messages() {
		if m.Method == progressMethod {
			all = append(all, m)
		}
	}
	return all
}

// notGreater tells that a number certainly does not exceed the one before. Numbers that are alike as floats and differ in their digits
// are left alone.
func notGreater(before, after json.RawMessage) bool {
	var a, b float64
	if json.Unmarshal(before, &a) != nil || json.Unmarshal(after, &b) != nil {
		return false
	}
	return b < a || wire.SameID(before, after)
}

// lag is how long after the response a message came.
func lag(response, m kit.Seen) time.Duration {
	return m.Transcript.Started.Add(m.At).Sub(response.Transcript.Started.Add(response.At))
}

// A tokenRequest is a request of ours with a progress token, and its response, where one was seen.
type tokenRequest struct {
	task     bool // augmented: its token lives on after the response (2025-11-25)
	response *kit.Seen
}

// suppliedTokens are the requests with tokens.
type suppliedTokens struct {
	// bySession has them by session (or, without ids, conversation) and token: the same token may serve in several sessions.
	bySession map[string][]tokenRequest
	// types has the JSON types that a token was supplied with, by its text.
	types map[string][]string
}

func tokenRequests(t *kit.T) suppliedTokens {
	all := suppliedTokens{map[string][]tokenRequest{}, map[string][]string{}}
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			token, ok := progressTokenOf(x)
			if !ok {
				continue
			}
			r := tokenRequest{}
			_, r.task = x.RequestMessage().Pointer("/params/task")
			if m, answered := judges.AnswerTo(t, tr, x); answered {
				r.response = &m
			}
			key, text := kit.SessionOf(tr, x)+" "+tokenKey(token), strings.Trim(tokenKey(token), `"`)
			all.bySession[key] = append(all.bySession[key], r)
			all.types[text] = append(all.types[text], kit.JSONType(token))
		}
	}
	return all
}

// only returns the request that supplied a token in the session of a message, where there is just one.
func (all suppliedTokens) only(m kit.Seen, token json.RawMessage) (tokenRequest, bool) {
	requests := all.bySession[kit.SessionOf(m.Transcript, m.Exchange)+" "+tokenKey(token)]
	if len(requests) != 1 {
		return tokenRequest{}, false
	}
	return requests[0], true
}

// supplied tells whether any request supplied a token with its type. In which session does not matter here.
func (all suppliedTokens) supplied(token json.RawMessage) bool {
	return slices.Contains(all.types[strings.Trim(tokenKey(token), `"`)], kit.JSONType(token))
}

// otherType tells whether a request supplied the same text, whatever its type.
func (all suppliedTokens) otherType(token json.RawMessage) bool {
	return all.types[strings.Trim(tokenKey(token), `"`)] != nil
}

// tokenKey is one text for all spellings of a token or an id: 7 and 7.0, "a" and "\u0061".
func tokenKey(raw json.RawMessage) string {
	var v any
	_ = json.Unmarshal(raw, &v)
	switch v := v.(type) {
	case string:
		return `"` + v + `"`
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return string(raw)
}

// progressTokenOf returns the progress token of a request of ours.
func progressTokenOf(x *wire.Exchange) (json.RawMessage, bool) {
	if m := x.RequestMessage(); m.Kind == wire.KindRequest {
		return m.Pointer("/params/_meta/progressToken")
	}
	return nil, false
}
