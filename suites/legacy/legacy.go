// Package legacy holds the scripts and checks for the revisions with an initialize handshake, 2025-03-26 to 2025-11-25: one file
// per area of the catalogue, named like it. Nothing here opens connections or reports; it says what to send and how to judge it.
package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

// Revisions that this package judges, oldest first. Over Streamable HTTP only the messages of 2024-11-05 are judged: it has a transport
// of its own.
func Revisions() []string { return revision.Of(revision.Legacy) }

// Areas lists the areas in the order of the catalogue.
func Areas() []kit.Area {
	return []kit.Area{
		{Name: "lifecycle", Fill: lifecycle},
		{Name: "transport", Fill: transport},
		{Name: "session", Fill: session},
		{Name: "version-header", Fill: versionHeader},
		{Name: "sse", Fill: sse},
		{Name: "resumability", Fill: resumability},
		{Name: "http-sse", Fill: httpSSE},
		{Name: "jsonrpc", Fill: jsonrpc},
		{Name: "security", Fill: security},
		{Name: AuthArea, Fill: auth},
		{Name: "tools", Fill: tools},
		{Name: "resources", Fill: resources},
		{Name: "prompts", Fill: prompts},
		{Name: "completion", Fill: completion},
		{Name: "logging", Fill: logging},
		{Name: "pagination", Fill: pagination},
		{Name: "utilities", Fill: utilities},
	}
}
