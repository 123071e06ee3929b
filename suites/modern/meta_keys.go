package modern

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// metaKeys are the rules about what stands in the _meta of a server.
func metaKeys(s *kit.Section) {
	s.Passive("modern.meta.key-format", judges.MetaKeys)
	s.Passive("modern.meta.key-prefix-reverse-dns", func(t *kit.T) {
		const expected = "prefixes in reverse DNS order, as com.example/"
		t.Says(expected)
		judges.EachMetaKey(t, func(m kit.Seen, key string, _ json.RawMessage) {
			if judges.ForwardDNS(key) {
				t.BreachAt(m, expected, fmt.Sprintf("the key %q", key))
				return
			}
			t.Saw()
		})
	})
	s.Passive("modern.meta.reserved-keys-as-defined", func(t *kit.T) {
		const expected = "reserved keys where they are defined"
		t.Says(expected)
		judges.EachMetaKey(t, func(m kit.Seen, key string, _ json.RawMessage) {
			switch {
			case mayBeOlder(t, m.Exchange):
			case slices.Contains([]string{keyVersion, keyClientInfo, keyCapabilities, keyLogLevel}, key):
				t.WarnAt(m, expected, key+", which requests of clients have")
			case key == keySubscriptID && m.Exchange.RequestMessage().Method != methodListen:
				t.WarnAt(m, expected, key+" on a message that belongs to "+m.Exchange.RequestMessage().Method)
			default:
				t.Saw()
			}
		})
	})
	s.Passive("modern.meta.trace-context-format", judges.TraceContext)
}
