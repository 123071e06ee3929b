package judges

import (
	"encoding/json"
	"fmt"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// ContentsRead judges the contents that reading gave.
func ContentsRead(t *kit.T, results func(t *kit.T) []kit.Seen) {
	const expected = "contents, an array of items with uri and either text or blob"
	t.Says(expected)
	DeclaredServed(t, "resources", "resources/read", expected)
	for _, answer := range results(t) {
		judgeContents(t, answer)
	}
	t.Unseen(kit.Unprovoked, "the contents of what was read are empty")
}

// BlobsRead judges the encoding of binary contents.
func BlobsRead(t *kit.T, results func(t *kit.T) []kit.Seen) {
	const expected = "standard base64 in blob"
	t.Says(expected)
	for _, answer := range results(t) {
		for i, item := range ContentsOf(answer.Message) {
			blob, ok := kit.Text(item, "blob")
			if !ok {
				continue
			}
			got := fmt.Sprintf("/result/contents/%d/blob is %s", i, kit.Base64(blob))
			switch kit.Base64(blob) {
			case kit.NotBase64:
				t.BreachAt(answer, expected, got+": "+kit.Quote([]byte(blob)))
			case kit.Base64URL:
				t.WarnAt(answer, expected, got)
			case kit.Base64Loose:
				looseBase64(t, answer, expected, got)
			default:
				t.OK(answer.Exchange, "blob is standard base64")
			}
		}
	}
	t.Unseen(kit.Unprovoked, "none of the resources that were read has a blob")
}

// judgeContents judges the result of one read. That an item has another uri than the one asked for is fine: it may be a directory.
func judgeContents(t *kit.T, answer kit.Seen) {
	const expected = "contents, an array of items with uri and either text or blob"
	if contents, _ := answer.Pointer("/result/contents"); kit.JSONType(contents) != "array" {
		t.BreachAt(answer, expected, "contents "+kit.JSON(contents))
		return
	}
	twofold := -1
	items := ContentsOf(answer.Message)
	for i, item := range items {
		var members map[string]json.RawMessage
		_ = json.Unmarshal(item, &members)
		text, blob := kit.JSONType(members["text"]) == "string", kit.JSONType(members["blob"]) == "string"
		place := fmt.Sprintf("/result/contents/%d", i)
		switch {
		case !isObject(item):
			t.BreachAt(answer, expected, place+" is "+kit.JSON(item))
			return
		case kit.JSONType(members["uri"]) != "string":
			t.BreachAt(answer, expected, place+"/uri is "+kit.JSON(members["uri"]))
			return
		case !text && !blob:
			t.BreachAt(answer, expected, fmt.Sprintf("%s without text and blob that are strings; text is %s, blob is %s", place,
				kit.JSON(members["text"]), kit.JSON(members["blob"])))
			return
		case text && blob && twofold < 0:
			twofold = i
		}
	}
	switch {
	case twofold >= 0:
		t.WarnAt(answer, expected, fmt.Sprintf("/result/contents/%d with both text and blob", twofold))
	case len(items) > 0:
		t.OK(answer.Exchange, "contents have uri and either text or blob in each item (%d)", len(items))
	}
}

// ContentsOf are the items in the result of a read; none where there is no array.
func ContentsOf(answer wire.Message) []json.RawMessage {
	var items []json.RawMessage
	_ = answer.Decode("/result/contents", &items)
	return items
}

// UnknownResource judges the read of a resource that does not exist: the era's code, and what is to be said of another one.
func UnknownResource(t *kit.T, label string, notFound int64, remark func(code int64) string) {
	expected := fmt.Sprintf("JSON-RPC error %d", notFound)
	t.Says(expected)
	x := t.Conclusive(label)
	answer, _ := AnswerOf(t, x)
	code, _ := answer.ErrorCode()
	contents, _ := answer.Pointer("/result/contents")
	switch {
	case code == notFound:
		t.OK(answer.Exchange, "%s", kit.DescribeMessage(answer.Message))
	case answer.Kind == wire.KindError:
		t.WarnAt(answer, expected, kit.DescribeMessage(answer.Message)+remark(code))
	case (ToolAnswer{Seen: answer}).Failed():
		t.WarnAt(answer, expected, flagged)
	case kit.JSONType(contents) == "array" && len(ContentsOf(answer.Message)) == 0:
		t.WarnAt(answer, expected, "a result with empty contents, as if the resource existed")
	case kit.JSONType(contents) == "array" && len(t.Facts().Templates) > 0:
		t.NotObservedAt(kit.Inconclusive, answer.Exchange, "the server has contents for a URI that mcpcheck made up: one of its templates seems to match everything")
	case kit.JSONType(contents) == "array":
		t.NotObservedAt(kit.Inconclusive, answer.Exchange, "the server has contents for a URI that mcpcheck made up: it seems to read whatever it is given, though it lists no template")
	case x.Status()/100 == 4:
		t.Warn(x, expected, kit.Describe(x))
	default:
		t.NotObservedAt(kit.Inconclusive, x, "the read of an unknown resource was neither refused nor answered with contents: %s", kit.Describe(x))
	}
}

// UnknownResourceNamed notes where the error for an unknown resource does not name it. The id is that of the requirement which reports
// another error.
func UnknownResourceNamed(t *kit.T, label string, notFound int64, reported string) {
	t.Says("the URI in error.data.uri")
	x := t.Conclusive(label)
	answer, _ := AnswerOf(t, x)
	var asked, named string
	_ = x.RequestMessage().Decode("/params/uri", &asked)
	_ = answer.Decode("/error/data/uri", &named)
	switch code, _ := answer.ErrorCode(); {
	case named == asked:
		t.OK(answer.Exchange, "the error names the URI in data.uri")
	case code == notFound:
		data, _ := answer.Pointer("/error/data")
		t.NoteAt(answer, "the error for an unknown resource does not name the URI in data.uri: data is %s", kit.JSON(data))
	default:
		t.Blocked(reported, "an unknown resource is not answered by the error that would name it: "+kit.Describe(x))
	}
}

// flagged is a refusal in a form that only calls of tools have.
const flagged = "a result with isError true, which only calls of tools have: to clients it is a resource that was read"

// URIsValidated judges reads of what is no URI: a number, and a text without scheme.
func URIsValidated(t *kit.T, numberLabel, textLabel string) {
	const expected = "an error for a uri that is no URI"
	t.Says(expected)
	number, text := t.Conclusive(numberLabel), t.Conclusive(textLabel)
	for _, x := range []*wire.Exchange{number, text} {
		if answer, _ := AnswerOf(t, x); (ToolAnswer{Seen: answer}).Failed() {
			t.WarnAt(answer, expected, flagged)
			return
		}
	}
	if answer, _ := AnswerOf(t, number); len(ContentsOf(answer.Message)) > 0 {
		t.BreachAt(answer, expected, "contents for the number 5")
		return // one cause: nothing is checked
	}
	if answer, _ := AnswerOf(t, text); len(ContentsOf(answer.Message)) > 0 {
		t.WarnAt(answer, expected, `contents for "not a uri"`)
		return
	}
	for _, x := range []*wire.Exchange{number, text} {
		if answer, _ := AnswerOf(t, x); answer.Kind == wire.KindError || x.Status()/100 == 4 {
			continue
		}
		t.NotObservedAt(kit.Inconclusive, x, "a uri that is no URI gave neither an error nor contents: %s", kit.Describe(x))
	}
	t.OK(number, "a number and a text without scheme are refused: %s", kit.Describe(number))
}
