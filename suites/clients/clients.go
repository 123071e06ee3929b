// Package clients holds the checks whose transcripts show a client under test: what it sent, whatever server it met. One file per area of
// the catalogue, named like it, with _modern where it is about 2026-07-28. Ids, versions, capabilities and times are read from the
// recorded bytes, never from the persona that answered: a proxied session is judged by the same functions.
package clients

import (
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Control is the script of the conversations that show what the command does of its own accord: with the plainest server, twice.
const Control = "plain"

// Eras are the checks of clients, by the era of the revision that was spoken.
func Eras() []*kit.Era { return []*kit.Era{legacy(), modern()} }

func legacy() *kit.Era {
	return era(revision.Legacy, "lifecycle.client.initialize-first",
		kit.Area{Name: "lifecycle", Fill: lifecycle},
		kit.Area{Name: "version-header", Fill: versionHeader},
		kit.Area{Name: "transport", Fill: transport},
		kit.Area{Name: "session", Fill: session},
		kit.Area{Name: "jsonrpc", Fill: jsonrpc},
		kit.Area{Name: "utilities", Fill: utilities},
		kit.Area{Name: "pagination", Fill: pagination},
		kit.Area{Name: "resumability", Fill: resumability},
		kit.Area{Name: "http-sse", Fill: httpSSE},
		kit.Area{Name: "logging", Fill: logging},
		kit.Area{Name: "prompts", Fill: prompts},
		kit.Area{Name: "completion", Fill: completion},
		kit.Area{Name: "tools", Fill: tools},
		kit.Area{Name: "security", Fill: security},
		kit.Area{Name: "auth", Fill: auth},
	)
}

func modern() *kit.Era {
	return era(revision.Modern, "modern.client.meta.required-fields",
		kit.Area{Name: "transport", Fill: transportModern},
		kit.Area{Name: "headers", Fill: headersModern},
		kit.Area{Name: "meta", Fill: metaModern},
		kit.Area{Name: "jsonrpc", Fill: jsonrpcModern},
		kit.Area{Name: "versioning", Fill: versioningModern},
		kit.Area{Name: "discover", Fill: discoverModern},
		kit.Area{Name: "legacy-compat", Fill: legacyCompatModern},
		kit.Area{Name: "sse", Fill: sseModern},
		kit.Area{Name: "progress", Fill: progressModern},
		kit.Area{Name: "subscriptions", Fill: subscriptionsModern},
		kit.Area{Name: "logging", Fill: loggingModern},
		kit.Area{Name: "cancellation", Fill: cancellationModern},
		kit.Area{Name: "mrtr", Fill: mrtrModern},
		kit.Area{Name: "caching", Fill: cachingModern},
		kit.Area{Name: "pagination", Fill: paginationModern},
		kit.Area{Name: "tools", Fill: toolsModern},
		kit.Area{Name: "prompts", Fill: promptsModern},
		kit.Area{Name: "completion", Fill: completionModern},
		kit.Area{Name: "security", Fill: securityModern},
		kit.Area{Name: "auth", Fill: authModern},
	)
}

func era(name, root string, areas ...kit.Area) *kit.Era {
	return &kit.Era{
		Name: name, Areas: areas, Root: root,
		Inventory: kit.NewScript(Control, kit.Bare, func(*kit.C) {}),
		Facts: func(t *wire.Transcript, given kit.Given) *kit.Facts {
			return kit.NewFacts(t.Revision, t.Transport, given)
		},
		Applies: applies,
		Lending: kit.Lending{Meant: func(*kit.Facts) bool { return true }},
	}
}

// applies tells which requirements a column has: what is said of HTTP+SSE stands where that was spoken, and nothing else does; that clients
// may turn to it stands where they came from.
func applies(e catalogue.Entry, transport, _ string) bool {
	return (transport == kit.HTTPSSE) == (e.Area == kit.HTTPSSE && e.ID != "http-sse.client.fallback")
}
