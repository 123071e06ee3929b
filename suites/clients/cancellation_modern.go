package clients

import "github.com/mcpcheck/mcpcheck/suites/kit"

func cancellationModern(s *kit.Section) {
	s.Passive("modern.client.cancellation.only-own-in-flight", cancelsOwn)
	s.Passive("modern.client.cancellation.timeouts", timesOut)
	s.Passive("modern.client.cancellation.closes-stream", closesToCancel)
}
