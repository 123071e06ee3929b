package modern_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// TestDiscover: it says who it is and what it can do, and how long that is true.
func TestDiscover(t *testing.T) {
	for _, row := range []struct {
		profile  string
		versions []string
	}{
		{"modern", []string{version}},
		{"dual", []string{version, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}},
	} {
		var result struct {
			SupportedVersions      []string
			Capabilities           map[string]json.RawMessage
			ResultType, CacheScope string
			TTLMs                  *int
			Meta                   map[string]struct{ Name, Version string } `json:"_meta"`
		}
		r := start(t, row.profile).ask("server/discover", "")
		r.result(t, &result)
		info := result.Meta[prefix+"serverInfo"]
		if !slices.Equal(result.SupportedVersions, row.versions) || result.ResultType != "complete" || info.Name == "" || info.Version == "" {
			t.Errorf("%s: %s", row.profile, r.raw)
		}
		if result.TTLMs == nil || result.CacheScope != "public" || result.Capabilities["logging"] == nil {
			t.Errorf("%s: %s", row.profile, r.raw)
		}
		if r.header.Get("X-Accel-Buffering") != "no" || r.header.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: %v", row.profile, r.header)
		}
	}
}

// TestRefusals: what is wrong with a request has a status and a code.
func TestRefusals(t *testing.T) {
	p := start(t, "modern")
	none := strings.Replace(p.body("server/discover", ""), `"_meta"`, `"_other"`, 1)
	for _, row := range []struct {
		name         string
		reply        reply
		status, code int
	}{
		{"no method of this revision", p.ask("ping", ""), 404, -32601},
		{"no _meta", p.do("POST", none, "MCP-Protocol-Version", version, "Mcp-Method", "server/discover"), 400, -32602},
		{"another version in the header", p.ask("server/discover", "", "MCP-Protocol-Version", "2025-11-25"), 400, -32020},
		{"no version in the header", p.ask("server/discover", "", "MCP-Protocol-Version", ""), 400, -32020},
		{"another method in the header", p.ask("server/discover", "", "Mcp-Method", "tools/list"), 400, -32020},
		{"a method in capitals", p.ask("server/discover", "", "Mcp-Method", "Server/Discover"), 400, -32020},
		{"another name in the header", p.call("status", "{}", "Mcp-Name", "echo"), 400, -32020},
		{"no name in the header", p.call("status", "{}", "Mcp-Name", ""), 400, -32020},
		{"a name in Base64", p.call("status", "{}", "Mcp-Name", "=?base64?c3RhdHVz?="), 200, 0},
		{"a name in Base64 that is none", p.call("status", "{}", "Mcp-Name", "=?base64?c3Rh!dHVz?="), 400, -32020},
		{"the sentinel in capitals", p.call("status", "{}", "Mcp-Name", "=?BASE64?c3RhdHVz?="), 400, -32020},
		{"a tool that there is not", p.call("none", "{}"), 200, -32602},
		{"a resource that there is not", p.ask("resources/read", `"uri":"ref://none"`), 200, -32602},
		{"a response", p.do("POST", `{"jsonrpc":"2.0","id":1,"result":{}}`), 400, -32600},
		{"a batch", p.do("POST", "["+p.body("server/discover", "")+"]"), 400, -32600},
	} {
		if code := row.reply.code(t); row.reply.status != row.status || code != row.code {
			t.Errorf("%s: %d %s", row.name, row.reply.status, row.reply.raw)
		}
	}
	if r := p.do(http.MethodGet, ""); r.status != 405 || r.header.Get("Allow") != "POST" {
		t.Errorf("GET: %d %v", r.status, r.header)
	}
	if r := p.do("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled"}`); r.status != 202 || r.raw != "" {
		t.Errorf("a notification: %d %q", r.status, r.raw)
	}
	// A client of the older era learns which versions there are.
	r := p.do("POST", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`)
	if r.status != 400 || r.code(t) != -32022 || !strings.Contains(string(r.last(t).Error.Data), version) {
		t.Errorf("initialize: %d %s", r.status, r.raw)
	}
}

