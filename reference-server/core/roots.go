package core

import (
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// roots asks the client for its roots (client/roots). Where there are none (yet), instead is what the method has to answer.
func (c *Request) roots() (uris []string, instead any) {
	if !declared(c.Caller.Capabilities.Roots, "") {
		result, err := c.lacks(map[string]any{"roots": jsonrpc.Empty{}}, "the client has no roots")
		if err != nil {
			return nil, err
		}
		return nil, result
	}
	raw, instead := c.Caller.Line.Ask("roots/list", nil)
	if instead != nil {
		return nil, instead
	}
	var result struct {
		Roots []struct {
			URI string `json:"uri"`
		} `json:"roots"`
	}
	if json.Unmarshal(raw, &result) != nil || result.Roots == nil {
		return nil, c.unfit("the answer of the client has no roots")
	}
	for _, r := range result.Roots {
		uris = append(uris, r.URI)
	}
	return uris, nil
}

// askRoots tells how many roots there are.
func (c *Request) askRoots() (any, *jsonrpc.Error) {
	roots, instead := c.roots()
	if instead != nil {
		return end(instead)
	}
	return says("%d roots", len(roots)), nil
}
