package legacy

import (
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// ended ends a session by DELETE, first with a version that nobody supports where there is a header for it, and asks for what it has no
// longer.
var ended = kit.NewScript("session/ended", kit.Own, func(c *kit.C) {
	c.Safe("control")
	if c.Since("2025-06-18") && !wrongDelete(c) {
		return
	}
	deleted := c.Delete("delete")
	if deleted.Status() == 405 {
		return
	}
	id, waited := client.WithSession(c.Session().ID()), false
	wait := func() {
		if !waited {
			waited = true
			c.Sleep(waitAfter(deleted))
		}
	}
	if x := c.Safe("after delete", id); x.Status() != 404 {
		wait()
		repeated := wire.RepetitionOf("after delete")
		c.Safe(repeated.Label(), id, client.From(repeated))
	}
	if c.Facts.Trait(traitGetStream) != kit.Yes {
		return
	}
	get := c.Get("get after delete", id)
	get.Close()
	if get.Exchange().Status() != 404 && !waited {
		wait()
		repeated := wire.RepetitionOf("get after delete")
		c.Get(repeated.Label(), id, client.From(repeated)).Close()
	}
}, withSessions, kit.Fresh(), kit.Spends(), kit.Waits())

// wrongDelete asks for the end of the session with a version that nobody supports, and goes on in another one where that may have ended it;
// false where there is none.
func wrongDelete(c *kit.C) bool {
	bad := badVersions[0]
	x := c.Delete("wrong delete", client.WithVersion(bad), client.Broken("with MCP-Protocol-Version: "+bad))
	statelessHalf(c, x)
	if c.Safe("control between").Served() && x.Status()/100 != 2 {
		return true
	}
	anew := c.Initialize("initialize anew", c.Revision)
	if !anew.Served() {
		return false
	}
	goOnIn(c, anew)
	c.Notify("initialized anew", "notifications/initialized")
	return c.Safe("control anew").Served()
}

// waitAfter is how long a server may take to end a session: a 202 promises no more than that it will happen.
func waitAfter(deleted *wire.Exchange) time.Duration {
	if deleted.Status() == 202 {
		return 5 * time.Second
	}
	return time.Second
}
