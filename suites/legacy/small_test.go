package legacy

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
	"github.com/mcpcheck/mcpcheck/wire/wiretest"
)

const (
	pingSeven = "> POST\n> {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n"
	pongSeven = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}"
)

// TestCalls: what an exchange calls, and which exchange belongs to it.
func TestCalls(t *testing.T) {
	for sent, want := range map[string]string{
		`"method":"tools/call","params":{"name":"a"}`: "a", `"method":"prompts/get","params":{"name":"a"}`: "", `"method":"tools/call","params":{"name":5}`: "", `"method":"tools/call"`: "",
	} {
		tr := wiretest.Transcript(t, "== x\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":7,"+sent+"}\n< 202\n")
		if got := calledTool(tr.Exchanges[0]); got != want {
			t.Errorf("%s calls %q", sent, got)
		}
	}
	first, again := &wire.Exchange{Label: "after a"}, &wire.Exchange{Label: "after a#2", Origin: wire.Origin{Repeat: 2}}
	tr := &wire.Transcript{Exchanges: []*wire.Exchange{first, again}}
	if sameCall(tr, "after a", &wire.Exchange{}) != first || sameCall(tr, "after a", &wire.Exchange{Origin: wire.Origin{Repeat: 2}}) != again || sameCall(tr, "after b", &wire.Exchange{}) != nil {
		t.Error("calls of the same round are not told apart")
	}
	if got := withoutID(&kit.Facts{}); !slices.Equal(got, []string{"ping"}) {
		t.Errorf("without a list: %q", got)
	}
	if got := withoutID(&kit.Facts{List: "tools/list"}); !slices.Equal(got, []string{"ping", "tools/list"}) {
		t.Errorf("with a list: %q", got)
	}
}

