package modern

import (
	"bytes"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// modernOnly: the server refuses initialize, so that it has no older half which could answer.
var modernOnly = kit.Need{
	Otherwise: "the server speaks the older era too, which answers this in its own way",
	Unclear:   "whether the server speaks the older era too could not be told",
	Cause:     func(*kit.Facts) kit.Cause { return kit.Inconclusive },
	Of: func(f *kit.Facts) kit.Fact {
		switch f.DualEra {
		case kit.No:
			return kit.Yes
		case kit.Yes:
			return kit.No
		}
		return kit.Unknown
	},
}

func legacyCompat(s *kit.Section) {
	probe := s.Script("modern.legacy-compat/leftovers", kit.Shared, func(c *kit.C) {
		c.SafeControl("control")
		c.Get("get").Close()
		c.Delete("delete")
		c.Safe("session id", client.WithHeader("Mcp-Session-Id", "mcpcheck-none"))
		c.Safe("last event id", client.WithHeader("Last-Event-ID", "mcpcheck-1"))
		c.Safe("control after")
	}, modernOnly)
	for _, c := range [][2]string{{"modern.legacy.get-405", "get"}, {"modern.legacy.delete-405", "delete"}} {
		id, label := c[0], c[1]
		s.Check(id, probe, func(t *kit.T) {
			t.Control("control", "control after")
			t.Expect(t.Conclusive(label, gatewayless...), kit.HTTP(405))
		})
	}
	for _, c := range [][2]string{{"modern.legacy.session-id-ignored", "session id"}, {"modern.legacy.last-event-id-ignored", "last event id"}} {
		id, label := c[0], c[1]
		s.Check(id, probe, func(t *kit.T) {
			t.Control("control", "control after")
			toleratedBy(t, t.Conclusive(label, gatewayless...), true)
		})
	}
	s.Passive("modern.legacy.session-id-not-minted", func(t *kit.T) {
		const expected = "no Mcp-Session-Id"
		t.Says(expected)
		for _, x := range t.Exchanges() {
			if len(x.ResponseSession()) > 0 {
				t.Breach(x, expected, "one on the answer to "+x.RequestMessage().Method)
			} else {
				t.Saw()
			}
		}
	}, modernOnly)
	legacyHandshake(s)
	legacyTransport(s)
}

// older is how a client of the older era speaks.
var older = client.Speaking(client.Legacy{HasVersionHeader: revision.HasVersionHeader})

// asked is the version that such a client asks for first.
var asked = revision.Newest(revision.Of(revision.Legacy))

// legacyHandshake is about what a client of the older era is told.
func legacyHandshake(s *kit.Section) {
	probe := s.Script("modern.legacy-compat/handshake", kit.Shared, func(c *kit.C) {
		c.SafeControl("control")
		c.Initialize("handshake", asked, older, client.Broken("of the older era, without metadata in headers and body"))
		c.Safe("control after")
	}, modernOnly)
	refused := func(t *kit.T) *wire.Exchange {
		t.Control("control", "control after")
		x := t.Conclusive("handshake", gatewayless...)
		switch {
		case processed(x):
			t.NotApplicable("initialize was served: the server speaks the older era too")
		case x.Status()/100 == 3:
			t.NotObservedAt(kit.Inconclusive, x, "initialize is sent elsewhere: %s", kit.Describe(x))
		}
		return x
	}
	s.Check("modern.legacy.initialize-error-names-versions", probe, func(t *kit.T) {
		const expected = "a version that the server supports, in the error"
		t.Says(expected)
		x := refused(t)
		if codeOf(x) == 0 && x.Status() < 400 {
			t.NotObservedAt(kit.Inconclusive, x, "initialize is neither served nor answered by an error: %s", kit.Describe(x))
		}
		body, _ := x.Decoded()
		if body == nil && x.Response.Body.Size() > 0 {
			t.NotObservedAt(kit.Limited, x, "the refusal could not be decoded: %s", kit.Describe(x))
		}
		for _, v := range supported(t) {
			if v != "" && v != asked && bytes.Contains(body, []byte(v)) {
				t.OK(x, "the refusal of initialize names %s", v)
				return
			}
		}
		t.Breach(x, expected, kit.Describe(x))
	})
	s.Check("modern.legacy.initialize-rejected", probe, func(t *kit.T) {
		const expected = "HTTP 400 with JSON-RPC error -32020, -32022 or -32602, or HTTP 404 with -32601"
		t.Says(expected)
		x := refused(t)
		code := codeOf(x)
		switch {
		case x.Status() == 400 && slices.Contains([]int64{codeHeaderMismatch, codeUnsupportedVersion, codeInvalidParams}, code),
			x.Status() == 404 && code == codeMethodNotFound:
			t.OK(x, "%s", kit.Describe(x))
		default:
			t.Warn(x, expected, kit.Describe(x))
		}
	})
}

// supported are the versions that the server says it supports, and the one that it was seen to.
func supported(t *kit.T) []string {
	versions := []string{t.Revision()}
	if x := t.In(inventory).IfSent(methodDiscover); x != nil {
		answer, _ := x.Answer()
		var listed []string
		_ = answer.Decode("/result/supportedVersions", &listed)
		versions = append(versions, listed...)
	}
	return versions
}

// legacyTransport is about the transport of 2024-11-05, which begins by a GET.
func legacyTransport(s *kit.Section) {
	probe := s.Script("modern.legacy-compat/old-transport", kit.Shared, func(c *kit.C) {
		stream := c.Get("get")
		if stream.Opened() {
			c.Watch(stream, c.Safe("marker"))
		}
		stream.Close()
	})
	s.Check("modern.legacy.httpsse-not-adopted", probe, func(t *kit.T) {
		const expected = "no HTTP+SSE at this URL"
		t.Says(expected)
		x := t.Conclusive("get", 404, 500, 501)
		switch first := slices.IndexFunc(x.Events(), func(e wire.Event) bool { return e.Dispatched }); {
		case !x.IsSSE() || x.Status()/100 != 2:
			t.OK(x, "a GET starts no HTTP+SSE: %s", kit.Describe(x))
		case first >= 0 && x.Events()[first].Type == "endpoint":
			t.Note(x, "a GET starts HTTP+SSE, which is deprecated: an existing server may keep it for old clients, a new one should not take it up")
		default:
			t.Watched("get")
			t.OK(x, "a GET starts no HTTP+SSE: the stream names no endpoint")
		}
	})
}
