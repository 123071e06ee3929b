package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Timings tell where the time and the requests of a run went. They are about the run, not about the server.
type Timings struct {
	// Duration is the whole run's, Requests all that it sent, also what no conversation recorded.
	Duration time.Duration
	Requests int
	// Sessions counts those that were opened, AtOnce how many were open at a time at most.
	Sessions, AtOnce int
	// Conversations are in the order in which they began.
	Conversations []Conversation
}

// A Conversation is what one script cost in one revision.
type Conversation struct {
	Script, Revision, Transport string
	// Again: it was recorded before, and recorded anew to confirm a finding or because it could not look.
	Again bool
	// Start and End are offsets from the beginning of the run.
	Start, End time.Duration
	Exchanges  []Timing
}

// A Timing is one request and its answer.
type Timing struct {
	Label, Method string
	// Opens: it is an initialize.
	Opens      bool
	Status     int
	Start, End time.Duration
}

// row sums up a script over revisions.
type row struct {
	script, note           string
	conversations          int
	requests, opens, inRow int
	first                  time.Duration
	longest, sum           time.Duration
}

// rows are what each script cost, the dearest first.
func (t Timings) rows() []row {
	var all []row
	for _, c := range t.Conversations {
		note := ""
		if c.Again {
			note = " (again)"
		}
		i := slices.IndexFunc(all, func(r row) bool { return r.script == c.Script && r.note == note })
		if i < 0 {
			all, i = append(all, row{script: c.Script, note: note, first: c.Start}), len(all)
		}
		r := &all[i]
		r.conversations++
		r.requests += len(c.Exchanges)
		r.inRow = max(r.inRow, InARow(c.Exchanges))
		for _, x := range c.Exchanges {
			if x.Opens {
				r.opens++
			}
		}
		r.longest, r.sum = max(r.longest, c.End-c.Start), r.sum+c.End-c.Start
	}
	slices.SortStableFunc(all, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.requests, a.requests), cmp.Compare(b.sum, a.sum))
	})
	return all
}

// InARow is how many of some requests were sent one after another, each when the one before had ended: at least so many round trips it
// took. It is the most that fit.
func InARow(all []Timing) int {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b Timing) int { return cmp.Compare(a.End, b.End) })
	n, end := 0, time.Duration(-1)
	for _, x := range sorted {
		if x.Start >= end {
			n, end = n+1, x.End
		}
	}
	return n
}

// Initializes counts the requests that ask for a session.
func (t Timings) Initializes() int {
	n := 0
	for _, c := range t.Conversations {
		for _, x := range c.Exchanges {
			if x.Opens {
				n++
			}
		}
	}
	return n
}

// chain is the longest row of requests over the whole run.
func (t Timings) chain() int {
	var all []Timing
	for _, c := range t.Conversations {
		all = append(all, c.Exchanges...)
	}
	return InARow(all)
}

// RenderTimings writes a table for people: a line for each script, over all revisions, the dearest first.
func RenderTimings(w io.Writer, t Timings) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d requests in %s, %d of them one after another; %d initializes, at most %d sessions open at a time\n\n",
		t.Requests, inSeconds(t.Duration), t.chain(), t.Initializes(), t.AtOnce)
	wide := len("script")
	rows := t.rows()
	for _, r := range rows {
		wide = max(wide, len(r.script+r.note))
	}
	fmt.Fprintf(&b, "%-*s  %5s  %8s  %6s  %10s  %9s  %9s\n", wide, "script", "times", "requests", "in row", "initialize", "longest", "together")
	recorded := 0
	for _, r := range rows {
		recorded += r.requests
		fmt.Fprintf(&b, "%-*s  %5d  %8d  %6d  %10d  %9s  %9s\n", wide, Visible(r.script+r.note), r.conversations, r.requests, r.inRow, r.opens, inSeconds(r.longest), inSeconds(r.sum))
	}
	if rest := t.Requests - recorded; rest > 0 {
		fmt.Fprintf(&b, "%-*s  %5s  %8d\n", wide, "cleaning up", "", rest)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func inSeconds(d time.Duration) string { return fmt.Sprintf("%.3fs", d.Seconds()) }

// traceEvent is an event of the trace event format, which the profilers of browsers open.
type traceEvent struct {
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	Phase    string         `json:"ph"`
	Time     float64        `json:"ts"` // microseconds
	Duration float64        `json:"dur,omitempty"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Args     map[string]any `json:"args,omitempty"`
}

// RenderTrace writes the run as a trace: revisions are processes, conversations and their requests stand in lanes, which the format calls
// threads.
func RenderTrace(w io.Writer, t Timings) error {
	processes := map[string]*lanes{}
	events := []traceEvent{}
	conversations := slices.SortedStableFunc(slices.Values(t.Conversations), func(a, b Conversation) int { return cmp.Compare(a.Start, b.Start) })
	for _, c := range conversations {
		key := c.Revision + " over " + c.Transport
		p := processes[key]
		if p == nil {
			p = &lanes{process: len(processes) + 1}
			processes[key] = p
			events = append(events, traceEvent{Name: "process_name", Phase: "M", Process: p.process, Args: map[string]any{"name": Visible(key)}})
		}
		events = append(events, p.conversation(c)...)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(map[string]any{
		"displayTimeUnit": "ms",
		"traceEvents":     events,
		"otherData": map[string]any{
			"requests": t.Requests, "initializes": t.Initializes(), "sessions": t.Sessions, "sessionsAtOnce": t.AtOnce, "inARow": t.chain(),
			"milliseconds": t.Duration.Milliseconds(),
		},
	})
}

// lanes are the threads of a process: until when each is taken.
type lanes struct {
	process int
	taken   []time.Duration
}

// take finds the first lane that is free from then on.
func (l *lanes) take(start, end time.Duration) (lane int) {
	i := slices.IndexFunc(l.taken, func(until time.Duration) bool { return until <= start })
	if i < 0 {
		l.taken, i = append(l.taken, 0), len(l.taken)
	}
	l.taken[i] = end
	return i
}

// conversation lays a conversation and its requests out: those that overlap stand in lanes of their own beneath it.
func (l *lanes) conversation(c Conversation) []traceEvent {
	own := l.take(c.Start, c.End)
	args := map[string]any{}
	if c.Again {
		args["again"] = true
	}
	events := []traceEvent{l.event(own, c.Script, "conversation", c.Start, c.End, args)}
	free := c.Start
	for _, x := range slices.SortedStableFunc(slices.Values(c.Exchanges), func(a, b Timing) int { return cmp.Compare(a.Start, b.Start) }) {
		lane := own
		if x.Start >= free && x.End <= c.End {
			free = x.End
		} else {
			lane = l.take(x.Start, x.End)
		}
		events = append(events, l.event(lane, x.Label, "request", x.Start, x.End, map[string]any{"method": Visible(x.Method), "status": x.Status}))
	}
	return events
}

func (l *lanes) event(lane int, name, category string, start, end time.Duration, args map[string]any) traceEvent {
	return traceEvent{
		Name: Visible(name), Category: category, Phase: "X", Process: l.process, Thread: lane + 1, Args: args,
		Time: float64(start.Nanoseconds()) / 1000, Duration: float64((end - start).Nanoseconds()) / 1000,
	}
}
