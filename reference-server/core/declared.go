package core

import (
	"bytes"
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// declared tells whether the client declared a capability, or a part of it: what an empty object means is for the caller.
func declared(capability json.RawMessage, part string) bool {
	members := membersOf(capability)
	_, has := members[part]
	return members != nil && (part == "" || has)
}

// membersOf returns the members of an object; nil for what is none.
func membersOf(raw json.RawMessage) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) || json.Unmarshal(raw, &members) != nil {
		return nil
	}
	return members
}

// lacks is the answer to a client that did not declare what a tool needs of it: from 2026-07-28 an error that lists the capabilities
// (basic/index#meta), and before that a failure of the tool.
func (c *Request) lacks(capabilities map[string]any, why string) (any, *jsonrpc.Error) {
	if !c.speaks(revision.V20260728) {
		return Fails("%s", why), nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeMissingCapability, Message: why, Data: map[string]any{"requiredCapabilities": capabilities}}
}

func (c *Request) lacksForms() (any, *jsonrpc.Error) {
	return c.lacks(map[string]any{"elicitation": map[string]any{"form": jsonrpc.Empty{}}}, "the client does not offer forms")
}

func (c *Request) lacksSampling() (any, *jsonrpc.Error) {
	return c.lacks(map[string]any{"sampling": jsonrpc.Empty{}}, "the client does not offer sampling")
}

func (c *Request) lacksRoots() (any, *jsonrpc.Error) {
	return c.lacks(map[string]any{"roots": jsonrpc.Empty{}}, "the client has no roots")
}

// unfit is what a method answers in place of going on where what the client said is not what it was asked for: from 2026-07-28 an error
// (basic/patterns/mrtr#error-handling).
func (c *Request) unfit(why string) any {
	if !c.speaks(revision.V20260728) {
		return Fails("%s", why)
	}
	return jsonrpc.InvalidParams(why)
}

// end answers with what comes in place of going on: a result, or an error.
func end(instead any) (any, *jsonrpc.Error) {
	if err, ok := instead.(*jsonrpc.Error); ok {
		return nil, err
	}
	return instead, nil
}

// from tells whether a tool may be offered: only where the revision has what it needs.
func from(rev string) func(*Request) bool {
	return func(c *Request) bool { return revision.AtLeast(c.Caller.Revision, rev) }
}
