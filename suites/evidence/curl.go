package evidence

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Curl writes the lines that reproduce an exchange: the request itself, and before it the handshake and the steps that it hangs on
// when it was sent in a session. It is empty where time, many requests or streams are the point, which a line of curl cannot show.
func Curl(p kit.Place) string {
	// An event id of an old session resumes nothing in a new one.
	if p.Transcript == nil || p.Late || kit.RequestHeader(p.Exchange, "Last-Event-ID") != "" {
		return ""
	}
	// What a server asked for is answered once: whoever comes back a second time, or too late, is another case.
	if _, comesBack := p.Exchange.RequestMessage().Pointer("/params/requestState"); comesBack {
		return ""
	}
	// What came on a GET stream came because of something else that was sent: the stream alone shows nothing.
	if p.Exchange.Request.Method == "GET" && p.Event >= 0 {
		return ""
	}
	var lines []string
	id := kit.RequestHeader(p.Exchange, "Mcp-Session-Id")
	opened := opening(p.Transcript, id)
	ours := id != "" && (id == p.Transcript.Session.ID || opened != nil)
	if ours {
		lines = append(lines, openLines(p, opened, id)...)
		for _, x := range steps(p, opened, id) {
			lines = append(lines, "curl -sS "+arguments(x, id)+" -o /dev/null")
		}
	}
	if !ours {
		id = ""
	}
	return strings.Join(append(lines, "curl -sS -i "+arguments(p.Exchange, id)), "\n")
}

// opening is the initialize that opened a session, nil where another conversation opened it. One whose session has ended may go on in a
// further one.
func opening(t *wire.Transcript, id string) *wire.Exchange {
	for _, x := range t.Exchanges {
		if x.RequestMessage().Method == "initialize" && kit.RequestHeader(x, "Mcp-Session-Id") == "" && slices.Contains(x.ResponseSession(), id) {
			return x
		}
	}
	if id == t.Session.ID {
		return t.Exchange("initialize")
	}
	return nil
}

// openLines perform the handshake with curl and keep the session id.
func openLines(p kit.Place, opened *wire.Exchange, id string) []string {
	open := opened
	if open == nil {
		open = handshake(p)
	}
	lines := []string{"SID=$(curl -sS " + arguments(open, "") + ` -D - -o /dev/null | sed -n 's/^mcp-session-id: *//Ip' | tr -d '\r')`}
	if opened != nil && !initialized(p, id) {
		return lines // that it had not been told is the point
	}
	told := &wire.Exchange{Request: wire.Request{
		Method: "POST", URL: open.Request.URL, Header: followUp(p, open, id),
		Body: wire.NewBody([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)),
	}}
	return append(lines, "curl -sS "+arguments(told, id)+" -o /dev/null")
}

// initialized tells that notifications/initialized of the session went ahead of the exchange to reproduce.
func initialized(p kit.Place, id string) bool {
	for _, x := range p.Transcript.Exchanges {
		if x == p.Exchange {
			break
		}
		if x.RequestMessage().Method == "notifications/initialized" && kit.RequestHeader(x, "Mcp-Session-Id") == id {
			return true
		}
	}
	return false
}

// handshake stands in for the initialize of a shared session, which the inventory's transcript holds.
func handshake(p kit.Place) *wire.Exchange {
	return &wire.Exchange{Request: wire.Request{
		Method: "POST", URL: p.Exchange.Request.URL,
		Header: map[string][]string{
			"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		},
		Body: wire.NewBody([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` +
			p.Transcript.Revision + `","capabilities":{},"clientInfo":{"name":"curl","version":"0"}}}`)),
	}}
}

func followUp(p kit.Place, open *wire.Exchange, id string) map[string][]string {
	h := map[string][]string{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Session-Id": {id},
	}
	if revision.Since(p.Transcript.Session.Negotiated, "2025-06-18") {
		h["MCP-Protocol-Version"] = []string{p.Transcript.Session.Negotiated}
	}
	if v := open.Request.Header["Authorization"]; len(v) > 0 {
		h["Authorization"] = v
	}
	return h
}

// steps are the exchanges between the handshake and the one to reproduce that change something: a DELETE, if not of another session, and a
// second initialize.
func steps(p kit.Place, opened *wire.Exchange, id string) []*wire.Exchange {
	var between []*wire.Exchange
	for _, x := range p.Transcript.Exchanges {
		if x == p.Exchange {
			break
		}
		of := kit.RequestHeader(x, "Mcp-Session-Id")
		again := x != opened && x.RequestMessage().Method == "initialize" && of == id
		if x.Request.Method == "DELETE" && !x.Origin.Automatic() && (of == id || of == "") || again {
			between = append(between, x)
		}
	}
	return between
}

// arguments writes one request for curl, with $SID for the given session id. Header fields that curl sets itself are left to it.
func arguments(x *wire.Exchange, session string) string {
	var words []string
	if x.Request.Method == "GET" {
		words = append(words, "-N -m 5")
	} else if x.Request.Method != "POST" || x.Request.Body.IsZero() {
		words = append(words, "-X "+x.Request.Method)
	}
	if x.Request.Method != "GET" && (x.EndedBy == wire.ByTimeout || x.EndedBy == wire.ByClient) {
		words = append(words, "-m 10") // it did not end by itself
	}
	words = append(words, Quote(x.Request.URL))
	names := make([]string, 0, len(x.Request.Header))
	for name := range x.Request.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	accept := false
	for _, name := range names {
		accept = accept || strings.EqualFold(name, "Accept")
		for _, v := range x.Request.Header[name] {
			if field := field(name, v, session); field != "" {
				words = append(words, field)
			}
		}
	}
	if !accept {
		words = append(words, "-H 'Accept:'")
	}
	if x.Request.Host != "" {
		words = append(words, "-H "+Quote("Host: "+x.Request.Host))
	}
	if !x.Request.Body.IsZero() {
		words = append(words, "--data-binary "+Quote(string(x.Request.Body.Bytes())))
	}
	return strings.Join(words, " ")
}

func field(name, value, session string) string {
	switch strings.ToLower(name) {
	case "user-agent", "content-length", "host":
		return ""
	case "connection":
		if value != "close" { // which says that the request has its connection to itself, as those of curl do
			return ""
		}
	case "mcp-session-id":
		if session != "" && value == session {
			return `-H "` + name + `: $SID"`
		}
	}
	if strings.EqualFold(name, "Authorization") && value == wire.Redacted {
		// Nearly always a bearer token; the scheme is redacted with it.
		return `-H "` + name + `: Bearer $TOKEN"`
	}
	if strings.Contains(value, wire.Redacted) {
		value = strings.ReplaceAll(value, wire.Redacted, "$TOKEN")
		return `-H "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`").Replace(name+": "+value) + `"`
	}
	return "-H " + Quote(name+": "+value)
}

// Quote quotes for a POSIX shell.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
