package legacy

import (
	"fmt"
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func session(s *kit.Section) {
	inventory := Inventory()

	s.Check("session.id-charset", inventory, func(t *kit.T) {
		x := t.Exchange("initialize")
		const expected = "visible ASCII characters only (0x21 to 0x7E)"
		t.Says(expected)
		ids := x.ResponseSession()
		if len(slices.Compact(slices.Sorted(slices.Values(ids)))) > 1 {
			t.Breach(x, "one session id", fmt.Sprintf("%d different ones on one response", len(ids)))
		}
		for _, id := range ids {
			if i := slices.IndexFunc([]byte(id), func(b byte) bool { return b < 0x21 || b > 0x7e }); i >= 0 {
				t.Breach(x, expected, fmt.Sprintf("byte 0x%02x at position %d", id[i], i))
				return
			}
		}
		t.OK(x, "%d visible ASCII characters", len(ids[0]))
	}, kit.Sessions)

	without := s.Script("session/without-id", kit.Own, func(c *kit.C) {
		c.List("control")
		c.List("no id", client.WithoutSession(), client.Broken("without Mcp-Session-Id"))
		c.List("control after")
	}, kit.Sessions)
	s.Check("session.missing-400", without, func(t *kit.T) {
		t.Control("control", "control after")
		x := t.Probe("no id", 401, 403)
		if x.Served() {
			t.NotApplicable("the server serves requests without a session id: it does not require one")
		}
		t.Expect(x, kit.HTTP(400))
	})

	unknown := s.Script("session/unknown-id", kit.Shared, func(c *kit.C) {
		c.Safe("control")
		c.Safe("unknown id", client.WithSession(altered(c.Session().ID())), client.Broken("with a session id the server never issued"))
		c.Safe("control after")
	}, kit.Sessions)
	s.Check("session.unknown-404", unknown, func(t *kit.T) {
		t.Control("control", "control after")
		x := t.Probe("unknown id")
		if x.Status() == 404 {
			t.Expect(x, kit.HTTP(404))
			return
		}
		t.Warn(x, "HTTP 404", kit.Describe(x))
	})

	ended := s.Script("session/ended", kit.Own, func(c *kit.C) {
		c.Safe("control")
		deleted := c.Delete("delete")
		if deleted.Status() == 405 {
			return
		}
		id := client.WithSession(c.Session().ID())
		if x := c.Safe("after delete", id); x.Status() != 404 {
			c.Sleep(waitAfter(deleted))
			c.Safe("after delete again", id)
		}
	}, kit.Sessions)
	alive := s.Script("session/alive", kit.Own, func(c *kit.C) { c.Safe("control") }, kit.Sessions)
	s.CheckAcross("session.terminated-404", []*kit.Script{ended, alive}, func(t *kit.T) {
		t.Control("control")
		deleted := t.Exchange("delete")
		if deleted.Status() == 405 {
			t.NotApplicable("DELETE is answered 405: clients may not end sessions")
		}
		t.ControlOn(alive, "control")
		x := t.Exchange("after delete")
		if x.Status() != 404 && t.Has("after delete again") {
			x = t.Exchange("after delete again")
		}
		switch {
		case deleted.Status() == 404 && x.Served():
			t.Note(deleted, "DELETE is answered 404 and the session lives on: there is no route for it, 405 would say so")
		case deleted.Status()/100 != 2 && x.Status() != 404:
			t.NotObservedAt(deleted, "the session could not be ended: DELETE was answered %s", kit.Describe(deleted))
		default:
			t.Expect(t.Conclusive(x, 401, 403, 500, 501, 502, 503, 504), kit.HTTP(404))
		}
	})
}

// altered changes the last characters of a session id and keeps its shape, so that the server can only find that it never issued it.
func altered(id string) string {
	b := []byte(id)
	changed := 0
	for i := len(b) - 1; i >= 0 && changed < 6; i-- {
		switch {
		case b[i] >= '0' && b[i] <= '9':
			b[i] = '0' + (b[i]-'0'+3)%10
		case b[i] >= 'a' && b[i] <= 'f', b[i] >= 'A' && b[i] <= 'F':
			b[i] = b[i]&^0x07 | (b[i]&0x07)%6 + 1
		case b[i] >= 'g' && b[i] <= 'z':
			b[i] = 'g' + (b[i]-'g'+3)%20
		case b[i] >= 'G' && b[i] <= 'Z':
			b[i] = 'G' + (b[i]-'G'+3)%20
		default:
			continue
		}
		changed++
	}
	return string(b)
}

// waitAfter is how long a server may take to end a session: a 202 promises no more than that it will happen.
func waitAfter(deleted *client.Exchange) time.Duration {
	if deleted.Status() == 202 {
		return 5 * time.Second
	}
	return time.Second
}
