package modern

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// An annotation is an x-mcp-header in the input schema of a listed tool.
type annotation struct {
	tool  string
	value json.RawMessage
	// path are the names of the properties that lead to it, as far as it is reached through properties.
	path []string
	// schema is what it stands in.
	schema map[string]json.RawMessage
	// reached: from the root through properties alone.
	reached bool
}

// name is the value where it is a string.
func (a annotation) name() (s string, ok bool) {
	_ = json.Unmarshal(a.value, &s)
	return s, kit.JSONType(a.value) == "string"
}

const keyword = "x-mcp-header"

func annotationsOf(tool string, raw json.RawMessage) []annotation {
	var all []annotation
	walkSchema(raw, "", func(s subschema) string {
		if v, there := s.members[keyword]; there && s.depth > 0 {
			all = append(all, annotation{tool: tool, value: v, path: s.path, schema: s.members, reached: s.reached})
		}
		return ""
	})
	return all
}

// eachTool visits the listed tools that have annotations.
func eachTool(t *kit.T, visit func(p kit.Page, tool string, all []annotation)) {
	any := false
	for _, p := range judges.ToolPages(t, toolList) {
		for _, raw := range p.Items {
			var tool struct {
				Name        string          `json:"name"`
				InputSchema json.RawMessage `json:"inputSchema"`
			}
			_ = json.Unmarshal(raw, &tool)
			if all := annotationsOf(tool.Name, tool.InputSchema); len(all) > 0 {
				any = true
				visit(p, tool.Name, all)
			}
		}
	}
	if !any {
		t.Unlisted(judges.ListTools, "no listed tool has %s in its schema", keyword)
	}
}

// headersAnnotations are the rules about x-mcp-header in listed tools.
func headersAnnotations(s *kit.Section) {
	each := func(id, expected string, wrong func(annotation) string) {
		s.Check(id, inventory, func(t *kit.T) {
			t.Says(expected)
			eachTool(t, func(p kit.Page, tool string, all []annotation) {
				for _, a := range all {
					if why := wrong(a); why != "" {
						t.Breach(p.Exchange, expected, fmt.Sprintf("%s in the tool %q", why, tool))
					} else {
						t.OK(p.Exchange, "%s of %s", keyword, tool)
					}
				}
			})
		}, kit.Tools)
	}
	each("modern.headers.x-mcp-header-non-empty", "a string that is not empty", func(a annotation) string {
		if name, ok := a.name(); !ok || name == "" {
			return keyword + " " + kit.JSON(a.value)
		}
		return ""
	})
	each("modern.headers.x-mcp-header-token", "an HTTP token", func(a annotation) string {
		name, ok := a.name()
		if ok && strings.ContainsFunc(name, func(r rune) bool { return r >= ' ' && r != 0x7f && !tokenCharacter(r) }) {
			return keyword + " " + kit.JSON(a.value)
		}
		return ""
	})
	each("modern.headers.x-mcp-header-no-control-chars", "no control characters", func(a annotation) string {
		name, ok := a.name()
		if ok && strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return keyword + " " + kit.JSON(a.value)
		}
		return ""
	})
	each("modern.headers.x-mcp-header-statically-reachable", "a property that is reached through properties alone", func(a annotation) string {
		if !a.reached {
			return keyword + " " + kit.JSON(a.value) + " below another keyword"
		}
		return ""
	})
	each("modern.headers.x-mcp-header-safe-integers", "integers from -(2^53-1) to 2^53-1", func(a annotation) string {
		if types, _ := typesOf(a.schema["type"]); !slices.Contains(types, "integer") {
			return ""
		}
		return unsafeInteger(a.schema)
	})
	each("modern.headers.x-mcp-header-no-secrets", "no passwords, keys and the like in headers", func(a annotation) string {
		property := ""
		if len(a.path) > 0 {
			property = a.path[len(a.path)-1]
		}
		if isSecret(property, a.schema) {
			return fmt.Sprintf("%s %s on %q", keyword, kit.JSON(a.value), property)
		}
		return ""
	})
	s.Check("modern.headers.x-mcp-header-unique", inventory, func(t *kit.T) {
		expected := "every " + keyword + " of a schema once, whatever its letter case"
		t.Says(expected)
		eachTool(t, func(p kit.Page, tool string, all []annotation) {
			seen := map[string]bool{}
			for _, a := range all {
				name, ok := a.name()
				if name = strings.ToLower(name); ok && seen[name] {
					t.Breach(p.Exchange, expected, fmt.Sprintf("%q twice in the tool %q", name, tool))
					continue
				}
				if ok {
					seen[name] = true
				}
				t.OK(p.Exchange, "%s of %s", keyword, tool)
			}
		})
	}, kit.Tools)
	s.Check("modern.headers.x-mcp-header-primitive-only", inventory, func(t *kit.T) {
		const expected = "a parameter of type string, integer or boolean"
		t.Says(expected)
		eachTool(t, func(p kit.Page, tool string, all []annotation) {
			for _, a := range all {
				types, given := typesOf(a.schema["type"])
				switch {
				case !given:
					t.Warn(p.Exchange, expected, fmt.Sprintf("no type beside %s in the tool %q", keyword, tool))
				case slices.ContainsFunc(types, func(s string) bool { return s == "number" || s == "array" || s == "object" }),
					!slices.ContainsFunc(types, func(s string) bool { return s != "null" }):
					t.Breach(p.Exchange, expected, fmt.Sprintf("type %s in the tool %q", kit.JSON(a.schema["type"]), tool))
				default:
					t.OK(p.Exchange, "%s of %s", keyword, tool)
				}
			}
		})
	}, kit.Tools)
}

