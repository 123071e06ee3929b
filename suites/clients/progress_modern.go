package clients

import "github.com/mcpcheck/mcpcheck/suites/kit"

func progressModern(s *kit.Section) {
	s.Passive("modern.client.progress.token-type", tokenTypes)
	s.Passive("modern.client.progress.token-unique", tokensUnique)
}
