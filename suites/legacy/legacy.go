// Package legacy holds the scripts and checks for the revisions with an initialize handshake, 2024-11-05 to 2025-11-25: one file
// per area of the catalogue, named like it. Nothing here opens connections or reports; it says what to send and how to judge it.
package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// opening is the label of the initialize that opens a conversation.
const opening = "initialize"

// Era is all that the engine knows of the era.
func Era() *kit.Era {
	return &kit.Era{
		Name:    revision.Legacy,
		Dialect: client.Legacy{HasVersionHeader: revision.HasVersionHeader},
		Areas: []kit.Area{
			{Name: "lifecycle", Fill: lifecycle},
			{Name: "transport", Fill: transport},
			{Name: "session", Fill: session},
			{Name: "version-header", Fill: versionHeader},
			{Name: "sse", Fill: sse},
			{Name: "resumability", Fill: resumability},
			{Name: "http-sse", Fill: httpSSE},
			{Name: "jsonrpc", Fill: jsonrpc},
			{Name: "security", Fill: security},
			{Name: "auth", Fill: auth},
			{Name: "tools", Fill: tools},
			{Name: "resources", Fill: resources},
			{Name: "prompts", Fill: prompts},
			{Name: "completion", Fill: completion},
			{Name: "logging", Fill: logging},
			{Name: "pagination", Fill: pagination},
			{Name: "utilities", Fill: utilities},
		},
		Inventory: inventory,
		Facts:     facts,
		Open:      handshake,
		Opening:   opening,
		Demands:   []kit.Need{kit.Open, kit.Serves},
		Root:      "lifecycle.initialize.answered",
		Harmless:  "utilities.ping.answered",
		Turning:   "session.expired-404",
		Applies:   applies,
		// A server that speaks the oldest revision over POST is judged by the rules of the first one that has that transport.
		Lending: kit.Lending{
			To: revision.HTTPSSE, From: "2025-03-26", Areas: []string{"transport", "session", "sse", "resumability"},
			Meant: func(f *kit.Facts) bool { return f.Trait(traitSessions) == kit.Yes || f.SSEAnswers == kit.Yes },
		},
		Unfailing: []string{"initialize", "notifications/initialized", "ping", "tools/list", "prompts/list", "resources/list"},
		Checklist: checklist,
		Access: kit.Access{
			Area:      "auth",
			Revisions: revision.From("2025-03-26", revision.Legacy),
			Dates: func(tr *wire.Transcript) string {
				if tellsResourceMetadata(tr) {
					return "2025-06-18"
				}
				return ""
			},
		},
	}
}

// handshake is how a client opens a session: initialize, and once that was answered with a result, notifications/initialized. The options
// go to initialize.
func handshake(c *kit.C, options ...client.Option) *wire.Exchange {
	x := c.Initialize(opening, c.Revision, options...)
	if x.Served() {
		c.Notify("initialized", "notifications/initialized")
	}
	return x
}

// applies: message rules follow the revision, transport rules the transport in use. 2024-11-05 has a transport of its own; over
// Streamable HTTP it can be negotiated too, and what it says of streams is filed under 2025-03-26 then.
func applies(e catalogue.Entry, transport, rev string) bool {
	if _, lent := e.Lent[rev]; lent {
		return transport == kit.StreamableHTTP
	}
	_, old := e.Levels[revision.HTTPSSE]
	switch {
	case e.Area == "http-sse" && old, e.Area == "sse" && rev == revision.HTTPSSE:
		return transport == kit.HTTPSSE
	}
	return true
}
