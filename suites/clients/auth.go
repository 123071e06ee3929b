package clients

import "github.com/mcpcheck/mcpcheck/suites/kit"

func auth(s *kit.Section) {
	s.Passive("auth.client.bearer-header", bearers)
	s.Passive("auth.client.every-request", tokenEverywhere)
	s.Passive("auth.client.not-in-query", tokenNotInQuery)
	s.Passive("auth.client.parses-challenge", readsChallenge)
	s.Passive("auth.client.wellknown-fallback", looksInWellKnownPlaces)
	s.Passive("auth.client.step-up", stepsUp)
}

func authModern(s *kit.Section) {
	s.Passive("modern.client.auth.header-on-every-request", tokenEverywhere)
	s.Passive("modern.client.auth.not-in-query", tokenNotInQuery)
	s.Passive("modern.client.auth.parses-challenge", readsChallenge)
	s.Passive("modern.client.auth.wellknown-fallback", looksInWellKnownPlaces)
	s.Passive("modern.client.auth.as-metadata-order", serverPlaces)
	s.Passive("modern.client.auth.step-up", stepsUp)
}
