package judges

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSaysTheSame(t *testing.T) {
	text := func(s string) string { b, _ := json.Marshal(s); return `{"type":"text","text":` + string(b) + `}` }
	for _, c := range []struct {
		item, value string
		want        bool
	}{
		{text(`{"a":1,"b":[true,null]}`), `{"b":[true,null],"a":1.0}`, true},
		{text("{\n  \"a\": \"x\"\n}\n"), `{"a":"x"}`, true},
		{text(`{"a":1}`), `{"a":2}`, false},
		{text(`{"a":1}`), `{"a":"1"}`, false},
		{text(`{"a":1} and more`), `{"a":1}`, false},
		{text(`{"a":1}`), `{"a":1,"b":2}`, false},
		{text(`{"a":1e999999999}`), `{"a":1e999999999}`, true},
		{text(`{"a":1e999999999}`), `{"a":2e999999999}`, false},
		{text(`{"a":[1,2]}`), `{"a":[2,1]}`, false},
		{text("all is well"), `{"a":1}`, false},
		{`{"type":"html","text":"{}"}`, `{}`, false},
		{`{"type":"text","text":5}`, `5`, false},
		{`"{}"`, `{}`, false},
		{`null`, `{}`, false},
		{text(strings.Repeat("[", 20000)), `[]`, false},
	} {
		if got := saysTheSame([]byte(c.item), []byte(c.value)); got != c.want {
			t.Errorf("%.60s and %s: %v", c.item, c.value, got)
		}
	}
}
