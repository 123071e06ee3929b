package judges

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// MetaKeys judges the form of the keys in _meta.
func MetaKeys(t *kit.T) {
	const expected = "keys of the form prefix/name"
	t.Says(expected)
	EachMetaKey(t, func(m kit.Seen, key string, _ json.RawMessage) {
		switch fault, open := KeyFault(key); {
		case fault == "":
			t.Saw()
		case open:
			t.WarnAt(m, expected, fault)
		default:
			t.BreachAt(m, expected, fault)
		}
	})
}

// KeyFault says what is wrong with the form of a key of _meta, "" where nothing is. open: the text leaves it open.
func KeyFault(key string) (fault string, open bool) {
	prefix, name, hasPrefix := cutPrefix(key)
	switch {
	case hasPrefix && !metaPrefix.MatchString(prefix):
		return fmt.Sprintf("the key %q with a malformed prefix", key), false
	case name != "" && !metaEnds.MatchString(name):
		return fmt.Sprintf("the key %q, whose name begins or ends with neither letter nor digit", key), false
	case name != "" && !metaName.MatchString(name):
		return fmt.Sprintf("the key %q, whose name has other characters inside", key), true
	}
	return "", false
}

// ForwardDNS tells that the prefix of a key is a name of DNS as people write it: two labels, the last of which is a common top-level
// domain, and the first of which is none.
func ForwardDNS(key string) bool {
	prefix, _, _ := cutPrefix(key)
	first, last, two := strings.Cut(prefix, ".")
	common := []string{"com", "org", "net", "io", "dev", "app", "ai", "edu", "gov"}
	return two && slices.Contains(common, strings.ToLower(last)) && !topLevel(first)
}

// Reserved tells that a key stands under a prefix that the revision reserves for MCP.
func Reserved(key, spoken string) bool {
	prefix, _, hasPrefix := cutPrefix(key)
	return hasPrefix && reservedPrefix(prefix, spoken)
}

// MetaReserved notes keys under prefixes that are reserved for MCP, but those that it defines.
func MetaReserved(t *kit.T, defined []string) {
	t.Says("no keys under prefixes reserved for MCP but those that MCP defines")
	EachMetaKey(t, func(m kit.Seen, key string, _ json.RawMessage) {
		prefix, _, _ := cutPrefix(key)
		if reservedPrefix(prefix, t.Revision()) && !slices.Contains(defined, key) {
			t.NoteAt(m, "the key %q stands under a prefix that is reserved for MCP", key)
			return
		}
		t.Saw()
	})
}

// MetaReverseDNS notes prefixes of keys in _meta that are no reverse DNS names.
func MetaReverseDNS(t *kit.T) {
	t.Says("prefixes that are reverse DNS names")
	EachMetaKey(t, func(m kit.Seen, key string, _ json.RawMessage) {
		prefix, _, hasPrefix := cutPrefix(key)
		if first, _, _ := strings.Cut(prefix, "."); hasPrefix && !topLevel(first) {
			t.NoteAt(m, "the prefix of the key %q does not begin with a top-level domain", key)
			return
		}
		t.Saw()
	})
}

var (
	metaPrefix = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?)*$`)
	metaEnds   = regexp.MustCompile(`^[A-Za-z0-9](.*[A-Za-z0-9])?$`)
	metaName   = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
)

// cutPrefix splits a key at its first slash.
func cutPrefix(key string) (prefix, name string, ok bool) {
	if prefix, name, ok = strings.Cut(key, "/"); !ok {
		return "", key, false
	}
	return prefix, name, true
}

// reservedPrefix: 2025-06-18 reserves any labels followed by mcp or modelcontextprotocol and one more label; 2025-11-25 the prefixes
// whose second label is one of the two.
func reservedPrefix(prefix, spoken string) bool {
	labels := strings.Split(prefix, ".")
	at := len(labels) - 2
	if revision.Since(spoken, "2025-11-25") {
		at = 1
	}
	return at >= 0 && at < len(labels) && (labels[at] == "mcp" || labels[at] == "modelcontextprotocol")
}

// topLevel tells whether a label can be a top-level domain: two letters are a country's, of the longer ones the common are known.
func topLevel(label string) bool {
	label = strings.ToLower(label)
	common := []string{"com", "org", "net", "io", "dev", "app", "ai", "edu", "gov", "mil", "int", "info", "biz", "cloud", "tech", "xyz", "name", "arpa", "example", "test", "invalid", "localhost", "local"}
	return len(label) == 2 || slices.Contains(common, label)
}

// EachMetaKey visits the keys of every _meta, and what they hold, in the messages: of the message itself, of results, of list and content items; what
// stands in arguments, structured content and schemas is not MCP's.
func EachMetaKey(t *kit.T, visit func(kit.Seen, string, json.RawMessage)) {
	t.Unseen(kit.Unprovoked, "no message of %s carried _meta", t.Who())
	for _, m := range t.Messages() {
		if raw := m.Raw(); bytes.Contains(raw, []byte(`"_meta"`)) {
			walkMeta(raw, 0, func(key string, value json.RawMessage) { visit(m, key, value) })
		}
	}
}

// maxMetaDepth bounds the search in hostile messages.
const maxMetaDepth = 16

func walkMeta(v json.RawMessage, depth int, visit func(string, json.RawMessage)) {
	if depth > maxMetaDepth {
		return
	}
	wire.Members(v, func(name string, member json.RawMessage) bool {
		switch name {
		case "_meta":
			wire.Members(member, func(key string, value json.RawMessage) bool {
				visit(key, value)
				return true
			})
		case "arguments", "structuredContent", "inputSchema", "outputSchema":
		default:
			walkMeta(member, depth+1, visit)
		}
		return true
	})
	elements, _ := wire.Elements(v)
	for _, element := range elements {
		walkMeta(element, depth+1, visit)
	}
}
