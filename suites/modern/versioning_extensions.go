package modern

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// published are the names under reserved prefixes that the revision defines, or an official extension.
var published = []string{
	keyVersion, keyClientInfo, keyCapabilities, keyServerInfo, keyLogLevel, keySubscriptID,
	"io.modelcontextprotocol/related-task", "io.modelcontextprotocol/tasks", "io.modelcontextprotocol/ui",
	"io.modelcontextprotocol/oauth-client-credentials", "io.modelcontextprotocol/enterprise-managed-authorization",
}

// extensionsOf are the extensions that a DiscoverResult declares, by name in its order.
func extensionsOf(answer wire.Message) (names []string) {
	raw, _ := answer.Pointer("/result/capabilities/extensions")
	wire.Members(raw, func(name string, _ json.RawMessage) bool {
		names = append(names, name)
		return true
	})
	return names
}

// versioningExtensions are the rules about extensions.
func versioningExtensions(s *kit.Section) {
	s.Check("modern.version.extension-id-format", inventory, func(t *kit.T) {
		const expected = "keys of the form prefix/name, with a prefix"
		t.Says(expected)
		x, answer := discovered(t)
		names := extensionsOf(answer)
		if len(names) == 0 {
			t.NotApplicable("no extension is declared")
		}
		for _, name := range names {
			fault, open := judges.KeyFault(name)
			switch {
			case !strings.Contains(name, "/"):
				t.Breach(x, expected, fmt.Sprintf("the extension %q without a prefix", name))
			case fault == "":
				t.OK(x, "the extensions have a prefix and a name")
			case open:
				t.Warn(x, expected, fault)
			default:
				t.Breach(x, expected, fault)
			}
		}
	})
	s.Passive("modern.version.extension-reserved-prefix", func(t *kit.T) {
		const expected = "no names under prefixes reserved for MCP but those that it defines"
		t.Says(expected)
		unknown := func(name string) bool {
			return judges.Reserved(name, t.Revision()) && !slices.Contains(published, name)
		}
		judges.EachMetaKey(t, func(m kit.Seen, key string, _ json.RawMessage) {
			if unknown(key) {
				t.WarnAt(m, expected, fmt.Sprintf("the key %q", key))
				return
			}
			t.Saw()
		})
		for _, m := range t.Messages() {
			for _, name := range extensionsOf(m.Message) {
				if unknown(name) {
					t.WarnAt(m, expected, fmt.Sprintf("the extension %q", name))
					continue
				}
				t.Saw()
			}
		}
	})
	s.Passive("modern.version.extension-fallback", func(t *kit.T) {
		const expected = "a result of the core protocol, since the request declares no extension"
		t.Says(expected)
		eachResult(t, func(m kit.Seen) {
			var kind string
			switch _ = m.Decode("/result/resultType", &kind); kind {
			case resultTask:
				t.BreachAt(m, expected, "resultType "+resultTask+", of the extension for tasks")
			case "complete", "input_required":
				t.Saw()
			}
		})
	})
}
