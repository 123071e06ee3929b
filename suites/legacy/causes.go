package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// causeAcknowledged is the cause of findings where what wants no answer gets the same one, be it a notification or a response, alone or in
// a batch.
func causeAcknowledged(x *wire.Exchange) string { return "acknowledged with " + kit.Describe(x) }
