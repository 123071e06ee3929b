package clients

import (
	"fmt"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func versionHeader(s *kit.Section) {
	s.Passive("version-header.client.sent", versionHeaderSent)
	s.Passive("version-header.client.negotiated", versionHeaderNegotiated)
	s.Passive("version-header.client.metadata-discovery", versionInDiscovery)
}

func versionHeaderSent(t *kit.T) {
	const expected = headerVersion + " on every request after initialize"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no session went on after initialize")
	eachAfterInitialize(t, func(s *talk, x *wire.Exchange) {
		if !has(x, headerVersion) {
			t.Breach(x, expected, what(x)+" without the header")
			return
		}
		t.Saw()
	})
}

func versionHeaderNegotiated(t *kit.T) {
	const expected = "the version that was negotiated"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no session sent the header after initialize")
	eachAfterInitialize(t, func(s *talk, x *wire.Exchange) {
		switch got := kit.RequestHeader(x, headerVersion); got {
		case "":
		case s.version:
			t.Saw()
		default:
			t.Warn(x, expected, fmt.Sprintf("%s with %s: %s, where %s was negotiated", what(x), headerVersion, kit.Quote([]byte(got)), s.version))
		}
	})
}

// eachAfterInitialize visits what belongs to sessions whose version the client could go on with.
func eachAfterInitialize(t *kit.T, visit func(*talk, *wire.Exchange)) {
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			if !s.agreed() {
				continue
			}
			for _, x := range s.requests {
				visit(s, x)
			}
		}
	}
}
