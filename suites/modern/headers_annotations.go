package modern

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// An annotation is an x-mcp-header in the input schema of a listed tool.
type annotation struct {
	tool  string
	value json.RawMessage
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
			all = append(all, annotation{tool: tool, value: v, schema: s.members, reached: s.reached})
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
		t.NotApplicable("no listed tool has %s in its schema", keyword)
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
