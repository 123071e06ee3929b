package judges

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

// ToolInputSchemas judges what the protocol itself demands of inputSchema. Where a revision has a requirement of its own for one that is
// no object, its id is notObject; "" where an era has none.
func ToolInputSchemas(t *kit.T, list Listing, notObject string) {
	t.Says(`an inputSchema with type "object", properties an object and required an array of strings`)
	pages := ToolPages(t, list)
	judgeTools(t, pages, t.Breach, func(v schema.Violation, place string) bool {
		// From 2025-11-25 on ToolInputObjects reports what is no object.
		return place == "inputSchema" && (notObject == "" || t.Before("2025-11-25")) || demanded(place, "inputSchema")
	})
	judgeTools(t, pages, t.Warn, func(v schema.Violation, place string) bool {
		// JSON Schema allows them; schema.json of the protocol types each property as an object.
		return booleanProperty(v, place)
	})
	if p, n := withObject(pages, "inputSchema"); n > 0 {
		t.OK(p.Exchange, `the inputSchema of %d tools has type "object"`, n)
	} else {
		t.Blocked(notObject, "no inputSchema is an object") // unless it was told here
	}
}

// ToolOutputSchemas judges what the protocol itself demands of outputSchema. One that is no object is for ToolShapes.
func ToolOutputSchemas(t *kit.T, list Listing) {
	t.Says(`an outputSchema with type "object", properties an object and required an array of strings`)
	pages := ToolPages(t, list)
	judgeTools(t, pages, t.Breach, func(_ schema.Violation, place string) bool { return demanded(place, "outputSchema") })
	if p, n := withObject(pages, "outputSchema"); n > 0 {
		t.OK(p.Exchange, `the outputSchema of %d tools has type "object"`, n)
	}
	if !t.Observed() {
		t.Unlisted(ListTools, "no tool has an outputSchema that is an object")
	}
}

// ToolInputObjects judges that each tool has an object as inputSchema.
func ToolInputObjects(t *kit.T, list Listing) {
	t.Says("an object as inputSchema in every tool")
	pages := ToolPages(t, list)
	judgeTools(t, pages, t.Breach, func(_ schema.Violation, place string) bool { return place == "inputSchema" })
	p, n := withObject(pages, "inputSchema")
	t.OK(p.Exchange, "the inputSchema of %d tools is an object", n)
}

// ToolSchemas judges the schemas of the tools by their meta-schemas, and writes down one finding for each severity. The ids are those of
// the requirements that report what the protocol itself demands of inputSchema and of outputSchema.
func ToolSchemas(t *kit.T, list Listing, input, output string) {
	t.Says("schemas that are valid under their dialect")
	pages := ToolPages(t, list)
	type finding struct {
		at    toolSchema
		found []schema.Violation
	}
	var fails, warns finding
	var unknown, elsewhere string
	schemas := 0
	eachSchema(t, pages, func(s toolSchema) {
		violations, err := schema.CheckSchema(s.raw, t.Revision())
		if err != nil {
			if unknown == "" {
				unknown = fmt.Sprintf("nothing can be said of the %s of %s: %v", s.member, called(s.page, s.index), err)
			}
			return
		}
		var found []schema.Violation
		for _, v := range schema.Under("/"+s.member, violations) {
			// What the protocol itself demands has requirements of its own.
			if place := v.Path[1:]; !s.reported[place] {
				found = append(found, v)
			} else if elsewhere = output; s.member == "inputSchema" {
				elsewhere = input
			}
		}
		schemas++
		into := &fails
		// Before 2025-11-25 no default dialect is written down, so that a schema which names none breaks no rule for certain.
		if _, named := wire.ReadMessage(s.raw).Pointer("/$schema"); !named && t.Before("2025-11-25") {
			into = &warns
		}
		if len(into.found) == 0 {
			into.at = s
		}
		into.found = append(into.found, found...)
	})
	write := func(f finding, write func(*wire.Exchange, string, string)) {
		if len(f.found) > 0 {
			expected, got := kit.Wording(f.found)
			write(f.at.page.Exchange, expected+", by "+f.found[0].Definition, got+", in "+called(f.at.page, f.at.index))
		}
	}
	write(fails, t.Breach)
	write(warns, t.Warn)
	switch { // where nothing was told here
	case elsewhere != "":
		t.Blocked(elsewhere, "a schema is wrong in what the protocol itself demands of it")
	case unknown != "":
		t.NotObserved(kit.Inconclusive, "%s", unknown)
	case schemas == 0:
		t.NotObserved(kit.Unprovoked, "no tool has a schema that is an object")
	default:
		t.OK(pages[0].Exchange, "%d schemas of tools are valid", schemas)
	}
}

