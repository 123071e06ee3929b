package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// sseFields are the rules for the bytes of a stream, as the WHATWG's decoder reads them.
func sseFields(s *kit.Section) {
	s.Passive("sse.content-type", judges.StreamTypes)

	s.Passive("sse.utf8", judges.StreamEncoding)

	s.Passive("sse.line-format", judges.StreamLines)

	s.Passive("sse.event-terminated", judges.EventsTerminated)

	s.Passive("sse.multiline-data", judges.MultilineData)

	s.Passive("sse.id-field", judges.EventIDFields)

	s.Passive("sse.retry-field", judges.RetryFields)

	s.Passive("sse.comments", judges.StreamComments)

	s.Passive("sse.data-jsonrpc", judges.EventMessages)

	s.Passive("sse.event-type", judges.EventTypes)
}
