package diagnosis

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/wire"
)

// TestRedirects: what is followed stays where the user sent us, and what is not is told by its kind.
func TestRedirects(t *testing.T) {
	const from = "https://mcp.example.com/mcp"
	tests := []struct {
		name, from, location string
		status               int
		followed             string
		says                 string // a piece of the diagnosis
	}{
		{"slash", from, "/mcp/", 307, from + "/", ""},
		{"slash, spelt out", from, "https://mcp.example.com:443/mcp/", 308, "https://mcp.example.com:443/mcp/", ""},
		{"host in other case", from, "https://MCP.example.com/mcp/", 308, "https://MCP.example.com/mcp/", ""},
		{"fragment", from, "/mcp/#here", 308, from + "/", ""},
		{"query", from, "/mcp?v=1", 307, from + "?v=1", ""},
		{"301", from, "/mcp/", 301, "", "only the slash"},
		{"302", from, "/api/mcp", 302, "", "may become a GET"},
		{"303", from, "/mcp/", 303, "", "only the slash"},
		{"300", from, "/mcp/", 300, "", "only the slash"},
		{"loop", from, from, 307, "", "round in circles"},
		{"loop by fragment", from, "#top", 308, "", "round in circles"},
		{"other host", from, "https://example.com/mcp", 307, "", "another server"},
		{"host without scheme", from, "//example.com/mcp", 307, "", "another server"},
		{"subdomain", from, "https://evil.mcp.example.com/mcp", 308, "", "another server"},
		{"host as user", from, "https://mcp.example.com@example.com/mcp", 308, "", "another server"},
		{"user", from, "https://me:secret@mcp.example.com/mcp/", 308, "", "holds credentials"},
		{"other port", from, "https://mcp.example.com:8443/mcp", 307, "", "another server"},
		{"downgrade", from, "http://mcp.example.com/mcp/", 307, "", "in the clear"},
		{"downgrade on the same port", "https://localhost:3000/mcp", "http://localhost:3000/mcp/", 308, "", "in the clear"},
		{"upgrade", "http://mcp.example.com/mcp", from, 308, "", "use https:// from the start"},
		{"login", from, "/auth/login?next=%2Fmcp", 302, "", "log in"},
		{"no login", from, "/catalogin/mcp", 302, "", "may become a GET"},
		{"none", from, "", 307, "", "not told where"},
		{"no URL", from, "https://[::1", 307, "", "not told where"},
		{"other scheme", from, "javascript:alert(1)", 307, "", "not told where"},
		{"endless", from, "/" + strings.Repeat("a", maxFollowed), 307, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			x := &wire.Exchange{
				Request:  wire.Request{Method: http.MethodPost, URL: test.from, Body: wire.NewBody([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`))},
				Response: &wire.Response{Status: test.status, Header: http.Header{"Location": {test.location}}},
			}
			if got, _ := Followable(x); got != test.followed {
				t.Errorf("followed to %q, want %q", got, test.followed)
			}
			d := diagnoseRedirect(x)
			if text := d.Seen + "\n" + d.Why + "\n" + d.Do; !strings.Contains(text, test.says) || len(text) > 1500 {
				t.Errorf("%q is missing in %s", test.says, text)
			}
			if d.Kind != "redirect" || strings.Contains(d.Seen+d.Do, "secret") {
				t.Errorf("%+v", d)
			}
		})
	}
}

// TestCommands: a line to copy does in a shell what it says, whatever stands in a URL of the server's choice.
func TestCommands(t *testing.T) {
	for target, want := range map[string]string{
		"http://localhost:3000/mcp":                 "\n  mcpcheck http://localhost:3000/mcp",
		"https://a.example/mcp?a=1&b":               "\n  mcpcheck 'https://a.example/mcp?a=1&b'",
		"http://a.example/$(id)'`id`":               "\n  mcpcheck 'http://a.example/$(id)'\\''`id`'",
		"http://[::1]:3000/mcp":                     "\n  mcpcheck 'http://[::1]:3000/mcp'",
		"http://a/" + strings.Repeat("x", maxShown): "",
	} {
		if got := command(target); got != want {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
}
