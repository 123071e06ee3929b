package judges

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Refusal judges the answer to something that is no valid request.
func Refusal(t *kit.T, x *wire.Exchange, code int64, expected string) {
	t.Says(expected)
	got, isError := AnyError(x)
	switch {
	case slices.Contains(UnrelatedStatuses, x.Status()):
		t.MustConclude(x)
	case HasResult(x), x.Status()/100 == 2 && !isError, x.Status() == 202 && !t.OldTransport():
		t.Breach(x, expected, kit.Describe(x))
	case t.OldTransport() && x.Status()/100 == 4:
		// The acknowledgement may say it, or the stream.
		t.OK(x, "%s", kit.Describe(x))
	case isError && got == code && (t.OldTransport() || x.Status()/100 == 4 || code == CodeInvalidRequest && x.Status()/100 == 2):
		t.OK(x, "%s", kit.Describe(x))
	default:
		t.Warn(x, expected, kit.Describe(x))
	}
}

// Unserved judges the answer to a request that cannot be served: the right error passes under any 2xx or 4xx, another refusal
// warns, and so does a result where soft says so.
func Unserved(t *kit.T, x *wire.Exchange, code int64, expected string, soft bool) {
	t.Says(expected)
	answer, answered := x.Answer()
	got, isError := AnyError(x)
	switch {
	case x.Response == nil && x.EndedBy == wire.ByTimeout:
		t.Breach(x, expected, kit.Describe(x))
	case x.Response == nil:
		t.NotObservedAt(kit.Inconclusive, x, "the request broke off: %s", kit.Describe(x))
	case slices.Contains(UnrelatedStatuses, x.Status()):
		t.MustConclude(x)
	case answered && answer.Kind == wire.KindResult && soft:
		t.Warn(x, expected, kit.Describe(x))
	case isError && got == code && x.Status() < 500:
		t.OK(x, "%s", kit.Describe(x))
	case isError, x.Status()/100 == 4:
		t.Warn(x, expected, kit.Describe(x))
	default:
		t.Breach(x, expected, kit.Describe(x))
	}
}

// UnrelatedStatuses are the statuses by which a request is turned away whatever stands in it: credentials, payment, time and load.
var UnrelatedStatuses = []int{401, 402, 403, 407, 408, 429}

func Tolerated(t *kit.T, x *wire.Exchange, what string) {
	t.Says("the request served like the control")
	if x.Served() {
		t.OK(x, "served, with %s", what)
		return
	}
	t.Warn(x, "the request served like the control", kit.Describe(x))
}
