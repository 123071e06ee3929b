package legacy

import (
	"testing"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
)

func TestStoreIsBounded(t *testing.T) {
	var log eventLog
	for range 50 {
		st := log.open(deviation.Scene{})
		for range 100 {
			st.append(defaultEventID, func(id string) event { return event{id: id} })
		}
		st.finish()
	}
	total := 0
	for _, st := range log.streams {
		total += len(st.events)
	}
	if total > maxEvents || total < maxEvents/2 {
		t.Errorf("%d events are kept", total)
	}
}
