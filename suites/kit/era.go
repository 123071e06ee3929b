package kit

import (
	"encoding/json"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/wire"
)

// An Era is what the kit and the engine are told of an era of the protocol. They know nothing of one beyond this value.
type Era struct {
	// Name is the era's name in package revision.
	Name string
	// Dialect is how its clients speak over HTTP.
	Dialect client.Dialect
	// Areas are in the order of the catalogue.
	Areas []Area
	// Inventory is the first conversation of a revision; Facts reads what it showed.
	Inventory *Script
	Facts     func(*wire.Transcript, Given) *Facts
	// Open begins a conversation the way a client does: what a script finds done that has a session. It returns the exchange that must
	// be served before anything else is sent; it is labelled Opening. Where every request stands for itself it is nil: nothing comes
	// before a script then, and Opening is only the first request of the inventory.
	Open    func(*C, ...client.Option) *wire.Exchange
	Opening string
	// Mirror says which arguments of a call of the listed tools clients repeat in headers; nil where they repeat none.
	Mirror func(*Facts) func(tool string, arguments json.RawMessage) map[string]string
	// Demands are the needs of every script that does not begin without anything (Sharing.Opens), and of its checks.
	Demands []Need
	// Root is the requirement that reports where nothing opens, Harmless the one that reports where no harmless request is served:
	// everything else is blocked by them then.
	Root, Harmless string
	// Turning is the requirement that reports where sessions are refused and served in turn; "" where there are no sessions.
	Turning string
	// Applies tells whether a requirement that has a level in the revision exists over the transport.
	Applies func(e catalogue.Entry, transport, revision string) bool
	// Lending says which revision is judged by the transport rules of another one, where it is all that a server speaks.
	Lending Lending
	// Unfailing are the methods of requests that a server has no reason to answer with 5xx.
	Unfailing []string
	// Incapable is the code of the error that a client gets which did not declare what a request of it takes; 0 where there is none. It
	// refuses that client, not the request.
	Incapable int64
	// Checklist is what people go through by hand when they bring up a server.
	Checklist []ChecklistItem
	// Access is how a server is looked at that wants credentials we do not have.
	Access Access
}

// Lending is how a revision that has no rules for the transport it came over is judged: by those of another one.
type Lending struct {
	To, From string
	// Areas hold the rules.
	Areas []string
	// Meant tells that a server shows that it means that transport. Where it does not, a breach is a warning at most.
	Meant func(*Facts) bool
}

// Lend returns a check as it is for the revision that is lent the rules of another.
func (l Lending) Lend(c *Check) *Check {
	_, has := c.Entry.Levels[l.From]
	if !has || !slices.Contains(l.Areas, c.Entry.Area) {
		return c
	}
	lent := *c
	lent.Entry = c.Entry.Lend(l.To, l.From)
	return &lent
}

// A ChecklistItem is a line of a checklist, and the requirements that judge it.
type ChecklistItem struct {
	Text string
	IDs  []string
}

// Access says what can be seen of a server that wants credentials: one conversation for each revision that it may speak.
type Access struct {
	// Area holds the requirements that are judged then.
	Area string
	// Revisions are those that have them, oldest first.
	Revisions []string
	// Dates tells that what the conversation showed came with a revision, so that older ones are no longer possible; "" where it
	// showed nothing of the kind.
	Dates func(*wire.Transcript) string
}
