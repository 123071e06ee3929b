package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	. "github.com/onsi/gomega"
)

func TestReadMessage(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	tests := []struct {
		name, in string
		want     Message
	}{
		{"request", `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
			Message{Kind: KindRequest, Version: raw(`"2.0"`), ID: raw("1"), HasID: true, Method: "ping", HasMethod: true}},
		{"id null is not absent", `{"id":null,"method":"ping"}`,
			Message{Kind: KindRequest, ID: raw("null"), HasID: true, Method: "ping", HasMethod: true}},
		{"notification with params null", `{"method":"a","params":null}`,
			Message{Kind: KindNotification, Method: "a", HasMethod: true, Params: raw("null"), HasParams: true}},
		{"result null", `{"id":"x","result":null}`,
			Message{Kind: KindResult, ID: raw(`"x"`), HasID: true, Result: raw("null"), HasResult: true}},
		{"error without id", `{"error":{"code":-1}}`,
			Message{Kind: KindError, Error: raw(`{"code":-1}`), HasError: true}},
		{"result and error", `{"result":1,"error":null}`,
			Message{Kind: KindInvalid, Problem: "has both result and error", Result: raw("1"), HasResult: true, Error: raw("null"), HasError: true}},
		{"method and result", `{"method":"m","result":1}`,
			Message{Kind: KindInvalid, Problem: "has a method and a result or error", Method: "m", HasMethod: true, Result: raw("1"), HasResult: true}},
		{"method no string", `{"method":1}`, Message{Kind: KindInvalid, Problem: "method is no string", HasMethod: true}},
		{"empty object", `{}`, Message{Kind: KindInvalid, Problem: "has neither method nor result nor error"}},
		{"duplicates by unescaped name, last wins", `{"id":1,"\u0069d":2,"x":0,"x":0,"result":{}}`,
			Message{Kind: KindResult, ID: raw("2"), HasID: true, Result: raw("{}"), HasResult: true, Duplicates: []string{"id", "x"}, Extra: []string{"x"}}},
		{"member names keep their case", `{"Method":"ping"}`,
			Message{Kind: KindInvalid, Problem: "has neither method nor result nor error", Extra: []string{"Method"}}},
		{"braces in strings", `{"method":"a}\"]","params":{"k":"[{\\"}}`,
			Message{Kind: KindNotification, Method: `a}"]`, HasMethod: true, Params: raw(`{"k":"[{\\"}`), HasParams: true}},
		{"string", ` "hello" `, Message{Kind: KindNotObject}},
		{"null", `null`, Message{Kind: KindNotObject}},
		{"empty batch", `[]`, Message{Kind: KindBatch}},
		{"batch", `[{"method":"a"},[],7]`, Message{Kind: KindBatch, Elements: []Message{
			{Kind: KindNotification, Method: "a", HasMethod: true}, {Kind: KindNotObject}, {Kind: KindNotObject}}}},
		{"empty", "", Message{Kind: KindNotJSON, Problem: "empty"}},
		{"blank", " \r\n", Message{Kind: KindNotJSON, Problem: "empty"}},
		{"not UTF-8", "{\"method\":\"\xff\"}", Message{Kind: KindNotJSON, Problem: "not UTF-8"}},
		{"byte order mark", "\uFEFF{}", Message{Kind: KindNotJSON, Problem: "begins with a byte order mark"}},
		{"two documents", `{}{}`, Message{Kind: KindNotJSON, Problem: "invalid character '{' after top-level value (at byte 3)"}},
		{"trailing comma", `{"a":1,}`, Message{Kind: KindNotJSON, Problem: "invalid character '}' looking for beginning of object key string (at byte 8)"}},
		{"NaN", `NaN`, Message{Kind: KindNotJSON, Problem: "invalid character 'N' looking for beginning of value (at byte 1)"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ReadMessage([]byte(test.in))
			if d := cmp.Diff(test.want, got, cmpopts.IgnoreUnexported(Message{}), cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestDepthIsBounded(t *testing.T) {
	g := NewWithT(t)
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	g.Expect(ReadMessage([]byte(deep(5000))).Kind).To(Equal(KindBatch))
	m := ReadMessage([]byte(`{"method":"m","params":` + deep(20000) + `}`))
	g.Expect(m.Kind).To(Equal(KindNotJSON))
	g.Expect(m.Problem).To(ContainSubstring("exceeded max depth"))
}

func TestPointer(t *testing.T) {
	m := ReadMessage([]byte(`{"id":1,"result":{"tools":[{"name":"a"},{"name":"b","a/b~c":[1, 2]}],"":0,"x":1,"x":2}}`))
	tests := []struct {
		pointer, want string
	}{
		{"/result/tools/1/name", `"b"`}, {"/result/tools/1/a~1b~0c/1", "2"}, {"/result/", "0"}, {"/result/x", "2"},
		{"/result/tools/2", ""}, {"/result/tools/01", ""}, {"/result/tools/-", ""}, {"/id/0", ""}, {"result", ""},
	}
	for _, test := range tests {
		got, ok := m.Pointer(test.pointer)
		if string(got) != test.want || ok != (test.want != "") {
			t.Errorf("%s: got %q, %v; want %q", test.pointer, got, ok, test.want)
		}
	}
	var name string
	if err := m.Decode("/result/tools/0/name", &name); err != nil || name != "a" {
		t.Errorf("got %q, %v", name, err)
	}
	if err := m.Decode("/nothing", &name); err == nil {
		t.Error("want an error")
	}
}

func TestSameID(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"7", "7", true}, {"7", "7.0", true}, {"70e-1", "7", true}, {"-0", "0", true}, {"1E2", "100", true}, {"0.10", "1e-1", true},
		{"7", `"7"`, false}, {"7", "8", false}, {"-7", "7", false},
		{"9007199254740993", "9007199254740992", false}, {"1e999999999", "1e999999999", true}, {"1e999999999", "1e999999998", false},
		{"1e99999999999999999999", "1e99999999999999999999", true},
		{`"a"`, `"\u0061"`, true}, {`"a"`, `"A"`, false}, {"null", "null", true}, {"null", "", false}, {"", "", false},
		{"true", "true", true}, {"true", "false", false},
	}
	for _, test := range tests {
		if got := SameID(json.RawMessage(test.a), json.RawMessage(test.b)); got != test.want {
			t.Errorf("SameID(%s, %s) = %v", test.a, test.b, got)
		}
	}
}

func TestErrorCode(t *testing.T) {
	for in, want := range map[string]int64{"-32601": -32601, "-326e2": -32600, "1.0": 1, "9223372036854775807": 1<<63 - 1} {
		m := ReadMessage([]byte(`{"error":{"code":` + in + `,"message":"no"}}`))
		if got, ok := m.ErrorCode(); !ok || got != want || m.ErrorMessage() != "no" {
			t.Errorf("%s: got %d, %v", in, got, ok)
		}
	}
	for _, in := range []string{"1.5", "9223372036854775808", "1e400", `"1"`, "null"} {
		if got, ok := ReadMessage([]byte(`{"error":{"code":` + in + `}}`)).ErrorCode(); ok {
			t.Errorf("%s: got %d", in, got)
		}
	}
}

func FuzzReadMessage(f *testing.F) {
	for _, s := range []string{`{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}`, `[{"id":null,"result":[]},{}]`, `{"a":"\ud800","a":1e5}`,
		"\uFEFF{}", `"x"`, `[[[[]]]]`, `{"error":{"code":-1,"message":""}}`, "{\"id\" : 1 , \"result\" :\t[ 1 , { } ] }"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := ReadMessage(data)
		if (m.Kind == KindNotJSON) != (m.Problem != "" && m.Kind != KindInvalid) {
			t.Fatalf("%s with problem %q", m.Kind, m.Problem)
		}
		if m.Kind == KindNotJSON {
			return
		}
		// Our walker and encoding/json must see the same members.
		var want map[string]json.RawMessage
		if json.Unmarshal(m.Raw(), &want) == nil && want != nil {
			got := map[string]json.RawMessage{}
			eachMember(m.Raw(), func(key string, value json.RawMessage) bool { got[key] = value; return true })
			if d := cmp.Diff(want, got); d != "" {
				t.Fatal(d)
			}
		}
		var list []json.RawMessage
		if m.Kind == KindBatch && json.Unmarshal(m.Raw(), &list) == nil {
			if len(list) != len(m.Elements) {
				t.Fatalf("%d elements, want %d", len(m.Elements), len(list))
			}
			for i := range list {
				if string(list[i]) != string(m.Elements[i].Raw()) {
					t.Fatalf("element %d: %q, want %q", i, m.Elements[i].Raw(), list[i])
				}
			}
		}
		m.ErrorCode()
		SameID(m.ID, m.ID)
	})
}
