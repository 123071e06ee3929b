package legacy

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

func versionHeader(s *kit.Section) {
	since := kit.Since("2025-06-18")

	unsupported := s.Script("version-header/unsupported", kit.Shared, func(c *kit.C) {
		c.SafeControl("control")
		for _, v := range badVersions {
			c.Safe(v, client.WithVersion(v), client.Broken("with MCP-Protocol-Version: "+v))
		}
		c.Safe("control after")
	}, since)
	s.Check("version-header.unsupported-400", unsupported, func(t *kit.T) {
		knowsHeader(t)
		t.Control("control", "control after")
		for _, v := range badVersions {
			x := t.Conclusive(v, 402, 407, 500, 501)
			t.Cause(causeVersionHeader)
			t.Expect(x, kit.HTTP(400))
		}
	})

	s.Check("version-header.unsupported-400-get", refusedGets, func(t *kit.T) {
		knowsHeader(t)
		t.Control("control", "control after")
		judgeRefused(t, t.Conclusive("unknown version", 402, 407, 500, 501))
	}, withGetStream)

	s.Check("version-header.unsupported-400-delete", ended, func(t *kit.T) {
		knowsHeader(t)
		t.Control("control")
		x, proper := t.Conclusive("wrong delete", 402, 407, 500, 501), t.Answered("delete")
		switch {
		case proper.Status() == 405:
			t.NotApplicable("DELETE is answered 405: clients may not end sessions")
		case x.Status()/100 != 2 && proper.Status()/100 != 2:
			t.NotObservedAt(kit.Inconclusive, proper, "a correct DELETE is refused as well: %s", kit.Describe(proper))
		}
		judgeRefused(t, x)
	})

	// The same request with and without the header; where ping is served neither way a list takes its place.
	accepted := s.Script("version-header/accepted", kit.Shared, func(c *kit.C) {
		for _, method := range []string{"ping", c.Facts.List} {
			if method == "" {
				continue
			}
			with := c.Call(method+" with the header", method)
			without := c.Call(method+" without the header", method, client.WithoutVersion(), client.Broken("without MCP-Protocol-Version"))
			if with.Served() || without.Served() {
				break
			}
		}
		if other := otherVersion(c.Facts); other != "" {
			c.Safe("other version", client.WithVersion(other), client.Broken("with MCP-Protocol-Version: "+other))
		}
		c.Safe("control after")
	}, since)
	s.Check("version-header.missing-tolerated", accepted, func(t *kit.T) {
		t.Says("a result")
		knowsHeader(t)
		with, without := headerPair(t)
		if without.Served() {
			t.OK(without, "a request without the header is served")
			return
		}
		if !with.Served() {
			t.NotObservedAt(kit.Inconclusive, with, "the control, the same request with the header, was not served: %s", kit.Describe(with))
		}
		t.Control("control after")
		t.MustConclude(without)
		if !slices.Contains(t.Facts().Echoed, "2025-03-26") {
			t.NotApplicable("a request without the header is refused by a server that does not speak 2025-03-26, which it would have to assume")
		}
		t.Expect(without, kit.Served())
	})

	s.Check("version-header.initialize-without-header", versions, func(t *kit.T) {
		x := t.Answered(asksFor(t, t.Revision()))
		const expected = "initialize served without MCP-Protocol-Version"
		t.Says(expected)
		with := kit.RequestHeader(x, "MCP-Protocol-Version") != "" && x.Served()
		if with {
			x = t.Answered(t.Revision() + withoutHeader)
		}
		switch {
		case x.Served():
			t.OK(x, "initialize is served without the header")
		case with:
			t.MustConclude(x)
			t.Breach(x, expected, kit.Describe(x)+", while the same initialize with the header is served")
		default:
			t.MustConclude(x)
			t.Blocked("lifecycle.initialize.answered", "initialize is not served with the header either: "+kit.Describe(x))
		}
	})

	s.Check("version-header.negotiated-accepted", accepted, func(t *kit.T) {
		t.Says("a result, with the negotiated version in the header")
		knowsHeader(t)
		with, without := headerPair(t)
		switch {
		case with.Served():
			t.OK(with, "a request with MCP-Protocol-Version: %s, the negotiated version, is served", kit.RequestHeader(with, "MCP-Protocol-Version"))
		case !without.Served():
			t.NotObservedAt(kit.Inconclusive, without, "the control, the same request without the header, was not served: %s", kit.Describe(without))
		case with.Status() != 400:
			t.NotObservedAt(kit.Inconclusive, with, "the request with the header was not served, and not for its version: %s", kit.Describe(with))
		default:
			t.Breach(with, "a result, with the negotiated version in the header", kit.Describe(with)+", while the request without the header is served")
		}
	})

	s.Check("version-header.other-supported", accepted, func(t *kit.T) {
		knowsHeader(t)
		other := otherVersion(t.Facts())
		if other == "" {
			t.NotApplicable("the server speaks one legacy revision only")
		}
		t.Control("control after")
		x := t.Conclusive("other version")
		t.Says("a result or HTTP 400")
		switch {
		case x.Served():
			t.OK(x, "a request with the header %s, another supported version, is served", other)
		case x.Status() == 400:
			t.OK(x, "a request with the header %s, another supported version, is refused with 400", other)
		case swapped(x, askedIDs(t)), judges.HasResult(x):
			t.NotObservedAt(kit.Inconclusive, x, "the answer belongs to another request")
		default:
			t.Note(x, "a request whose header names %s, a supported version other than the negotiated one, is neither served nor refused with 400: %s",
				other, kit.Describe(x))
		}
	})

	s.Check("version-header.initialize-mismatch", versions, func(t *kit.T) {
		if !speaks(t.Facts(), "2025-06-18") || !speaks(t.Facts(), "2025-11-25") {
			t.NotApplicable("the server does not speak both 2025-06-18 and 2025-11-25")
		}
		t.Control("control after")
		x := t.Conclusive(mismatch)
		t.Says("a result or HTTP 400")
		switch {
		case x.Served():
			t.OK(x, "initialize with a contradicting header is served, by its body: %q", offeredVersion(x))
		case x.Status() == 400:
			t.OK(x, "initialize with a contradicting header is refused with 400")
		default:
			t.Note(x, "initialize whose header contradicts its body is neither served nor refused with 400: %s", kit.Describe(x))
		}
	})
}

