package core

import (
	"bytes"
	"encoding/json"

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

// from tells whether a tool may be offered: only where the revision has what it needs.
func from(rev string) func(*Request) bool {
	return func(c *Request) bool { return revision.AtLeast(c.Caller.Revision, rev) }
}
