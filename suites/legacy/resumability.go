package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func resumability(s *kit.Section) {
	resumabilityReplay(s)
}

// replays tells that a resumed stream brought events of the stream that it resumes: a comment, or a fresh stream with ids of its
// own, is no replay.
func replays(whole, resumed *wire.Exchange) bool {
	ids := eventIDs(whole)
	for id := range eventIDs(resumed) {
		if ids[id] {
			return true
		}
	}
	return judges.Carries(resumed, whole.RequestMessage().ID)
}
