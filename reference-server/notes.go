package refserver

import (
	"fmt"
	"slices"
)

// Notes are what changes in this server: with the first one a tool and a prompt appear, and each is a resource. They last
// as long as their session, so that no run can see another.

const maxNotes = 100

func (s *session) allNotes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.notes)
}

func noteURI(i int) string { return fmt.Sprintf("ref://notes/%d", i+1) }

const notesURI = "ref://notes"

// writeNote is the tool with an effect. The lists that change are announced, and so is a subscribed resource
// (server/tools#list-changed-notification, server/resources#subscriptions).
func (c *request) writeNote() (any, *rpcError) {
	var args struct {
		Text *string `json:"text"`
	}
	if bad := c.arguments(&args); bad != nil {
		return *bad, nil
	}
	if args.Text == nil {
		return fails("the argument text is required"), nil
	}
	c.session.mu.Lock()
	if len(c.session.notes) >= maxNotes {
		c.session.mu.Unlock()
		return fails("no more than %d notes", maxNotes), nil
	}
	c.session.notes = append(c.session.notes, *args.Text)
	n := len(c.session.notes)
	subscribed := c.session.subscribed[notesURI]
	c.session.mu.Unlock()

	if c.s.profile.GET {
		if n == 1 {
			c.s.push(c.session, notification("notifications/tools/list_changed", nil))
			c.s.push(c.session, notification("notifications/prompts/list_changed", nil))
		}
		c.s.push(c.session, notification("notifications/resources/list_changed", nil))
		if subscribed {
			c.s.push(c.session, notification("notifications/resources/updated", map[string]any{"uri": notesURI}))
		}
	}
	return says("note %d was kept", n), nil
}
