package core

import (
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// Notes are what changes in this server: with the first one a tool and a prompt appear, and each is a resource. They last
// as long as the state of their caller: in a session no other can see them, and without sessions they are everybody's, since no list
// may depend on who asks before (2026-07-28: basic/index#statelessness).

const maxNotes = 100

func (s *State) allNotes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.notes)
}

func noteURI(i int) string { return fmt.Sprintf("ref://notes/%d", i+1) }

const notesURI = "ref://notes"

// writeNote is the tool with an effect. The lists that change are announced, and so is a subscribed resource
// (server/tools#list-changed-notification, server/resources#subscriptions).
func (c *Request) writeNote() (any, *jsonrpc.Error) {
	var args struct {
		Text *string `json:"text"`
	}
	if bad := c.arguments(&args); bad != nil {
		return *bad, nil
	}
	if args.Text == nil {
		return Fails("the argument text is required"), nil
	}
	return c.keepNote(*args.Text)
}

func (c *Request) keepNote(text string) (any, *jsonrpc.Error) {
	c.Caller.State.mu.Lock()
	if len(c.Caller.State.notes) >= maxNotes {
		c.Caller.State.mu.Unlock()
		return Fails("no more than %d notes", maxNotes), nil
	}
	c.Caller.State.notes = append(c.Caller.State.notes, text)
	n := len(c.Caller.State.notes)
	// In the era without sessions whoever listens has said in the request which resources it is about.
	subscribed := c.Caller.State.subscribed[notesURI] || c.speaks(revision.V20260728)
	c.Caller.State.mu.Unlock()

	announce := c.Caller.Line.Announce
	// In the era without sessions both say how many notes there are.
	if n == 1 || c.speaks(revision.V20260728) {
		announce(jsonrpc.Notification("notifications/tools/list_changed", nil))
		announce(jsonrpc.Notification("notifications/prompts/list_changed", nil))
	}
	announce(jsonrpc.Notification("notifications/resources/list_changed", nil))
	if subscribed {
		announce(jsonrpc.Notification("notifications/resources/updated", map[string]any{"uri": notesURI}))
	}
	return says("note %d was kept", n), nil
}
