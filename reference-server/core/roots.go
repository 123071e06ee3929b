package core

import (
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// roots asks the client for its roots (client/roots). Where there are none (yet), instead is what the method has to answer.
func (c *Request) roots() (uris []string, instead any) {
	if !declared(c.Caller.Capabilities.Roots, "") {
		result, err := c.lacksRoots()
		if err != nil {
			return nil, err
		}
		return nil, result
	}
	answers, instead := c.Caller.Line.Ask(Question{Method: "roots/list"})
	if instead != nil {
		return nil, instead
	}
	return c.rootsOf(answers[0])
}

// rootsOf reads what a client answered that was asked for its roots.
func (c *Request) rootsOf(raw json.RawMessage) (uris []string, instead any) {
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
