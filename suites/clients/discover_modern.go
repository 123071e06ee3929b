package clients

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func discoverModern(s *kit.Section) {
	s.Passive("modern.client.version.discover-optional", discoversFirst)
	s.Passive("modern.client.discover.choose-listed-version", choosesListed)
}

// discoversFirst tells whether the client asks what a server can do: to do so is its choice.
func discoversFirst(t *kit.T) {
	t.Says("server/discover, or any other request")
	t.Unseen(kit.Unprovoked, "the client sent no request of this revision")
	for _, tr := range t.Transcripts() {
		i := slices.IndexFunc(tr.Exchanges, func(x *wire.Exchange) bool { return isModern(x.RequestMessage()) })
		if i >= 0 {
			t.OK(tr.Exchanges[i], "its first request is %s", tr.Exchanges[i].RequestMessage().Method)
		}
	}
}

func choosesListed(t *kit.T) {
	const expected = "one of supportedVersions of the server"
	t.Says(expected)
	asked := false
	for _, tr := range t.Transcripts() {
		discover := discovered(tr)
		if discover == nil {
			continue
		}
		asked = true
		var versions []string
		answer, _ := discover.Answer()
		_ = answer.Decode("/result/supportedVersions", &versions) // ours
		for _, x := range tr.Exchanges {
			v := versionOf(x.RequestMessage())
			switch {
			case v == "" || x.Sent < discover.AnsweredAt():
			case slices.Contains(versions, v):
				t.Saw()
			default:
				t.Warn(x, expected, fmt.Sprintf("%s with %s, and the server lists %s", what(x), v, strings.Join(versions, ", ")))
			}
		}
	}
	if !asked {
		t.NotApplicable("the client sends no server/discover")
	}
	t.Unseen(kit.Unprovoked, "nothing followed server/discover")
}
