package legacy

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A arrival is a message of the server and when it came.
type arrival struct {
	at   time.Duration
	text string
}

const aSecond = time.Second

// streamed is an exchange that was answered by an event stream.
func streamed(label, method, sent string, end wire.EndedBy, messages ...arrival) *wire.Exchange {
	x := &wire.Exchange{Label: label, EndedBy: end, Request: wire.Request{
		Method: method, URL: "http://127.0.0.1/mcp", Header: http.Header{"Mcp-Session-Id": {"session-of-mcpcheck"}}, Body: wire.NewBody([]byte(sent)),
	}}
	body := ""
	x.Response = &wire.Response{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}}
	for _, m := range messages {
		body += "data: " + m.text + "\n\n"
		x.Response.Chunks = append(x.Response.Chunks, wire.Chunk{End: int64(len(body)), At: m.at})
		x.End = m.at
	}
	x.Response.Body = wire.NewBody([]byte(body))
	return x
}

// posted is an exchange that was answered 202, at a time.
func posted(at time.Duration, sent string) *wire.Exchange {
	x := streamed("posted", "POST", sent, wire.ByServer)
	x.Response.Status, x.Response.Header, x.Sent, x.End = 202, nil, at, at
	return x
}

// verdictOn judges one requirement on one conversation.
func verdictOn(t *testing.T, id string, fill func(*kit.Section), exchanges ...*wire.Exchange) kit.Result {
	t.Helper()
	all, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	area, _, _ := strings.Cut(id, ".")
	era := Era()
	section := kit.NewSection(all, era, kit.Area{Name: area, Fill: fill})
	tr := &wire.Transcript{Script: "script", Revision: "2025-11-25", Started: time.Unix(0, 0), Exchanges: exchanges}
	return kit.NewJudge(&kit.Recording{Era: era, Revision: "2025-11-25", Transport: kit.StreamableHTTP, Transcripts: []*wire.Transcript{tr}}, section.Checks()).Cell(id)
}

