package clients

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// askedVersion is the version that an initialize asks for, "" where it is no text.
func askedVersion(m wire.Message) string {
	var version string
	_ = m.Decode("/params/protocolVersion", &version) // lifecycle.client.initialize-params has it
	return version
}

// wentOn tells that something of a session came once it was open.
func (c *conversation) wentOn(s *talk) bool {
	return slices.ContainsFunc(slices.Concat(s.requests, c.loose), func(x *wire.Exchange) bool { return x.Request.Method != "DELETE" })
}

// versionSupported: who asks for a version can go on with it.
func versionSupported(t *kit.T) {
	const expected = "a version that the client goes on with when it gets it"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no initialize was answered with the version that it asked for")
	var ended []*talk
	elsewhere := false
	everySession(t, func(c *conversation, s *talk) {
		on := c.wentOn(s)
		if s.version != askedVersion(s.opening.RequestMessage()) {
			elsewhere = elsewhere || on && s.agreed()
			return
		}
		if on {
			t.Saw()
		} else {
			ended = append(ended, s)
		}
	})
	for _, m := range t.Messages() {
		if v := askedVersion(m.Message); m.Method == methodInitialize && v != "" && !revision.Known(v) {
			if strings.Contains(strings.ToLower(v), "draft") {
				t.NoteAt(m, "initialize asks for the draft %q", v)
			} else {
				t.WarnAt(m, "a version that was published", fmt.Sprintf("initialize with protocolVersion %q", v))
			}
		}
	}
	switch {
	case t.Observed() || len(ended) == 0:
	case len(ended) > 1 && elsewhere:
		t.Breach(ended[0].opening, expected, "nothing more once it was answered with the version that it asked for, while it goes on with another")
	default:
		t.Unseen(kit.Inconclusive, "the client ended once initialize was answered%s", haveItGoOn)
	}
}

// versionLatest: a client asks for the newest version that it speaks.
func versionLatest(t *kit.T) {
	const expected = "the newest version that the client goes on with"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no initialize was answered with a version that is newer than the one asked for")
	legacy := revision.Of(revision.Legacy)
	newest := legacy[len(legacy)-1]
	for _, m := range t.Messages() {
		if m.Method == methodInitialize && askedVersion(m.Message) == newest {
			t.Saw()
		}
	}
	anything := false
	everySession(t, func(c *conversation, s *talk) { anything = anything || !s.agreed() && c.wentOn(s) })
	everySession(t, func(c *conversation, s *talk) {
		asked := askedVersion(s.opening.RequestMessage())
		if !revision.Known(asked) || !s.agreed() || !revision.Before(asked, s.version) {
			return
		}
		switch {
		case !c.wentOn(s):
			t.Saw()
		case anything:
			t.Unseen(kit.Inconclusive, "the client goes on with whatever version it is answered")
		case s.tr.Revision == t.Revision():
			t.Warn(s.opening, expected, fmt.Sprintf("initialize for %s, and it goes on with %s", asked, s.version))
		}
	})
}

// bornLater are the methods that came with a revision, or that are none of this era at all.
var bornLater = map[string]string{
	"tasks/list": "2025-11-25", "tasks/get": "2025-11-25", "tasks/result": "2025-11-25", "tasks/cancel": "2025-11-25",
	"subscriptions/listen": "2026-07-28",
}

// negotiatedVersion: what a session has is what its revision knows.
func negotiatedVersion(t *kit.T) {
	const expected = "methods and forms that the negotiated revision knows"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no session went on after initialize")
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			if !s.agreed() {
				continue
			}
			for _, x := range s.requests {
				m := x.RequestMessage()
				since, late := bornLater[m.Method]
				_, task := m.Pointer("/params/task")
				switch {
				case late && revision.Before(s.version, since):
					t.Breach(x, expected, fmt.Sprintf("%s in a session of %s", what(x), s.version))
				case task && revision.Before(s.version, "2025-11-25"):
					t.Breach(x, expected, fmt.Sprintf("%s as a task in a session of %s", what(x), s.version))
				default:
					t.Saw()
				}
			}
		}
	}
}
