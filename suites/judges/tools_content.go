package judges

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
)

// CallResults judges the members of the results of tools.
func CallResults(t *kit.T) {
	const expected = "a result with content, an array, and isError a boolean if present"
	t.Says(expected)
	DeclaredServed(t, "tools", "tools/call", expected)
	for _, r := range toolResults(t) {
		content, _ := r.Pointer("/result/content")
		isError, flagged := r.Pointer("/result/isError")
		switch {
		case kit.JSONType(content) != "array":
			t.BreachAt(r.Seen, expected, "content "+kit.JSON(content))
		case flagged && kit.JSONType(isError) != "boolean":
			t.BreachAt(r.Seen, expected, "isError "+kit.JSON(isError))
		default:
			t.OK(r.Exchange, "content is an array in every result, such as that of %s", kit.Quote([]byte(r.Name)))
		}
	}
}

// CallContents judges the items in the content of the results of tools.
func CallContents(t *kit.T) {
	t.Says("content items of the revision's types with their members")
	for _, r := range toolResults(t) {
		judgeContent(t, r)
	}
	t.Unseen(kit.Unprovoked, "no tool result had anything in content")
}

// judgeContent judges the items of one result: by the message schema first, then whether binary data is base64.
func judgeContent(t *kit.T, r ToolAnswer) {
	if found := badContent(t, r); len(found) > 0 {
		expected, got := kit.Wording(found)
		t.BreachAt(r.Seen, expected, got)
		return
	}
	items := contentItems(r)
	for i, raw := range items {
		kind, _ := kit.Text(raw, "type")
		member, ok := binaryMember[kind]
		if !ok {
			continue
		}
		encoded, _ := kit.Text(raw, member)
		place := fmt.Sprintf("/result/content/%d/%s", i, member)
		switch form := kit.Base64(encoded); form {
		case kit.NotBase64:
			t.BreachAt(r.Seen, "base64 at "+place, fmt.Sprintf("%s is %s: %s", place, form, kit.Quote([]byte(encoded))))
		case kit.Base64URL:
			t.WarnAt(r.Seen, "standard base64 at "+place, fmt.Sprintf("%s is %s", place, form))
		case kit.Base64Loose:
			looseBase64(t, r.Seen, "standard base64 at "+place, fmt.Sprintf("%s is %s", place, form))
		}
	}
	if len(items) > 0 {
		t.OK(r.Exchange, "every content item has its members, such as those in the result of %s", kit.Quote([]byte(r.Name)))
	}
}

// binaryMember is where a content item of a type holds base64.
var binaryMember = map[string]string{"image": "data", "audio": "data", "resource": "resource/blob"}

// badContent lists what the revision's schema does not allow in the content of a result. Types of later revisions are left to
// lifecycle.operation.negotiated-version, annotations to tools.annotations-values, icons to security.icons-src.
func badContent(t *kit.T, r ToolAnswer) []schema.Violation {
	found := t.ResultShape("tools/call", r.Result)
	found = kit.Without(kit.Within(found, "/result/content/*"),
		"/result/content/*/annotations", "/result/content/*/icons", "/result/content/*/_meta")
	return slices.DeleteFunc(found, func(v schema.Violation) bool {
		var kind string
		_ = r.Decode(v.Path, &kind)
		return strings.HasSuffix(v.Path, "/type") && slices.Contains([]string{"audio", "resource_link"}, kind)
	})
}

// contentItems are the items in the content of a result, none where that is no array.
func contentItems(r ToolAnswer) []json.RawMessage {
	var items []json.RawMessage
	_ = r.Decode("/result/content", &items)
	return items
}

// EmbeddedDeclared judges that resources are declared where tools return embedded ones.
func EmbeddedDeclared(t *kit.T) {
	const expected = "the capability resources declared, since tools return embedded resources"
	t.Says(expected)
	results := toolResults(t)
	t.Unseen(kit.Unprovoked, "no tool result had an embedded resource in it")
	for _, r := range results {
		for _, item := range contentItems(r) {
			// A resource_link only names a resource that the client may read or not.
			if kind, _ := kit.Text(item, "type"); kind != "resource" {
				continue
			}
			switch t.Facts().Capability("resources") {
			case kit.No:
				t.WarnAt(r.Seen, expected, fmt.Sprintf("an embedded resource in the result of %s, and resources undeclared", kit.Quote([]byte(r.Name))))
			case kit.Yes:
				t.OK(r.Exchange, "resources is declared, and %s returns an embedded resource", kit.Quote([]byte(r.Name)))
			}
			break // one item of a result is enough
		}
	}
}