const (
	readyMessage  = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	pingA         = `{"jsonrpc":"2.0","id":"a","method":"ping"}`
	pongA         = `{"jsonrpc":"2.0","id":"a","result":{}}`
	cancelsA      = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`
	callWithToken = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":"t"}}}`
	responseOne   = `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`
	progressT     = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}}`
)

func TestCancellationReferences(t *testing.T) {
	get := func(messages ...arrival) *wire.Exchange {
		return streamed("get", "GET", "", wire.ByClient, messages...)
	}
	cut := streamed("call", "POST", callWithToken, wire.ByClient)
	for name, row := range map[string]struct {
		want      kit.Verdict
		exchanges []*wire.Exchange
	}{
		"still open":          {kit.Pass, []*wire.Exchange{posted(0, readyMessage), get(arrival{0, pingA}, arrival{3 * aSecond, cancelsA})}},
		"crossed the answer":  {kit.Pass, []*wire.Exchange{posted(0, readyMessage), get(arrival{0, pingA}, arrival{3 * aSecond, cancelsA}), posted(2*aSecond, pongA)}},
		"answered long ago":   {kit.Fail, []*wire.Exchange{posted(0, readyMessage), get(arrival{0, pingA}, arrival{3 * aSecond, cancelsA}), posted(aSecond/2, pongA)}},
		"never sent":          {kit.Fail, []*wire.Exchange{get(arrival{aSecond, cancelsA}), posted(0, readyMessage)}},
		"sent too early":      {kit.NotObserved, []*wire.Exchange{posted(0, readyMessage), get(arrival{aSecond, cancelsA})}},
		"sent on a cut one":   {kit.NotObserved, []*wire.Exchange{get(arrival{aSecond, cancelsA}), posted(0, readyMessage), cut}},
		"without requestId":   {kit.Fail, []*wire.Exchange{get(arrival{0, `{"jsonrpc":"2.0","method":"notifications/cancelled"}`})}},
		"no cancellation":     {kit.NotObserved, []*wire.Exchange{get(arrival{0, pingA})}},
		"a task, by its task": {kit.NotObserved, []*wire.Exchange{get(arrival{0, `{"jsonrpc":"2.0","id":1,"method":"tasks/cancel","params":{"taskId":"x"}}`})}},
	} {
		if r := verdictOn(t, "utilities.cancel.references", utilitiesCancel, row.exchanges...); r.Verdict != row.want {
			t.Errorf("%s: %s: %s", name, r.Verdict, r.Message)
		}
	}
}

func TestProgressStops(t *testing.T) {
	call := func(messages ...arrival) *wire.Exchange {
		return streamed("call", "POST", callWithToken, wire.ByServer, messages...)
	}
	get := func(messages ...arrival) *wire.Exchange {
		return streamed("get", "GET", "", wire.ByClient, messages...)
	}
	resumed := get(arrival{0, progressT}, arrival{0, responseOne}, arrival{5 * aSecond, progressT})
	resumed.Request.Header["Last-Event-ID"] = []string{"1"}
	replay := get(arrival{5 * aSecond, progressT})
	replay.Request.Header["Last-Event-ID"] = []string{"1"}
	augmented := streamed("call", "POST", strings.Replace(callWithToken, `"name"`, `"task":{},"name"`, 1), wire.ByServer, arrival{0, responseOne}, arrival{0, progressT})
	for name, row := range map[string]struct {
		want      kit.Verdict
		exchanges []*wire.Exchange
	}{
		"before":                 {kit.Pass, []*wire.Exchange{call(arrival{0, progressT}, arrival{0, responseOne})}},
		"behind":                 {kit.Fail, []*wire.Exchange{call(arrival{0, responseOne}, arrival{0, progressT})}},
		"elsewhere, soon":        {kit.Pass, []*wire.Exchange{call(arrival{0, responseOne}), get(arrival{aSecond, progressT})}},
		"elsewhere, late":        {kit.Fail, []*wire.Exchange{call(arrival{0, responseOne}), get(arrival{3 * aSecond, progressT})}},
		"replayed later":         {kit.Pass, []*wire.Exchange{call(arrival{0, responseOne}), replay}},
		"behind, on the resumed": {kit.Fail, []*wire.Exchange{call(), resumed}},
		"never answered":         {kit.NotObserved, []*wire.Exchange{call(arrival{0, progressT})}},
		"the token twice":        {kit.NotObserved, []*wire.Exchange{call(arrival{0, responseOne}), call(arrival{0, responseOne}), get(arrival{3 * aSecond, progressT})}},
		"a task":                 {kit.NotObserved, []*wire.Exchange{augmented}},
	} {
		if r := verdictOn(t, "utilities.progress.stops", utilitiesProgress, row.exchanges...); r.Verdict != row.want {
			t.Errorf("%s: %s: %s", name, r.Verdict, r.Message)
		}
	}
}

func TestProgressGrows(t *testing.T) {
	for pair, want := range map[string]bool{
		"1 2": false, "1 1": true, "2 1": true, "1 1.0": true, "0.1 0.2": false, "-1 0": false, "1e999999999 1": false, "-1e999999999 -1": false, "1 1e999999999": false,
		"9007199254740993 9007199254740992": false, // one float
		"9007199254740993 9007199254740993": true,
	} {
		before, after, _ := strings.Cut(pair, " ")
		if got := notGreater([]byte(before), []byte(after)); got != want {
			t.Errorf("%s then %s: %v", before, after, got)
		}
	}
}

func TestLogContent(t *testing.T) {
	log := func(text string) arrival {
		return arrival{0, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + text + `"}}`}
	}
	for name, row := range map[string]struct {
		text       string
		credential bool
		want       kit.Verdict
	}{
		"nothing":                  {"hello", true, kit.Pass},
		"a masked token":           {"Bearer [redacted]*****", true, kit.Fail},
		"masked by the server":     {"Bearer [redacted]", true, kit.Pass},
		"masks without a token":    {"Bearer [redacted]*****", false, kit.Pass},
		"its own session":          {"in session-of-mcpcheck", false, kit.Note},
		"another session":          {"in session-of-another", false, kit.Fail},
		"the beginning of another": {"in session-of-mcp", false, kit.Pass},
	} {
		other := streamed("other", "POST", callWithToken, wire.ByServer)
		other.Request.Header["Mcp-Session-Id"] = []string{"session-of-another"}
		other.Response.Header["Mcp-Session-Id"] = []string{"session-of-another"}
		x := streamed("call", "POST", callWithToken, wire.ByServer, log(row.text))
		x.Response.Header["Mcp-Session-Id"] = []string{"session-of-mcpcheck"}
		if row.credential {
			x.Request.Header["Authorization"] = []string{wire.Redacted}
		}
		if r := verdictOn(t, "logging.content", logging, x, other); r.Verdict != row.want {
			t.Errorf("%s: %s: %s", name, r.Verdict, r.Message)
		}
	}
}
