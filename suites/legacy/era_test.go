package legacy

import (
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire/wiretest"
)

const opened = `transport: streamable-http
revision: 2025-06-18
== initialize
> POST
> {"jsonrpc":"2.0","id":1,"method":"initialize"}
< 200 application/json
< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}
`

// TestFactsOfStreams: what an inventory shows of streams.
func TestFactsOfStreams(t *testing.T) {
	const stream = "< 200 text/event-stream\n<\n< data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n<\n"
	const ask = "== stream first\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n"
	for name, row := range map[string]struct {
		transport, text string
		get, sse, ids   kit.Fact
		streamFirst     bool
	}{
		"nothing but JSON":               {kit.StreamableHTTP, opened, kit.Unknown, kit.No, kit.No, false},
		"a stream where it comes first":  {kit.StreamableHTTP, opened + ask + stream, kit.Unknown, kit.Yes, kit.No, true},
		"JSON although it comes first":   {kit.StreamableHTTP, opened + ask + "< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n", kit.Unknown, kit.No, kit.No, false},
		"a stream without a result":      {kit.StreamableHTTP, opened + ask + "< 200 text/event-stream\n<\n", kit.Unknown, kit.No, kit.No, false},
		"a stream of the older kind":     {kit.HTTPSSE, opened + "== get\n> GET\n< 200 text/event-stream\n<\n. client\n", kit.No, kit.No, kit.No, false},
		"GET opens a stream":             {kit.StreamableHTTP, opened + "== get\n> GET\n< 200 text/event-stream\n<\n. client\n", kit.Yes, kit.No, kit.No, false},
		"GET opens one under 404":        {kit.StreamableHTTP, opened + "== get\n> GET\n< 404 text/event-stream\n<\n. client\n", kit.Unknown, kit.No, kit.No, false},
		"GET is answered with something": {kit.StreamableHTTP, opened + "== get\n> GET\n< 200 text/html\n<\n< <p>\n", kit.Unknown, kit.No, kit.No, false},
		"GET is answered 405":            {kit.StreamableHTTP, opened + "== get\n> GET\n< 405\n", kit.No, kit.No, kit.No, false},
	} {
		tr := wiretest.Transcript(t, row.text)
		tr.Transport = row.transport
		f := facts(tr, kit.Given{})
		if f.Trait(traitGetStream) != row.get || f.SSEAnswers != row.sse || f.Trait(traitEventIDs) != row.ids || f.StreamFirst != row.streamFirst {
			t.Errorf("%s: GET stream %v, streams %v, ids %v, stream first %v", name, f.Trait(traitGetStream), f.SSEAnswers, f.Trait(traitEventIDs), f.StreamFirst)
		}
	}
}

// TestApplies: which rules count over which transport.
func TestApplies(t *testing.T) {
	c, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		id, revision            string
		streamable, overOldHTTP bool
	}{
		{"tools.list.shape", "2024-11-05", true, true},
		{"session.missing-400", "2025-06-18", true, true},
		{"http-sse.endpoint-event", "2024-11-05", false, true},
		{"http-sse.compat-alongside", "2025-06-18", true, true},
		{"sse.data-jsonrpc", "2025-06-18", true, true},
	} {
		e, ok := c.ByID(row.id)
		if !ok {
			t.Errorf("no entry %s", row.id)
			continue
		}
		if a, b := applies(e, kit.StreamableHTTP, row.revision), applies(e, kit.HTTPSSE, row.revision); a != row.streamable || b != row.overOldHTTP {
			t.Errorf("%s in %s: %v over Streamable HTTP, %v over HTTP+SSE", row.id, row.revision, a, b)
		}
	}
	lent, _ := c.ByID("session.missing-400")
	lent.Lent = map[string]string{"2024-11-05": "2025-03-26"}
	if !applies(lent, kit.StreamableHTTP, "2024-11-05") || applies(lent, kit.HTTPSSE, "2024-11-05") {
		t.Error("what is lent to the oldest revision is for Streamable HTTP")
	}
}

// TestLending: a server of the oldest revision means Streamable HTTP where it has sessions, or answers on streams.
func TestLending(t *testing.T) {
	meant := Era().Lending.Meant
	for name, row := range map[string]struct {
		sessions, sse kit.Fact
		want          bool
	}{
		"neither":  {kit.No, kit.No, false},
		"sessions": {kit.Yes, kit.No, true},
		"streams":  {kit.No, kit.Yes, true},
		"unknown":  {kit.Unknown, kit.Unknown, false},
	} {
		f := kit.NewFacts("2024-11-05", kit.StreamableHTTP, kit.Given{})
		f.Traits[traitSessions], f.SSEAnswers = row.sessions, row.sse
		if got := meant(f); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestDatesOfAccess: metadata of the protected resource, or the name of some, came with 2025-06-18.
func TestDatesOfAccess(t *testing.T) {
	const refused = "== without credentials\n> POST\n< 401\n"
	const at = "== resource metadata at the root\n> GET http://127.0.0.1:3000/.well-known/oauth-protected-resource\n"
	for text, want := range map[string]string{
		refused:                                  "",
		refused + "< Www-Authenticate: Bearer\n": "",
		refused + "< Www-Authenticate: Basic resource_metadata=\"https://a.example/\"\n":  "",
		refused + "< Www-Authenticate: Bearer resource_metadata=\"https://a.example/\"\n": "2025-06-18",
		refused + at + "< 200 application/json\n< {}\n":                                   "2025-06-18",
		refused + at + "< 404 application/json\n< {}\n":                                   "",
		refused + at + "< 200 application/json\n< []\n":                                   "",
		"== without credentials\n> POST\n. timeout timeout \"no answer within 10s\"\n":    "",
	} {
		if got := Era().Access.Dates(wiretest.Transcript(t, text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
