package report

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// someTimings are of two scripts: one asks twice at a time in two revisions, the other was recorded anew.
func someTimings() Timings {
	const ms = time.Millisecond
	return Timings{
		Duration: 1500 * ms, Requests: 9, Sessions: 3, AtOnce: 2,
		Conversations: []Conversation{
			{Script: "first", Revision: "2025-11-25", Transport: "streamable-http", Start: 0, End: 100 * ms, Exchanges: []Timing{
				{Label: "initialize", Method: "initialize", Opens: true, Status: 200, Start: 0, End: 40 * ms},
				{Label: "a", Method: "ping", Status: 200, Start: 40 * ms, End: 90 * ms},
				{Label: "b\x1b", Method: "ping", Start: 50 * ms, End: 100 * ms},
			}},
			{Script: "first", Revision: "2025-06-18", Transport: "streamable-http", Start: 10 * ms, End: 60 * ms, Exchanges: []Timing{
				{Label: "initialize", Method: "initialize", Opens: true, Status: 200, Start: 10 * ms, End: 60 * ms},
			}},
			{Script: "second", Revision: "2025-11-25", Transport: "streamable-http", Start: 50 * ms, End: 70 * ms, Exchanges: []Timing{
				{Label: "a", Method: "GET", Status: 405, Start: 50 * ms, End: 70 * ms},
			}},
			{Script: "second", Revision: "2025-11-25", Transport: "streamable-http", Again: true, Start: 200 * ms, End: 220 * ms, Exchanges: []Timing{
				{Label: "a", Method: "GET", Status: 405, Start: 200 * ms, End: 220 * ms},
			}},
		},
	}
}

func TestTimings(t *testing.T) {
	var out bytes.Buffer
	if err := RenderTimings(&out, someTimings()); err != nil {
		t.Fatal(err)
	}
	golden(t, "timings.txt", out.String())
}

// TestTrace: what the profilers of browsers demand holds: events of one lane lie within one another or apart.
func TestTrace(t *testing.T) {
	var out bytes.Buffer
	if err := RenderTrace(&out, someTimings()); err != nil {
		t.Fatal(err)
	}
	golden(t, "timings.json", out.String())
	var trace struct {
		TraceEvents []traceEvent
		OtherData   map[string]int
	}
	if err := json.Unmarshal(out.Bytes(), &trace); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"requests": 9, "initializes": 2, "sessions": 3, "sessionsAtOnce": 2, "inARow": 3, "milliseconds": 1500}
	if diff := cmp.Diff(want, trace.OtherData); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
	for i, a := range trace.TraceEvents {
		for _, b := range trace.TraceEvents[i+1:] {
			if a.Phase != "X" || b.Phase != "X" || a.Process != b.Process || a.Thread != b.Thread {
				continue
			}
			apart := a.Time+a.Duration <= b.Time || b.Time+b.Duration <= a.Time
			within := a.Time <= b.Time && b.Time+b.Duration <= a.Time+a.Duration
			if !apart && !within {
				t.Errorf("%s and %s overlap in one lane", a.Name, b.Name)
			}
		}
	}
}
