package judges

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/wire"
)

// TestEqualJSON: values are compared by what they mean.
func TestEqualJSON(t *testing.T) {
	deep := strings.Repeat("[", 20000) + strings.Repeat("]", 20000)
	for _, row := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1}`, `{"a":1.0}`, true}, {`{"a":1,"b":2}`, `{"b":2,"a":1}`, true}, {`{}`, `"x"`, false}, {`"x"`, `{}`, false}, {`{"a":null}`, `{"b":null}`, false},
		{`[]`, `5`, false}, {`[1]`, `[1]`, true}, {`[1]`, `[2]`, false}, {`0`, `"x"`, false}, {`0`, `null`, false}, {`1e999`, `1e999`, true}, {`1e999`, `1e9999`, false},
		{`1e999`, `1`, false}, {`1`, `1e999`, false}, {`true`, `true`, true}, {`null`, `null`, true}, {deep, deep, true}, {deep, deep + " ", false}, {deep, `null`, false}, {`null`, deep, false},
	} {
		if got := sameJSON([]byte(row.a), []byte(row.b)); got != row.want {
			t.Errorf("%.20s and %.20s: %v", row.a, row.b, got)
		}
	}
	for text, want := range map[string]bool{`{}`: true, `{"a"`: false, `tru`: false, ``: false, `1 2`: false, ` 1 `: true} {
		if _, ok := anyJSON([]byte(text)); ok != want {
			t.Errorf("%q is JSON: %v", text, ok)
		}
	}
	for text, want := range map[string]int{"": -1, "a": -1, "\uFFFD": -1, "a\xff": 1, "ä": -1, "ä\xe4": 2} {
		if got := InvalidUTF8([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestTexts: whether a text says what is structured, as it is or without the member around it.
func TestTexts(t *testing.T) {
	for _, row := range []struct {
		item, content string
		want          bool
	}{
		{`{"type":"text","text":"x"}`, `{"result":"x"}`, true},
		{`{"type":"text","text":"[1]"}`, `{"result":[1]}`, true},
		{`{"type":"text","text":"x"}`, `{"result":"y"}`, false},
		{`{"type":"text","text":"x"}`, `{"result":"x","more":1}`, false},
		{`{"type":"html","text":"x"}`, `{"result":"x"}`, false},
		{`{"type":"text","text":""}`, `{"result":5}`, false},
		{`{"type":"text","text":""}`, `{"result":null}`, false},
		{`{"type":"text","text":"ul"}`, `{"result":null}`, false},
		{`{"type":"text","text":"x"}`, `{}`, false},
	} {
		if got := saysTheInside([]byte(row.item), []byte(row.content)); got != row.want {
			t.Errorf("%s and %s: %v", row.item, row.content, got)
		}
	}
	if saysTheSame([]byte(`{"type":"text","text":"null"}`), []byte(strings.Repeat("[", 20000))) {
		t.Error("null is what is nested too deep to be read")
	}
	if oddTime([]json.RawMessage{[]byte(`{"priority":1}`)}, "2025-11-25") != "" || oddTime([]json.RawMessage{[]byte(`{"lastModified":"x"}`)}, "2025-11-25") == "" {
		t.Error("annotations without a time have an odd one")
	}
	if !slices.Equal(promptKinds(`[{"content":{"type":"text"}},{"content":5},5]`), []string{"text", "", ""}) {
		t.Error("contents of prompts are not read in order")
	}
}

func promptKinds(messages string) (kinds []string) {
	for _, c := range promptContents(wire.ReadMessage([]byte(`{"jsonrpc":"2.0","id":1,"result":{"messages":` + messages + `}}`))) {
		kinds = append(kinds, c.kind)
	}
	return kinds
}
