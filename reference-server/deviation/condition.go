package deviation

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// holds tells whether a condition is met; a nil one always is.
func (c *Condition) holds(sc Scene) bool {
	if c == nil {
		return true
	}
	if c.HTTP != "" && c.HTTP != sc.HTTP || len(c.RPC) > 0 && !slices.Contains(c.RPC, sc.RPC) {
		return false
	}
	if c.Ready != nil && *c.Ready != sc.Ready || c.Batch != "" && c.Batch != sc.Batch {
		return false
	}
	for name, want := range c.Header {
		got := strings.Join(sc.Header.Values(name), ", ")
		if want == "*" && got == "" || want != "*" && want != got {
			return false
		}
	}
	if len(c.Request) == 0 {
		return true
	}
	request, err := jsonrpc.DecodeAny(sc.Request)
	if err != nil {
		return false
	}
	for pointer, want := range c.Request {
		got, ok := parsePath(pointer).get(request)
		switch {
		case want == nil && ok, want != nil && !ok:
			return false
		case want != nil && want != "*" && !bytes.Equal(jsonrpc.Encode(got), jsonrpc.Encode(want)):
			return false
		}
	}
	return true
}
