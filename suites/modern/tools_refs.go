package modern

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// externalRefs judges that the schemas of tools need nothing from the network. Nothing is fetched to find that out.
func externalRefs(t *kit.T) {
	const expected = "schemas without a $ref to the network"
	t.Says(expected)
	schemas := 0
	for _, p := range judges.ToolPages(t, toolList) {
		for _, raw := range p.Items {
			var tool map[string]json.RawMessage
			_ = json.Unmarshal(raw, &tool)
			for _, m := range []string{"inputSchema", "outputSchema"} {
				if kit.JSONType(tool[m]) != "object" {
					continue
				}
				schemas++
				if refs := networkRefs(tool[m]); len(refs) > 0 {
					name, _ := kit.Text(raw, "name")
					t.Warn(p.Exchange, expected, fmt.Sprintf("$ref %s in the %s of the tool %s", kit.Quote([]byte(refs[0])), m, kit.Quote([]byte(name))))
				}
			}
		}
	}
	if schemas == 0 {
		t.NotObserved(kit.Unprovoked, "no tool has a schema that is an object")
	}
	t.OK(t.Answered(toolList.Method), "%d schemas that need nothing from the network", schemas)
}

// networkRefs are the $refs of a schema document that lead out of it to http or https, as they are written. The meta-schemas of JSON Schema
// come with every implementation.
func networkRefs(document json.RawMessage) []string {
	inside := map[string]bool{}
	type ref struct{ written, resolved string }
	var all []ref
	walkSchema(document, "", func(s subschema) string {
		base := s.base
		// draft-04 says id where the later ones say $id.
		for _, name := range []string{"id", "$id"} {
			if id, ok := text(s.members[name]); ok {
				base = resolve(base, id)
				inside[base] = true
			}
		}
		for _, name := range []string{"$ref", "$dynamicRef"} {
			if written, ok := text(s.members[name]); ok {
				all = append(all, ref{written, resolve(base, written)})
			}
		}
		return base
	})
	var out []string
	for _, r := range all {
		u, err := url.Parse(r.resolved)
		network := err == nil && (u.Scheme == "http" || u.Scheme == "https")
		if network && !inside[r.resolved] && !strings.EqualFold(u.Host, "json-schema.org") {
			out = append(out, r.written)
		}
	}
	return out
}

// resolve reads a reference against a base, without its fragment; "" is the document itself.
func resolve(base, reference string) string {
	b, err := url.Parse(base)
	if err != nil {
		return ""
	}
	u, err := b.Parse(reference)
	if err != nil {
		return ""
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}

// text reads a JSON value that is a string.
func text(raw json.RawMessage) (value string, ok bool) {
	return value, kit.JSONType(raw) == "string" && json.Unmarshal(raw, &value) == nil
}
