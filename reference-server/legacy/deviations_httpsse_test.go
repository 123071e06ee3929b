package legacy_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// onFirstEvent shows what a client sees that opens the stream of a deviant server.
func onFirstEvent(t *testing.T, d refserver.Deviation, f func(t *testing.T, first sseEvent, o *oldPeer)) {
	t.Helper()
	deviant(t, d, func(t *testing.T, p *peer) {
		in, res, cancel := p.listen()
		defer cancel()
		if res.StatusCode != http.StatusOK {
			t.Fatalf("%d", res.StatusCode)
		}
		o := &oldPeer{peer: p, in: in, close: cancel}
		f(t, o.event(), o)
	})
}

// deviant runs f against a server of HTTP+SSE with a deviation.
func deviant(t *testing.T, d refserver.Deviation, f func(t *testing.T, p *peer)) {
	t.Helper()
	inMemory(t, refserver.Config{Profile: profile(t, "http-sse"), Deviation: &d}, func(t *testing.T, _ *refserver.Server, p *peer) { f(t, p) })
}

func TestEndpointDeviations(t *testing.T) {
	for way, want := range map[string]string{
		"absolute": "http://127.0.0.1:", "relative": "messages?", "foreign": "http://mcpcheck.invalid/messages?", "other-host": "http://localhost", "other-port": ":9/messages?",
		"other-scheme": "ftp://", "quoted": `"/messages?`, "object": `{"uri":"/messages?`, "two-lines": "/messages?", "no-session": "/messages",
		"not-found": "/no-such/messages?", "no-post": "/mcp?",
	} {
		onFirstEvent(t, refserver.Deviation{Generate: map[string]string{"endpoint": way}}, func(t *testing.T, e sseEvent, o *oldPeer) {
			if e.name != "endpoint" || !strings.Contains(e.data, want) {
				t.Errorf("%s: %+v", way, e)
			}
			if status := map[string]int{"absolute": 202, "relative": 202, "no-session": 400, "not-found": 404, "no-post": 405}[way]; status != 0 {
				o.resolve(e.data)
				if r := o.say(pinging); r.status != status {
					t.Errorf("%s: %d", way, r.status)
				}
			}
		})
	}
}

func TestEndpointEdits(t *testing.T) {
	elsewhere := refserver.Deviation{Generate: map[string]string{"endpoint": "foreign"},
		When: &refserver.Condition{Header: map[string]string{"User-Agent": "x"}}}
	onFirstEvent(t, elsewhere, func(t *testing.T, e sseEvent, _ *oldPeer) {
		if !strings.HasPrefix(e.data, refserver.MessagePath) {
			t.Errorf("for another client: %+v", e)
		}
	})
	edited := func(edit refserver.Edit) refserver.Deviation {
		edit.On = "event endpoint"
		return refserver.Deviation{Edits: []refserver.Edit{edit}}
	}
	name, lines := "message", []string{"event: message", `data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}`, ""}
	onFirstEvent(t, edited(refserver.Edit{Event: &refserver.EventEdit{Type: &name}}), func(t *testing.T, e sseEvent, _ *oldPeer) {
		if e.name != "message" {
			t.Errorf("wrong name: %+v", e)
		}
	})
	onFirstEvent(t, edited(refserver.Edit{Event: &refserver.EventEdit{Before: lines}}), func(t *testing.T, e sseEvent, o *oldPeer) {
		if second := o.event(); e.name != "message" || second.name != "endpoint" {
			t.Errorf("wrong order: %+v, %+v", e, second)
		}
	})
	deviant(t, edited(refserver.Edit{Delay: "150ms"}), func(t *testing.T, p *peer) {
		began := time.Now()
		if connect(p); time.Since(began) != 150*time.Millisecond {
			t.Errorf("late: after %v", time.Since(began))
		}
	})
	deviant(t, edited(refserver.Edit{Drop: true}), func(t *testing.T, p *peer) {
		in, _, cancel := p.listen()
		defer cancel()
		if o := (&oldPeer{in: in}); !o.silent() {
			t.Error("missing: something came")
		}
	})
}