// TestMirroredParameters: Mcp-Param headers say what the body says, by type, and are not wanted where there is nothing to say.
func TestMirroredParameters(t *testing.T) {
	p := start(t, "modern")
	for _, row := range []struct {
		name, arguments string
		header          []string
		code            int
	}{
		{"all there", `{"region":"a","days":3,"alerts":true,"place":{"city":"b"}}`, []string{"Mcp-Param-Region", "a", "Mcp-Param-Days", "3", "Mcp-Param-Alerts", "true", "Mcp-Param-City", "b"}, 0},
		{"a number written in another way", `{"region":"a","days":42}`, []string{"Mcp-Param-Region", "a", "Mcp-Param-Days", "42.0"}, 0},
		{"null", `{"region":"a","days":null}`, []string{"Mcp-Param-Region", "a"}, 0},
		{"Base64", `{"region":"é"}`, []string{"mcp-param-region", "=?base64?w6k=?="}, 0},
		{"one missing", `{"region":"a","days":3}`, []string{"Mcp-Param-Region", "a"}, -32020},
		{"another text", `{"region":"a"}`, []string{"Mcp-Param-Region", "b"}, -32020},
		{"another number", `{"region":"a","days":3}`, []string{"Mcp-Param-Region", "a", "Mcp-Param-Days", "4"}, -32020},
		{"another truth", `{"region":"a","alerts":true}`, []string{"Mcp-Param-Region", "a", "Mcp-Param-Alerts", "True"}, -32020},
		{"another below", `{"region":"a","place":{"city":"b"}}`, []string{"Mcp-Param-Region", "a", "Mcp-Param-City", "c"}, -32020},
		{"of nothing", `{"region":"a"}`, []string{"Mcp-Param-Region", "a", "Mcp-Param-Other", "c"}, 0},
	} {
		if r := p.call("forecast", row.arguments, row.header...); r.code(t) != row.code {
			t.Errorf("%s: %d %s", row.name, r.status, r.raw)
		}
	}
}

// TestBothErasAtOneEndpoint: each request goes to the era that it is of.
func TestBothErasAtOneEndpoint(t *testing.T) {
	p := start(t, "dual")
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`
	for _, header := range [][]string{nil, {"MCP-Protocol-Version", "2025-11-25"}, {"MCP-Protocol-Version", version}} {
		if r := p.do("POST", initialize, header...); r.code(t) != 0 || r.header.Get("Mcp-Session-Id") == "" {
			t.Errorf("initialize with %v: %d %s", header, r.status, r.raw)
		}
	}
	if r := p.ask("tools/list", ""); r.code(t) != 0 || r.header.Get("Mcp-Session-Id") != "" {
		t.Errorf("tools/list of %s: %d %s", version, r.status, r.raw)
	}
	if r := p.ask("initialize", `"protocolVersion":"2025-11-25"`); r.status != 404 || r.code(t) != -32601 {
		t.Errorf("initialize with _meta: %d %s", r.status, r.raw)
	}
	if r := p.do("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); r.status != 400 || r.code(t) != -32600 {
		t.Errorf("tools/list without session: %d %s", r.status, r.raw)
	}
	if r := p.do("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "MCP-Protocol-Version", version, "Mcp-Method", "tools/list"); r.code(t) != -32602 {
		t.Errorf("tools/list without _meta: %d %s", r.status, r.raw)
	}
	// The older era has its list, and this one its own.
	for name, want := range map[string]bool{"forecast": true, "locked": false} {
		if got := strings.Contains(p.ask("tools/list", "").raw, `"name":"`+name+`"`); got != want {
			t.Errorf("%s offered: %v", name, got)
		}
	}
}

// TestErasAreChosen: HTTP+SSE has no place for the era without sessions, and an era is one of three.
func TestErasAreChosen(t *testing.T) {
	for want, p := range map[string]refserver.Profile{
		"has no place": {Name: "a", Era: refserver.EraDual, Transport: refserver.TransportHTTPSSE},
		"unknown era":  {Name: "a", Era: "future"},
	} {
		if _, err := refserver.New(refserver.Config{Profile: p}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", p, err, want)
		}
	}
}
