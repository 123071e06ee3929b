package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// toolsErrors are calls that no server can carry out.
func toolsErrors(s *kit.Section) {
	s.Check("tools.call.unknown-tool", wrongParams, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.UnknownTool(t, "unknown tool", mayStillCome)
	}, kit.Tools)

	s.Check("tools.call.malformed-request", wrongParams, func(t *kit.T) {
		t.Control("control", "control at last")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.MalformedCall(t, "malformed call")
	}, kit.Tools)

	s.Check("tools.call.invalid-arguments", wrongParams, func(t *kit.T) {
		o := judges.IncompleteCall(t, incompleteLabel, nil, "control", "control after")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.IncompleteRefused(t, o, "tools.call.inputs-validated")
	}, kit.Tools)

	s.Check("tools.call.inputs-validated", wrongParams, func(t *kit.T) {
		o := judges.IncompleteCall(t, incompleteLabel, nil, "control", "control after")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.InputsValidated(t, o)
	}, kit.Tools)
}

// mayStillCome tells that the answer may come later by the rules of the revision: on a stream that was cut off after an event id and
// that no resumption has followed to its end.
func mayStillCome(t *kit.T, x *wire.Exchange) bool {
	if lastEventID(x) == "" || t.Before("2025-11-25") {
		return false
	}
	resumed := resumptionsOf(t.Transcript(), x)
	if len(resumed) == 0 {
		return true
	}
	last := resumed[len(resumed)-1]
	return last.Status()/100 != 2 || last.EndedBy != wire.ByServer || lastEventID(last) != ""
}