// maxSafe is the greatest integer that JSON readers agree on.
const maxSafe = 1<<53 - 1

// unsafeInteger says which of the values that a schema names, or what bound, is beyond what JSON readers agree on. A bound that is merely
// wide, as generators write them for 64 bits, says no more than none.
func unsafeInteger(schema map[string]json.RawMessage) string {
	number := func(raw json.RawMessage) (v float64, ok bool) {
		// Where it is beyond all bounds, v is infinite.
		v, err := strconv.ParseFloat(string(raw), 64)
		return v, kit.JSONType(raw) == "number" && (err == nil || errors.Is(err, strconv.ErrRange))
	}
	for _, k := range []string{"const", "default"} {
		if v, ok := number(schema[k]); ok && max(v, -v) > maxSafe {
			return k + " " + kit.JSON(schema[k])
		}
	}
	listed, _ := wire.Elements(schema["enum"])
	for _, raw := range listed {
		if v, ok := number(raw); ok && max(v, -v) > maxSafe {
			return "enum with " + kit.JSON(raw)
		}
	}
	for _, bound := range []struct {
		keyword string
		beyond  func(float64) bool
	}{
		{"minimum", func(v float64) bool { return v > maxSafe }},
		{"exclusiveMinimum", func(v float64) bool { return v >= maxSafe }},
		{"maximum", func(v float64) bool { return v < -maxSafe }},
		{"exclusiveMaximum", func(v float64) bool { return v <= -maxSafe }},
	} {
		if v, ok := number(schema[bound.keyword]); ok && bound.beyond(v) {
			return bound.keyword + " " + kit.JSON(schema[bound.keyword])
		}
	}
	return ""
}

// Words at the end of a name that tell of a secret; token and key do behind a word that says what they open.
var (
	secretWords  = []string{"password", "passwd", "passphrase", "secret", "apikey", "credential", "credentials", "ssn"}
	openingWords = []string{"api", "access", "auth", "bearer", "refresh", "private", "secret", "session", "signing", "encryption"}
)

// isSecret tells that a parameter is a secret by its name, or by the format that forms hide. max_tokens, page_token and secret_name are
// none, and a token by itself may be anything.
func isSecret(property string, schema map[string]json.RawMessage) bool {
	var format string
	_ = json.Unmarshal(schema["format"], &format)
	types, given := typesOf(schema["type"])
	words := wordsOf(property)
	switch n := len(words); {
	case given && !slices.Contains(types, "string"):
		return false
	case format == "password":
		return true
	case n > 1 && (words[n-1] == "key" || words[n-1] == "token"):
		return slices.Contains(openingWords, words[n-2])
	default:
		return n > 0 && slices.Contains(secretWords, words[n-1])
	}
}

// wordsOf takes a name apart, in lower case: apiKey, api_key and API-Key are two words.
func wordsOf(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		if unicode.IsUpper(r) && lower {
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		if !unicode.IsLetter(r) {
			r = ' '
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(b.String())
}

// typesOf are the types that a schema names.
func typesOf(raw json.RawMessage) (types []string, given bool) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}, true
	}
	_ = json.Unmarshal(raw, &types)
	return types, len(types) > 0
}

// tokenCharacter: tchar of RFC 9110, section 5.6.2.
func tokenCharacter(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}
