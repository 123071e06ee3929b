package deviation

import (
	"testing"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

func TestPaths(t *testing.T) {
	const doc = `{"a":[{"b":1},{"b":2}],"c/d":null}`
	rows := []struct{ op, pointer, want string }{
		{"set", "/a/1/b", `{"a":[{"b":1},{"b":"new"}],"c/d":null}`},
		{"set", "/a/*/b", `{"a":[{"b":"new"},{"b":"new"}],"c/d":null}`},
		{"set", "/a/-", `{"a":[{"b":1},{"b":2},"new"],"c/d":null}`},
		{"set", "/c~1d", `{"a":[{"b":1},{"b":2}],"c/d":"new"}`},
		{"set", "/e", `{"a":[{"b":1},{"b":2}],"c/d":null,"e":"new"}`},
		{"set", "/no/such/parent", `{"a":[{"b":1},{"b":2}],"c/d":null}`},
		{"set", "", `"new"`},
		{"remove", "/a/0", `{"a":[{"b":2}],"c/d":null}`},
		{"remove", "/a/*/b", `{"a":[{},{}],"c/d":null}`},
		{"remove", "/no", `{"a":[{"b":1},{"b":2}],"c/d":null}`},
	}
	for _, row := range rows {
		v, err := jsonrpc.DecodeAny([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		if row.op == "set" {
			v = parsePath(row.pointer).set(v, "new")
		} else {
			v = parsePath(row.pointer).remove(v)
		}
		if got := string(jsonrpc.Encode(v)); got != row.want {
			t.Errorf("%s %s: %s", row.op, row.pointer, got)
		}
	}
}
