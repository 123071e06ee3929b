package legacy

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// jsonrpcMeta are the rules for what a message may carry besides what its method defines.
func jsonrpcMeta(s *kit.Section) {
	odd := s.Script("jsonrpc/odd-requests", kit.Shared, func(c *kit.C) {
		c.Safe("control")
		c.Safe("unknown member", client.WithParams(map[string]any{"mcpcheckUnknown": true}))
		if c.Facts.List != "" {
			c.Call("control list", c.Facts.List)
			c.Call("unknown member in list", c.Facts.List, client.WithParams(map[string]any{"mcpcheckUnknown": true}))
		}
		c.Safe("meta", client.WithMeta(map[string]any{"com.example.mcpcheck/x": 1}))
		id := c.Client().NextID()
		c.Safe("first use of an id", client.WithID(id))
		c.Safe("second use of an id", client.WithID(id), client.Broken("with an id that was used before"))
		c.Safe("null id", client.WithID(nil), client.Broken("with the id null"))
		c.Safe("control after")
	})
	s.Check("jsonrpc.request.null-id", odd, func(t *kit.T) {
		t.Control("control", "control after")
		x := t.Conclusive("null id")
		t.Says("HTTP 4xx, a JSON-RPC error, or 202 as for a notification")
		if judges.HasResult(x) {
			t.Note(x, "a request with the id null got a result")
			return
		}
		t.OK(x, "%s", kit.Describe(x))
	})
	s.Check("jsonrpc.request.duplicate-id", odd, func(t *kit.T) {
		t.Control("control", "first use of an id", "control after")
		t.Says("a second answer, or an error")
		t.OK(t.Conclusive("second use of an id"), "%s", kit.Describe(t.Conclusive("second use of an id")))
	})
	s.Check("jsonrpc.unknown-members", odd, func(t *kit.T) {
		t.Control("control", "control after")
		pairs := [][2]string{{"control", "unknown member"}, {"control list", "unknown member in list"}}
		for _, p := range pairs {
			if t.IfSent(p[1]) != nil {
				t.Control(p[0])
				tolerated(t, t.Conclusive(p[1]), "a member of params that it does not know")
			}
		}
	})
	s.Check("jsonrpc.meta-tolerated", odd, func(t *kit.T) {
		t.Control("control", "control after")
		tolerated(t, t.Conclusive("meta"), "a key in _meta that it does not know")
	})

	s.Passive("jsonrpc.meta-keys", func(t *kit.T) {
		const expected = "keys of the form prefix/name"
		t.Says(expected)
		eachMetaKey(t, func(m kit.Seen, key string) {
			prefix, name, hasPrefix := cutPrefix(key)
			switch {
			case hasPrefix && !metaPrefix.MatchString(prefix):
				t.BreachAt(m, expected, fmt.Sprintf("the key %q with a malformed prefix", key))
			case name != "" && !metaEnds.MatchString(name):
				t.BreachAt(m, expected, fmt.Sprintf("the key %q, whose name begins or ends with neither letter nor digit", key))
			case name != "" && !metaName.MatchString(name):
				t.WarnAt(m, expected, fmt.Sprintf("the key %q, whose name has other characters inside", key))
			default:
				t.Saw()
			}
		})
	})

	s.Passive("jsonrpc.meta-reserved", func(t *kit.T) {
		t.Says("no keys under prefixes reserved for MCP but those that MCP defines")
		eachMetaKey(t, func(m kit.Seen, key string) {
			prefix, _, hasPrefix := cutPrefix(key)
			if hasPrefix && reservedPrefix(prefix, t.Revision()) && !slices.Contains(definedMetaKeys, key) {
				t.NoteAt(m, "the key %q stands under a prefix that is reserved for MCP", key)
				return
			}
			t.Saw()
		})
	})

	s.Passive("jsonrpc.meta-reverse-dns", func(t *kit.T) {
		t.Says("prefixes that are reverse DNS names")
		eachMetaKey(t, func(m kit.Seen, key string) {
			prefix, _, hasPrefix := cutPrefix(key)
			if first, _, _ := strings.Cut(prefix, "."); hasPrefix && !topLevel(first) {
				t.NoteAt(m, "the prefix of the key %q does not begin with a top-level domain", key)
				return
			}
			t.Saw()
		})
	})
}

func tolerated(t *kit.T, x *wire.Exchange, what string) {
	t.Says("the request served like the control")
	if x.Served() {
		t.OK(x, "served, with %s", what)
		return
	}
	t.Warn(x, "the request served like the control", kit.Describe(x))
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

// definedMetaKeys are what the revisions themselves put under reserved prefixes.
var definedMetaKeys = []string{"io.modelcontextprotocol/related-task", "io.modelcontextprotocol/model-immediate-response"}

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

// eachMetaKey visits the keys of every _meta in the server's messages: of the message, of results, of list and content items; what
// stands in arguments, structured content and schemas is not MCP's.
func eachMetaKey(t *kit.T, visit func(kit.Seen, string)) {
	t.Unseen(kit.Unprovoked, "no message of the server carried _meta")
	for _, m := range t.Messages() {
		if !strings.Contains(string(m.Raw), `"_meta"`) {
			continue
		}
		var v any
		if json.Unmarshal(m.Raw, &v) != nil {
			continue
		}
		walkMeta(v, 0, func(key string) { visit(m, key) })
	}
}

// maxMetaDepth bounds the search in hostile messages.
const maxMetaDepth = 16

func walkMeta(v any, depth int, visit func(string)) {
	if depth > maxMetaDepth {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			switch name {
			case "_meta":
				if keys, ok := member.(map[string]any); ok {
					for key := range keys {
						visit(key)
					}
				}
			case "arguments", "structuredContent", "inputSchema", "outputSchema":
			default:
				walkMeta(member, depth+1, visit)
			}
		}
	case []any:
		for _, element := range v {
			walkMeta(element, depth+1, visit)
		}
	}
}
