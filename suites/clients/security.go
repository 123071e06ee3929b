package clients

import "github.com/mcpcheck/mcpcheck/suites/kit"

func security(s *kit.Section) {
	s.Passive("security.client.icons", iconsFetched)
}

func securityModern(s *kit.Section) {
	s.Passive("modern.client.security.icons-precautions", iconsFetched)
}

// iconsFetched: who fetches an icon does so without credentials. Both eras have the rule.
func iconsFetched(t *kit.T) {
	const expected = "no credentials, and https: or data:"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client fetched no icon")
	for _, tr := range t.Transcripts() {
		for _, x := range fetches(tr, "/icons/") {
			switch {
			case has(x, "Authorization") || has(x, "Cookie"):
				t.Breach(x, expected, "GET of an icon with credentials")
			case t.Since("2026-07-28"):
				t.Warn(x, expected, "GET of an icon whose src has the scheme http")
			default:
				t.Note(x, "GET of an icon whose src has the scheme http, which the list of sources names and the precautions do not")
			}
		}
	}
}
