package core

import (
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// askRoots asks the client for its roots (client/roots), and tells how many there are.
func (c *Request) askRoots() (any, *jsonrpc.Error) {
	if !declared(c.Caller.Capabilities.Roots, "") {
		return c.lacks(map[string]any{"roots": jsonrpc.Empty{}}, "the client has no roots")
	}
	raw, instead := c.Caller.Line.Ask("roots/list", nil)
	if instead != nil {
		return end(instead)
	}
	var result struct {
		Roots []struct {
			URI string `json:"uri"`
		} `json:"roots"`
	}
	if json.Unmarshal(raw, &result) != nil || result.Roots == nil {
		return end(c.unfit("the answer of the client has no roots"))
	}
	return says("%d roots", len(result.Roots)), nil
}
