package judges

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

// StructuredObjects judges that structured results are objects.
func StructuredObjects(t *kit.T) {
	const expected = "structuredContent as a JSON object"
	t.Says(expected)
	for _, r := range structuredResults(t) {
		content, _ := r.Pointer("/result/structuredContent")
		if kit.JSONType(content) != "object" {
			t.BreachAt(r.Seen, expected, "structuredContent "+kit.JSON(content))
			continue
		}
		t.OK(r.Exchange, "structuredContent is an object, such as in the result of %s", kit.Quote([]byte(r.Name)))
	}
}

// StructuredTexts judges that structured results stand in a text as well. Null without an outputSchema is what some servers write where
// there is nothing.
func StructuredTexts(t *kit.T) {
	const expected = "a text item with the JSON of structuredContent"
	t.Says(expected)
	failed := 0
	for _, r := range structuredResults(t) {
		content, _ := r.Pointer("/result/structuredContent")
		items, _ := r.Pointer("/result/content")
		switch {
		case r.Failed():
			failed++
		// What is wrong with these already is reported by StructuredObjects, CallResults and CallContents.
		case kit.JSONType(content) != "object" && t.Before(stateless), kit.JSONType(items) != "array", len(badContent(t, r)) > 0:
		case kit.JSONType(content) == "null" && !promisesStructure(t, r.Name):
		case slices.ContainsFunc(contentItems(r), func(item json.RawMessage) bool { return saysTheSame(item, content) }):
			t.OK(r.Exchange, "structuredContent stands in a text item as well, such as in the result of %s", kit.Quote([]byte(r.Name)))
		case slices.ContainsFunc(contentItems(r), func(item json.RawMessage) bool { return saysTheInside(item, content) }):
			// Python's SDKs wrap what is no object, and write it without the wrapper: whoever reads the text misses nothing.
			t.NoteAt(r.Seen, "the text of the result of %s has the value of structuredContent without the member around it", kit.Quote([]byte(r.Name)))
		default:
			t.WarnAt(r.Seen, expected, "no text item with that value in the result of "+kit.Quote([]byte(r.Name)))
		}
	}
	if failed > 0 && !t.Observed() {
		t.NotApplicable("structuredContent came with failures of tools only")
	}
}

// promisesStructure tells that a tool has an outputSchema.
func promisesStructure(t *kit.T, name string) bool {
	tool, _ := t.Facts().Tool(name)
	return outputSchema(tool) != nil
}

// StructuredConforms judges structured results by the outputSchema of their tools. The ids are those of the requirements that report
// structured content that is no object, "" where it may be any value, and a schema that is none.
func StructuredConforms(t *kit.T, notObject, noSchema string) {
	const expected = "structuredContent that is valid under the tool's outputSchema"
	t.Says(expected)
	if !slices.ContainsFunc(t.Facts().Tools, func(tool kit.Tool) bool { return outputSchema(tool) != nil }) {
		t.Unlisted(ListTools, "no tool has an outputSchema")
	}
	unknown, exempt := "", ""
	for _, r := range ToolAnswers(t) {
		tool, _ := t.Facts().Tool(r.Name)
		output := outputSchema(tool)
		if output == nil {
			continue
		}
		if r.Kind == wire.KindError || r.Failed() {
			exempt = "failed, and a failure needs no structured content"
			continue
		}
		if Interim(t, r.Message) {
			exempt = "got no complete result, and another needs no structured content"
			continue
		}
		unknown = cmp.Or(judgeStructured(t, r, output, expected, notObject, noSchema), unknown)
	}
	switch {
	case t.Observed():
	case unknown != "":
		t.NotObserved(kit.Inconclusive, "%s", unknown)
	case exempt != "":
		t.NotApplicable("the calls of tools with an outputSchema %s", exempt)
	default:
		t.NotObserved(kit.Unnamed, "no tool with an outputSchema was called: none is read-only without required arguments, and none was named with --call")
	}
}

// judgeStructured judges one result by the schema of its tool; it returns why nothing can be said.
func judgeStructured(t *kit.T, r ToolAnswer, output json.RawMessage, expected, notObject, noSchema string) (unknown string) {
	content, present := r.Pointer("/result/structuredContent")
	_, task := r.Pointer("/result/task")
	switch {
	case kit.JSONType(r.Result) != "object":
		return "the answer is no result of a tool"
	case !present && task && t.Since("2025-11-25"):
		return "the call was answered with a task"
	case !present:
		t.BreachAt(r.Seen, expected, fmt.Sprintf("no structuredContent in the result of %s", kit.Quote([]byte(r.Name))))
		return ""
	case kit.JSONType(content) != "object" && notObject != "":
		return "structuredContent is no object: " + notObject
	}
	found, err := schema.Validate(output, content)
	switch {
	case errors.Is(err, schema.ErrInvalidSchema):
		return "the outputSchema of " + kit.Quote([]byte(r.Name)) + " is no valid schema: " + noSchema
	case err != nil:
		return "nothing can be said by the outputSchema of " + kit.Quote([]byte(r.Name)) + ": " + err.Error()
	case len(found) > 0:
		want, got := kit.Wording(schema.Under("/result/structuredContent", found))
		t.BreachAt(r.Seen, want+", by the outputSchema of "+kit.Quote([]byte(r.Name)), got)
	default:
		t.OK(r.Exchange, "structuredContent is valid under the outputSchema, such as in the result of %s", kit.Quote([]byte(r.Name)))
	}
	return ""
}

// structuredResults are the results with the member structuredContent.
func structuredResults(t *kit.T) []ToolAnswer {
	results := toolResults(t)
	t.Unseen(kit.Unprovoked, "no tool result had structuredContent")
	return slices.DeleteFunc(results, func(r ToolAnswer) bool {
		_, present := r.Pointer("/result/structuredContent")
		return !present
	})
}

// outputSchema is the schema that a tool declares for its structured results; nil where it has none, or one that is no object, which
// ToolShapes reports.
func outputSchema(tool kit.Tool) json.RawMessage {
	output, _ := wire.ReadMessage(tool.Raw).Pointer("/outputSchema")
	if kit.JSONType(output) != "object" {
		return nil
	}
	return output
}

// saysTheSame tells whether a content item is a text whose JSON equals a value.
func saysTheSame(item, value json.RawMessage) bool {
	if kind, _ := kit.Text(item, "type"); kind != "text" {
		return false
	}
	text, _ := kit.Text(item, "text")
	a, okA := anyJSON([]byte(text))
	b, okB := anyJSON(value)
	return okA && okB && equalJSON(a, b)
}

// saysTheInside tells that a text item has the only member of an object: as it is for a string, else as JSON.
func saysTheInside(item, content json.RawMessage) bool {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(content, &members)
	if kind, _ := kit.Text(item, "type"); len(members) != 1 || kind != "text" {
		return false
	}
	text, _ := kit.Text(item, "text")
	for _, inside := range members {
		if isString(inside) && wire.Unquote(inside) == text {
			return true
		}
		return saysTheSame(item, inside)
	}
	return false
}
