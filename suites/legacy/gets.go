package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// getStream opens the stream of GET, asks for something meanwhile, and for another stream beside it where there are any.
var getStream = kit.NewScript("transport/get", kit.Own, func(c *kit.C) {
	stream := c.Get("get")
	another := func() {
		if c.Facts.Trait(traitGetStream) == kit.Yes {
			c.Get("second").Close()
		}
	}
	if c.Quiet {
		another()
		stream.Close()
	}
	c.Safe("control")
	if !c.Quiet {
		another()
	}
	stream.Close()
})

// refusedGets are what is to be turned away and leaves a session alone: GETs with something wrong, and a session id that is nobody's. The GETs
// go one after another. A server that gives one of them a stream may have room for one, and its refusal of the next would be no answer to what
// is wrong with that.
var refusedGets = kit.NewScript("transport/refused", kit.Own, func(c *kit.C) {
	get := func(label, broken string, options ...client.Option) *wire.Exchange {
		stream := c.Get(label, append(options, client.Broken(broken))...)
		stream.Close()
		return stream.Exchange()
	}
	gets := func() {
		get("JSON only", "accepting JSON only", client.WithAccept("application/json"))
		if c.Facts.Trait(traitGetStream) != kit.Yes {
			return
		}
		get("foreign origin", "with Origin: "+judges.ForeignOrigin, client.WithHeader("Origin", judges.ForeignOrigin))
		if c.Since("2025-06-18") {
			bad := badVersions[0]
			statelessHalf(c, get("unknown version", "with MCP-Protocol-Version: "+bad, client.WithVersion(bad)))
		}
		const never = "with a Last-Event-ID that was never issued"
		if get("unknown event", never, client.WithHeader("Last-Event-ID", "mcpcheck-none")).Status() >= 500 {
			get("unknown event again", never, client.WithHeader("Last-Event-ID", "mcpcheck-none"))
		}
	}
	steps := []func(){gets}
	if id := c.Session().ID(); id != "" {
		steps = append(steps, func() {
			c.Safe("unknown session", client.WithSession(altered(id)), client.Broken("with a session id the server never issued"))
		})
	}
	c.SafeControl("control")
	c.Unrelated(steps...)
	c.Safe("control after")
})

// Labels of requests without session and header, which the stateless half of a server of both eras answers.
const statelessGet, statelessDelete = "get without a session", "delete without a session"

// statelessHalf looks, where a request with an unknown version got 405 from a server of both eras, whether its stateless half says that to
// every GET and DELETE.
func statelessHalf(c *kit.C, refused *wire.Exchange) {
	if refused.Status() != 405 || c.Facts.DualEra != kit.Yes {
		return
	}
	outside := []client.Option{client.WithoutSession(), client.WithoutVersion(), client.Broken("without session and version")}
	c.Get(statelessGet, outside...).Close()
	c.Delete(statelessDelete, outside...)
}

// badVersions are values of MCP-Protocol-Version that no server supports. Future dates are left out: servers that also speak the
// modern era route them to their other stack.
var badVersions = []string{"1900-01-01", "mcpcheck"}

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