// TestSwapped: a connection brought the response to another request of ours, and not its own.
func TestSwapped(t *testing.T) {
	var asked judges.IDSet
	asked.Add(json.RawMessage("7"))
	asked.Add(json.RawMessage("8"))
	stream := func(messages ...string) string {
		return "< 200 text/event-stream\n<\n< data: " + strings.Join(messages, "\n<\n< data: ") + "\n<"
	}
	other := strings.Replace(pongSeven, "7", "8", 1)
	for name, row := range map[string]struct {
		came string
		want bool
	}{
		"its own":               {stream(pongSeven), false},
		"another's":             {stream(other), true},
		"another's error":       {stream(`{"jsonrpc":"2.0","id":8,"error":{"code":1,"message":"x"}}`), true},
		"both":                  {stream(other, pongSeven), false},
		"of nobody":             {stream(strings.Replace(pongSeven, "7", "9", 1)), false},
		"without an id":         {stream(`{"jsonrpc":"2.0","result":{}}`), false},
		"a request with its id": {stream(`{"jsonrpc":"2.0","id":8,"method":"ping"}`), false},
	} {
		if got := swapped(wiretest.Transcript(t, "== x\n"+pingSeven+row.came+"\n").Exchanges[0], asked); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for text, want := range map[string]bool{
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`: true, `{"jsonrpc":"2.0","method":"notifications/x","params":{"requestId":7}}`: false,
		`{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{"requestId":7}}`: false, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}`: false,
	} {
		if cancels(wire.ReadMessage([]byte(text)), []byte("7")) != want {
			t.Errorf("%s cancels 7: %v", text, !want)
		}
	}
}

// TestEventIDs: which ids a stream gave its events; an empty one is none.
func TestEventIDs(t *testing.T) {
	for stream, want := range map[string][4]string{ // all, first, last, and where a replay begins
		"< id: 1\n< data: a\n<\n< id:\n< data: b\n<\n< id: 3\n< data: c\n<":      {"2", "1", "3", "1"},
		"< id:\n< data:\n<\n< id: 2\n< data: b\n<\n< id: 3\n< data: c\n<":        {"2", "2", "3", "2"},
		"< id: 1\n<\n< id: 2\n< data: b\n<\n< data: c\n<\n< id: 4\n< data: d\n<": {"3", "1", "4", "2"},
		"< id: 1\n< data: a\n<": {"1", "1", "1", "1"},
		"< data: a\n<":          {"0", "", "", ""},
	} {
		x := wiretest.Transcript(t, "== x\n"+pingSeven+"< 200 text/event-stream\n<\n"+stream+"\n").Exchanges[0]
		got := [4]string{string(rune('0' + len(eventIDs(x)))), firstEventID(x), lastEventID(x), resumedFrom(x)}
		if got != want {
			t.Errorf("%q: %q, want %q", stream, got, want)
		}
	}
	with := func(ids ...string) *wire.Exchange {
		text := ""
		for _, id := range ids {
			text += "< id: " + id + "\n< data: a\n<\n"
		}
		return wiretest.Transcript(t, "== x\n"+pingSeven+"< 200 text/event-stream\n<\n"+text).Exchanges[0]
	}
	one, two, three, alsoTwo := with("1"), with("1", "2"), with("1", "2", "3"), with("4", "5")
	if richest([]*wire.Exchange{one, three, two}) != three || richest([]*wire.Exchange{two, alsoTwo}) != two || richest([]*wire.Exchange{one}) != one {
		t.Error("the first of those with the most ids is not found")
	}
}

// TestResumptionsOf: a GET resumes the stream that its origin names, and runs beside those that were open when it was sent.
func TestResumptionsOf(t *testing.T) {
	call := &wire.Exchange{Label: "call"}
	resumed := &wire.Exchange{Label: "resume call", Origin: wire.ResumptionOf("call")}
	tr := &wire.Transcript{Exchanges: []*wire.Exchange{call, {Label: "call again", Origin: wire.RepetitionOf("call")}, {Label: "resume x", Origin: wire.ResumptionOf("x")}, resumed}}
	if got := resumptionsOf(tr, call); len(got) != 1 || got[0] != resumed {
		t.Errorf("resumptions: %d", len(got))
	}
	for name, row := range map[string]struct {
		other string
		want  bool
	}{
		"open":                {"at: 0s 1s 9s\n> GET\n< 200 text/event-stream\n<\n< : open\n<", true},
		"just opened":         {"at: 0s 5s 9s\n> GET\n< 200 text/event-stream\n<\n< : open\n<", true},
		"opened later":        {"at: 0s 5001ms 9s\n> GET\n< 200 text/event-stream\n<\n< : open\n<", false},
		"just closed":         {"at: 0s 1s 5s\n> GET\n< 200 text/event-stream\n<\n< : open\n<", false},
		"a POST":              {"at: 0s 1s 9s\n> POST\n< 200 text/event-stream\n<\n< : open\n<", false},
		"no stream":           {"at: 0s 1s 9s\n> GET\n< 200 application/json\n< {}", false},
		"refused on a stream": {"at: 0s 1s 9s\n> GET\n< 404 text/event-stream\n<\n< : no\n<", false},
	} {
		tr := wiretest.Transcript(t, "== other\n"+row.other+"\n== x\nat: 5s 5s 6s\n> GET\n< 405\n")
		if got := besideStream(tr, tr.Exchange("x")); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestStreamFacts: how a server answers, and whether it can be listened to.
func TestStreamFacts(t *testing.T) {
	initialize := "== initialize\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"
	stream := "== ping\n" + pingSeven + "< 200 text/event-stream\n<\n<ID< data: " + pongSeven + "\n<\n"
	first := strings.Replace(stream, "== ping", "== stream first", 1)
	for name, row := range map[string]struct {
		text          string
		get, sse, ids kit.Fact
		first         bool
	}{
		"JSON":                       {initialize, kit.Unknown, kit.No, kit.No, false},
		"streams":                    {initialize + strings.ReplaceAll(stream, "<ID", ""), kit.Unknown, kit.Yes, kit.No, false},
		"streams with ids":           {initialize + strings.ReplaceAll(stream, "<ID", "< id: 1\n"), kit.Unknown, kit.Yes, kit.Yes, false},
		"streams with empty ids":     {initialize + strings.ReplaceAll(stream, "<ID", "< id:\n"), kit.Unknown, kit.Yes, kit.No, false},
		"ids, and then none":         {initialize + strings.ReplaceAll(stream, "<ID", "< id: 1\n") + strings.ReplaceAll(strings.Replace(stream, "== ping", "== later", 1), "<ID", ""), kit.Unknown, kit.Yes, kit.Yes, false},
		"a refusal on a stream":      {initialize + "== ping\n" + pingSeven + "< 400 text/event-stream\n<\n< id: 1\n< data: " + pongSeven + "\n<\n", kit.Unknown, kit.No, kit.No, false},
		"a GET stream":               {initialize + "== get\n> GET\n< 200 text/event-stream\n<\n< id: 1\n< data: a\n<\n", kit.Yes, kit.No, kit.No, false},
		"a GET without a stream":     {initialize + "== get\n> GET\n< 200 application/json\n< {}\n", kit.Unknown, kit.No, kit.No, false},
		"a GET refused on a stream":  {initialize + "== get\n> GET\n< 404 text/event-stream\n<\n< : no\n<\n", kit.Unknown, kit.No, kit.No, false},
		"a GET that is not allowed":  {initialize + "== get\n> GET\n< 405\n", kit.No, kit.No, kit.No, false},
		"a stream where asked first": {initialize + strings.ReplaceAll(first, "<ID", ""), kit.Unknown, kit.Yes, kit.No, true},
		"JSON where asked first":     {initialize + "== stream first\n" + pingSeven + "< 200 application/json\n< " + pongSeven + "\n", kit.Unknown, kit.No, kit.No, false},
		"nothing where asked first":  {initialize + "== stream first\n" + pingSeven + "< 200 text/event-stream\n<\n< : no\n<\n", kit.Unknown, kit.No, kit.No, false},
		"over HTTP+SSE":              {"transport: http-sse\n" + initialize + strings.ReplaceAll(stream, "<ID", "< id: 1\n"), kit.No, kit.No, kit.No, false},
	} {
		f := facts(wiretest.Transcript(t, row.text), kit.Given{})
		if f.Trait(traitGetStream) != row.get || f.SSEAnswers != row.sse || f.Trait(traitEventIDs) != row.ids || f.StreamFirst != row.first {
			t.Errorf("%s: GET %s, streams %s, ids %s, asked first %v", name, f.Trait(traitGetStream), f.SSEAnswers, f.Trait(traitEventIDs), f.StreamFirst)
		}
	}
}

// TestEra: which requirements exist over which transport, and what shows that a server means it.
func TestEra(t *testing.T) {
	levels := func(revisions ...string) map[string]catalogue.Level {
		all := map[string]catalogue.Level{}
		for _, r := range revisions {
			all[r] = catalogue.Must
		}
		return all
	}
	for name, row := range map[string]struct {
		entry          catalogue.Entry
		revision       string
		over, overHTTP bool // HTTP+SSE, Streamable HTTP
	}{
		"a message rule":                {catalogue.Entry{Area: "tools", Levels: levels("2024-11-05")}, "2024-11-05", true, true},
		"a lent rule":                   {catalogue.Entry{Area: "transport", Levels: levels("2024-11-05"), Lent: map[string]string{"2024-11-05": "2025-03-26"}}, "2024-11-05", false, true},
		"a rule of the old transport":   {catalogue.Entry{Area: "http-sse", Levels: levels("2024-11-05")}, "2024-11-05", true, false},
		"one that came with the new":    {catalogue.Entry{Area: "http-sse", Levels: levels("2025-03-26")}, "2025-03-26", true, true},
		"a rule for the old streams":    {catalogue.Entry{Area: "sse", Levels: levels("2024-11-05")}, "2024-11-05", true, false},
		"a rule for the streams of now": {catalogue.Entry{Area: "sse", Levels: levels("2025-03-26")}, "2025-03-26", true, true},
	} {
		if applies(row.entry, kit.HTTPSSE, row.revision) != row.over || applies(row.entry, kit.StreamableHTTP, row.revision) != row.overHTTP {
			t.Errorf("%s applies over HTTP+SSE %v, over Streamable HTTP %v", name, !row.over, !row.overHTTP)
		}
	}
	era := Era()
	for want, f := range map[bool][]*kit.Facts{
		true:  {{Traits: map[kit.Trait]kit.Fact{traitSessions: kit.Yes}}, {SSEAnswers: kit.Yes}},
		false: {{}, {Traits: map[kit.Trait]kit.Fact{traitSessions: kit.No}, SSEAnswers: kit.No}},
	} {
		for _, one := range f {
			if era.Lending.Meant(one) != want {
				t.Errorf("%v means Streamable HTTP: %v", one, !want)
			}
		}
	}
	const challenge = "== without credentials\n> POST\n< 401\n< Www-Authenticate: Bearer resource_metadata=http://127.0.0.1:3000/x\n"
	if got := era.Access.Dates(wiretest.Transcript(t, challenge)); got != "2025-06-18" {
		t.Errorf("a challenge with metadata dates from %q", got)
	}
	if got := era.Access.Dates(wiretest.Transcript(t, "== without credentials\n> POST\n< 401\n< Www-Authenticate: Bearer\n")); got != "" {
		t.Errorf("a challenge without dates from %q", got)
	}
}

// TestNewer: what came with a later revision than the one that was negotiated.
func TestNewer(t *testing.T) {
	call := &wire.Exchange{Request: wire.Request{Body: wire.NewBody([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`))}}
	for name, row := range map[string]struct {
		text, spoken string
		want         int
	}{
		"a form, before there were any":  {`{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`, "2025-03-26", 1},
		"a page, before there were any":  {`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url"}}`, "2025-03-26", 1},
		"a page, where there were forms": {`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url"}}`, "2025-06-18", 1},
		"a form":                         {`{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`, "2025-06-18", 0},
		"a page":                         {`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url"}}`, "2025-11-25", 0},
		"a notification about a form":    {`{"jsonrpc":"2.0","method":"elicitation/create"}`, "2025-03-26", 0},
		"another request":                {`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "2024-11-05", 0},
		"a task":                         {`{"jsonrpc":"2.0","id":1,"method":"tasks/get"}`, "2025-06-18", 1},
		"a task in time":                 {`{"jsonrpc":"2.0","id":1,"method":"tasks/get"}`, "2025-11-25", 0},
		"two sounds":                     {`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"audio"},{"type":"audio"},{"type":"text"}]}}`, "2024-11-05", 1},
		"a sound and a link":             {`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"audio"},{"type":"resource_link"},5]}}`, "2024-11-05", 2},
		"a sound where there are some":   {`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"audio"}]}}`, "2025-03-26", 0},
		"an error":                       {`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`, "2024-11-05", 0},
	} {
		m := kit.Seen{Located: wire.Located{Message: wire.ReadMessage([]byte(row.text)), Event: -1, Batch: -1}, Exchange: call}
		if got := newerThan(m, row.spoken); len(got) != row.want {
			t.Errorf("%s: %q, want %d", name, got, row.want)
		}
	}
	initialize := wire.ReadMessage([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`))
	for name, row := range map[string]struct {
		text, spoken string
		want         bool
	}{
		"sampling":                           {`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}`, "2024-11-05", true},
		"a notification about sampling":      {`{"jsonrpc":"2.0","method":"sampling/createMessage"}`, "2024-11-05", false},
		"a form":                             {`{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`, "2025-06-18", true},
		"a form, which the revision has not": {`{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`, "2025-03-26", false},
		"ping":                               {`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "2025-06-18", false},
		"a change of a list":                 {`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, "2025-06-18", true},
		"a request about a change":           {`{"jsonrpc":"2.0","id":1,"method":"notifications/tools/list_changed"}`, "2025-06-18", false},
	} {
		a := &agreement{revision: row.spoken, client: initialize, server: wire.ReadMessage([]byte(`{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}`))}
		if got := a.undeclared(wire.ReadMessage([]byte(row.text))); (got != "") != row.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestVersionsAnswered: only a served initialize offers a version, and an error may list some.
func TestVersionsAnswered(t *testing.T) {
	initialize := "== x\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n"
	const body = ` application/json` + "\n" + `< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"v"}}` + "\n"
	for text, want := range map[string]string{initialize + "< 200" + body: "v", initialize + "< 400" + body: "", strings.Replace(initialize, "initialize", "ping", 1) + "< 200" + body: ""} {
		if got := offeredVersion(wiretest.Transcript(t, text).Exchanges[0]); got != want {
			t.Errorf("%s offers %q", text, got)
		}
	}
	if offeredVersion(nil) != "" {
		t.Error("what was not sent offers a version")
	}
	for data, want := range map[string]bool{`{"supported":["a"]}`: true, `{"supported":[]}`: false, `{"supported":"a"}`: false, `["a"]`: false, `null`: false} {
		if namesVersions(wire.ReadMessage([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x","data":`+data+`}}`))) != want {
			t.Errorf("%s names versions: %v", data, !want)
		}
	}
}

// TestBodies: what a body is by its bytes and its label.
func TestBodies(t *testing.T) {
	for text, want := range map[string]bool{"": false, "{}": false, "\x00{": true, "{\x00}\x00": true, "1234567\x00": true, "12345678\x00": false} {
		if wideUnits([]byte(text)) != want {
			t.Errorf("%q comes in wide units: %v", text, !want)
		}
	}
	for media, want := range map[string]string{"application/json; charset=UTF-8": "utf-8", "application/json": "", "application/json; charset": "", "": ""} {
		x := &wire.Exchange{Response: &wire.Response{Header: map[string][]string{"Content-Type": {media}}}}
		if got := charset(x); got != want {
			t.Errorf("%q has the charset %q", media, got)
		}
	}
	for name, row := range map[string]struct {
		text string
		want bool
	}{
		"an answer":                   {"== x\n" + pingSeven + "< 200 application/json\n< {}\n", true},
		"an empty one":                {"== x\n" + pingSeven + "< 200 application/json\n", false},
		"a refusal":                   {"== x\n" + pingSeven + "< 400 application/json\n< {}\n", false},
		"a refusal that is a message": {"== x\n" + pingSeven + "< 400 application/json\n< {\"jsonrpc\":\"2.0\"}\n", true},
		"an answer to a notification": {"== x\n> POST\n> {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n< 200 application/json\n< {}\n", false},
	} {
		x := wiretest.Transcript(t, row.text).Exchanges[0]
		if got := holdsMessage(x, x.Response.Body.Bytes()); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := listOrNothing([]string{"a", "b", "c", "d", "e"}); got != "a, b, c, d, e" {
		t.Errorf("five methods: %s", got)
	}
	if got := listOrNothing([]string{"a", "b", "c", "d", "e", "f"}); got != "a, b, c, d, e and others" {
		t.Errorf("six methods: %s", got)
	}
	for uri, want := range map[string]string{"A:%62": "a:b", "a:%zz": "a:%zz"} {
		if got := plainURI(uri); got != want {
			t.Errorf("%q is plainly %q", uri, got)
		}
	}
}
