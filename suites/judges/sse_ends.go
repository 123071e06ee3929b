package judges

import (
	"fmt"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const (
	// PatientLinger is how long a stream may stay open after its response before that is a finding; promptEnd is soon enough.
	PatientLinger = 5 * time.Second
	promptEnd     = 2 * time.Second
)

// StreamsEnd judges that the streams of two requests end after their responses; the recorder has to wait for that as long as
// PatientLinger.
func StreamsEnd(t *kit.T, one, other string) {
	const expected = "the end of the stream within two seconds after the response"
	t.Says(expected)
	first, second := openAfterResponse(t, one), openAfterResponse(t, other)
	switch {
	case first >= PatientLinger && second >= PatientLinger:
		t.Breach(t.Answered(one), expected, fmt.Sprintf("a stream still open %v later, on two streams", PatientLinger))
	case first <= promptEnd && second <= promptEnd:
		t.OK(t.Answered(one), "the streams ended %v and %v after the response", first.Round(time.Millisecond), second.Round(time.Millisecond))
	default:
		t.NotObserved(kit.Inconclusive, "the streams of two requests ended %v and %v after the response, neither soon nor never",
			first.Round(100*time.Millisecond), second.Round(100*time.Millisecond))
	}
}

// openAfterResponse is how long a stream stayed open after the response; PatientLinger where we gave up on its end.
func openAfterResponse(t *kit.T, label string) time.Duration {
	x := t.Answered(label)
	for _, m := range x.Messages() {
		if !x.IsSSE() || !m.HasResult && !m.HasError || !wire.SameID(m.ID, x.RequestMessage().ID) {
			continue
		}
		switch x.EndedBy {
		case wire.ByClient:
			return PatientLinger
		case wire.ByServer:
			return x.End - m.At
		}
	}
	t.NotObservedAt(kit.Inconclusive, x, "no stream with a response that came to its end: %s", kit.Describe(x))
	return 0
}
