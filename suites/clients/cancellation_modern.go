package clients

import "github.com/mcpcheck/mcpcheck/suites/kit"

func cancellationModern(s *kit.Section) {
	s.Passive("modern.client.cancellation.only-own-in-flight", cancelsOwn)
}