// asksFor is the label of the initialize for a version: the control, where it is the one of the conversation.
func asksFor(t *kit.T, version string) string {
	if x := t.IfSent("control"); x != nil && askedVersion(x) == version {
		return "control"
	}
	return version
}

// causeVersionHeader is the cause of findings where an unsupported version gets the same as any other, or the wrong refusal, whatever the
// method of the request.
const causeVersionHeader = "an unsupported MCP-Protocol-Version is not answered 400"

// judgeRefused judges a GET or DELETE with an unknown version.
func judgeRefused(t *kit.T, x *wire.Exchange) {
	t.Cause(causeVersionHeader)
	get, remove := t.IfSent(statelessGet), t.IfSent(statelessDelete)
	switch {
	case x.Status() == 405 && t.Facts().DualEra == kit.Yes && get != nil && remove != nil && get.Status() == 405 && remove.Status() == 405:
		t.Kind("routed elsewhere")
		t.Warn(x, "HTTP 400", kit.Describe(x)+", as the server's other era answers every GET and DELETE")
	case x.Status()/100 == 4:
		t.Kind("refused otherwise")
		t.Expect(x, kit.HTTP(400))
	default:
		t.Expect(x, kit.HTTP(400))
	}
}

// knowsHeader stops where an older revision was negotiated: it has no such header.
func knowsHeader(t *kit.T) {
	if negotiated := t.Facts().Negotiated; negotiated != "" && revision.Before(negotiated, "2025-06-18") {
		t.NotApplicable("the server negotiated %s, which has no MCP-Protocol-Version header", negotiated)
	}
}

// otherVersion is the newest version that the server confirmed beside the negotiated one, "" without one.
func otherVersion(f *kit.Facts) string {
	others := slices.DeleteFunc(slices.Clone(f.Echoed), func(v string) bool { return v == f.Negotiated })
	if len(others) == 0 {
		return ""
	}
	return slices.Max(others)
}

// headerPair returns the request that the server serves with or without the header: ping, or else a list.
func headerPair(t *kit.T) (with, without *wire.Exchange) {
	for _, method := range []string{"ping", t.Facts().List} {
		if t.IfSent(method+" with the header") == nil {
			continue
		}
		with, without = t.Answered(method+" with the header"), t.Answered(method+" without the header")
		if with.Served() || without.Served() {
			return with, without
		}
	}
	if with == nil {
		t.NotObserved(kit.Unprovoked, "no request was sent with the header")
	}
	return with, without
}
