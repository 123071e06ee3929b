package clients

import "github.com/mcpcheck/mcpcheck/suites/kit"

func sseModern(s *kit.Section) {
	s.Passive("modern.client.sse.ignores-comments", func(t *kit.T) { goesOn(t, "the client goes on behind comments", withComment) })
	s.Passive("modern.client.sse.accepts-notifications-first", func(t *kit.T) {
		goesOn(t, "the client goes on where a notification comes ahead of the response", unknownFirst)
	})
}