// ToolDialects notes schemas in another dialect than the default one.
func ToolDialects(t *kit.T, list Listing) {
	t.Says("schemas without $schema, or with that of 2020-12")
	var at *wire.Exchange
	var first string
	others, schemas := 0, 0
	eachSchema(t, ToolPages(t, list), func(x toolSchema) {
		dialect, _ := kit.Text(x.raw, "$schema")
		if schemas++; dialect == "" || sameDialect(dialect, dialect2020) {
			return // a $schema that is no string is no dialect: ToolSchemas
		}
		if others++; others == 1 {
			at, first = x.page.Exchange, fmt.Sprintf("the %s of %s names the dialect %s", x.member, called(x.page, x.index), kit.Quote([]byte(dialect)))
		}
	})
	switch {
	case others > 1:
		t.Note(at, "%s, and %d more schemas name another than 2020-12, which is allowed; clients need only know 2020-12", first, others-1)
	case others == 1:
		t.Note(at, "%s, which is allowed; clients need only know 2020-12", first)
	case schemas > 0:
		t.OK(t.Answered(list.Method), "%d schemas in 2020-12", schemas)
	default:
		t.NotObserved(kit.Unprovoked, "no tool has a schema that is an object")
	}
}

// dialect2020 is the default dialect of schemas from 2025-11-25 on (basic/index#json-schema-usage).
const dialect2020 = "https://json-schema.org/draft/2020-12/schema"

// A toolSchema is the inputSchema or outputSchema of a listed tool.
type toolSchema struct {
	page   kit.Page
	index  int // of the tool in the page
	member string
	raw    json.RawMessage
	// reported holds the places of the tool that ToolInputSchemas and ToolOutputSchemas report.
	reported map[string]bool
}

// eachSchema visits the schemas of all tools that are objects; what is none is reported by other requirements.
func eachSchema(t *kit.T, pages []kit.Page, visit func(toolSchema)) {
	members := []string{"inputSchema"}
	if t.Since("2025-06-18") {
		members = append(members, "outputSchema")
	}
	for _, p := range pages {
		reported := map[int]map[string]bool{}
		for _, v := range kit.Within(t.Shape(p.Exchange), "/result/tools/*/inputSchema", "/result/tools/*/outputSchema") {
			if index, place := toolPlace(v.Path); demanded(place, "inputSchema") || demanded(place, "outputSchema") {
				if reported[index] == nil {
					reported[index] = map[string]bool{}
				}
				reported[index][place] = true
			}
		}
		for i, raw := range p.Items {
			var tool map[string]json.RawMessage
			_ = json.Unmarshal(raw, &tool)
			for _, m := range members {
				if kit.JSONType(tool[m]) == "object" {
					visit(toolSchema{page: p, index: i, member: m, raw: tool[m], reported: reported[i]})
				}
			}
		}
	}
}

// demanded are the places where the protocol itself says what inputSchema or outputSchema must have, which is the member.
func demanded(place, member string) bool {
	rest, ok := strings.CutPrefix(place, member+"/")
	return ok && (rest == "type" || rest == "properties" || rest == "required" || strings.HasPrefix(rest, "required/"))
}

// booleanProperty tells that a property of an inputSchema is described by true or false.
func booleanProperty(v schema.Violation, place string) bool {
	property, found := strings.CutPrefix(place, "inputSchema/properties/")
	return found && !strings.Contains(property, "/") && (v.Got == "true" || v.Got == "false")
}

// withObject counts the tools that have an object as a member, and returns the page of the first.
func withObject(pages []kit.Page, member string) (first kit.Page, n int) {
	for _, p := range pages {
		for _, raw := range p.Items {
			var tool map[string]json.RawMessage
			if _ = json.Unmarshal(raw, &tool); kit.JSONType(tool[member]) == "object" {
				if n++; n == 1 {
					first = p
				}
			}
		}
	}
	return first, n
}

// sameDialect compares the URIs of dialects, which people write with http or https and with an empty fragment or without.
func sameDialect(a, b string) bool {
	plain := func(uri string) string {
		_, rest, _ := strings.Cut(strings.TrimSuffix(uri, "#"), "://")
		return rest
	}
	return plain(a) == plain(b)
}
