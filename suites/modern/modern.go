// Package modern holds the scripts and checks for the revisions without a handshake, 2026-07-28: one file per area of the catalogue,
// named like it. Nothing here opens connections or reports; it says what to send and how to judge it.
package modern

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Era is all that the engine knows of the era.
func Era() *kit.Era {
	return &kit.Era{
		Name:    revision.Modern,
		Dialect: client.Modern{Revision: spoken},
		// Areas that are not here have no checks yet, and no cells.
		Areas: []kit.Area{
			{Name: "versioning", Fill: versioning},
			{Name: "discover", Fill: discover},
			{Name: "transport", Fill: transport},
			{Name: "headers", Fill: headers},
			{Name: "meta", Fill: meta},
			{Name: "jsonrpc", Fill: jsonrpc},
			{Name: "sse", Fill: sse},
			{Name: "subscriptions", Fill: subscriptions},
			{Name: "mrtr", Fill: mrtr},
			{Name: "cancellation", Fill: cancellation},
			{Name: "progress", Fill: progress},
			{Name: "logging", Fill: logging},
			{Name: "caching", Fill: caching},
			{Name: "pagination", Fill: pagination},
			{Name: "security", Fill: security},
			{Name: "auth", Fill: auth},
			{Name: "tools", Fill: tools},
			{Name: "resources", Fill: resources},
			{Name: "prompts", Fill: prompts},
			{Name: "completion", Fill: completion},
			{Name: "legacy-compat", Fill: legacyCompat},
		},
		Inventory: inventory,
		Facts:     facts,
		Opening:   methodDiscover,
		Mirror:    mirrored,
		Demands:   []kit.Need{serves},
		Root:      "modern.discover.implemented",
		Harmless:  "modern.discover.implemented",
		Applies:   func(_ catalogue.Entry, transport, _ string) bool { return transport == kit.StreamableHTTP },
		Access:    kit.Access{Area: "auth", Revisions: []string{spoken}, Dates: func(*wire.Transcript) string { return "" }},
		Unfailing: []string{methodDiscover, "tools/list", "prompts/list", "resources/list"},
		Incapable: codeMissingCapability,
	}
}

// spoken is the revision that conversations speak.
var spoken = revision.Newest(revision.Of(revision.Modern))

const methodDiscover = "server/discover"

// resultTask is the resultType of the official extension for tasks.
const resultTask = "task"

// Keys of _meta that the era defines.
const (
	keyVersion      = "io.modelcontextprotocol/protocolVersion"
	keyClientInfo   = "io.modelcontextprotocol/clientInfo"
	keyCapabilities = "io.modelcontextprotocol/clientCapabilities"
	keyServerInfo   = "io.modelcontextprotocol/serverInfo"
	keyLogLevel     = "io.modelcontextprotocol/logLevel"
)

// Error codes with a meaning in this era.
const (
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
	codeMethodNotFound     = -32601

	// codeURLElicitationRequired is one of 2025-11-25, and gone.
	codeURLElicitationRequired = -32042
	codeInvalidParams          = -32602
	codeParseError             = -32700
)