func TestHTTPSSEAnswersElsewhere(t *testing.T) {
	for _, row := range []struct {
		name   string
		stream bool // where it comes besides the body
	}{{"answers-in-body", false}, {"answers-in-body-too", true}} {
		d := refserver.Deviation{Switches: []string{row.name}, When: &refserver.Condition{RPC: []string{"ping", "tools/call"}}}
		deviant(t, d, func(t *testing.T, p *peer) {
			o := connect(p)
			o.open(revision.V20241105)
			for _, body := range []string{pinging, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}`} {
				if r := o.say(body); r.status != http.StatusOK || len(r.messages) != 1 || r.messages[0]["result"] == nil {
					t.Errorf("%s: %d %q", row.name, r.status, r.raw)
				}
				if row.stream {
					result(t, o.next())
				}
			}
			if !o.silent() {
				t.Errorf("%s: the stream speaks", row.name)
			}
		})
	}
	for _, row := range []struct {
		name string
		own  bool
	}{{"answers-on-other-stream", false}, {"answers-on-every-stream", true}} {
		d := refserver.Deviation{Switches: []string{row.name}, When: &refserver.Condition{RPC: []string{"ping"}}}
		deviant(t, d, func(t *testing.T, p *peer) {
			a, b := connect(p), connect(p)
			synctest.Wait() // the server knows that both were told
			a.open(revision.V20241105)
			a.tell(pinging)
			result(t, b.next())
			if row.own {
				result(t, a.next())
			} else if !a.silent() {
				t.Errorf("%s: its own stream", row.name)
			}
		})
	}
}

func TestHTTPSSEGuardsAreSkipped(t *testing.T) {
	for _, guard := range []string{"sse-missing-session", "sse-unknown-session"} {
		deviant(t, refserver.Deviation{Switches: []string{"skip " + guard}}, func(t *testing.T, p *peer) {
			o := connect(p)
			query := map[string]string{"sse-missing-session": "", "sse-unknown-session": "?sessionId=x"}[guard]
			o.resolve(refserver.MessagePath + query)
			if r := o.say(pinging); r.status != http.StatusAccepted || !o.silent() {
				t.Errorf("%s: %d", guard, r.status)
			}
		})
	}
	deviant(t, refserver.Deviation{Switches: []string{"skip sse-closed-session"}}, func(t *testing.T, p *peer) {
		o := connect(p)
		o.close()
		synctest.Wait() // the server knows that the stream has gone
		o.tell(pinging)
	})
}

// TestHTTPSSEEdits edits outcomes, and events by what caused them.
func TestHTTPSSEEdits(t *testing.T) {
	text, name := "Accepted", "other"
	deviant(t, refserver.Deviation{Edits: []refserver.Edit{
		{On: "sse-post", Body: &text, Status: 200},
		{On: "event message", When: &refserver.Condition{RPC: []string{"ping"}}, Revisions: []string{revision.V20250618},
			Event: &refserver.EventEdit{Type: &name}},
		{On: "result tools/list", Remove: "/result/tools"},
		{On: "sse-open", Header: map[string]*string{"X-Test": &text}, Prefix: ": hello\n\n"},
	}}, func(t *testing.T, p *peer) {
		o := connect(p)
		say := func(body string) {
			if r := o.say(body); r.status != 200 || r.raw != text {
				t.Errorf("%d %q", r.status, r.raw)
			}
		}
		say(initializing(revision.V20250618))
		result(t, o.next())
		say(pinging)
		if e := o.event(); e.name != "other" {
			t.Errorf("%+v", e)
		}
		say(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
		if r := result(t, o.next()); len(r) != 0 {
			t.Errorf("%v", r)
		}
	})
}
