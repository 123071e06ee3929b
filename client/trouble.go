package client

import (
	"time"
)

// A TroubleKind names what goes wrong between a run and its target. The words are part of the contract.
type TroubleKind string

// The kinds of trouble. The first three end a phase of the run at once: nothing more would be seen.
const (
	// Gone: connections are refused since some request.
	Gone TroubleKind = "gone"
	// Hanging: harmless requests are no longer answered.
	Hanging TroubleKind = "hanging"
	// StreamsBlock: harmless requests are not answered while GET streams are open.
	StreamsBlock TroubleKind = "streams-block"
	// Failing: every harmless request is answered 5xx since some request.
	Failing TroubleKind = "failing"
	// Instances: requests of a live session are refused and served in turn.
	Instances TroubleKind = "instances"
	// StreamsExclude: a second GET stream is refused while one is open; the run opens them one by one.
	StreamsExclude TroubleKind = "streams-exclude"
	// SessionsRefused: no session can be opened any more.
	SessionsRefused TroubleKind = "sessions-refused"
	// SessionRate: no more than so many sessions in a stretch of time; the run waited for more.
	SessionRate TroubleKind = "session-rate"
	// Throttled: requests are answered 429, so the run goes slower.
	Throttled TroubleKind = "throttled"
	// SessionCap: no more than some sessions at a time; the run keeps within that.
	SessionCap TroubleKind = "session-cap"
	// OutOfTime: the time for the whole run was over.
	OutOfTime TroubleKind = "out-of-time"
	// DeleteHangs: DELETE is not answered, so that sessions are left to end by themselves.
	DeleteHangs TroubleKind = "delete-hangs"
	// Slow: each answer takes long.
	Slow TroubleKind = "slow"
	// Cut: answers were cut off, since they were larger than a run has room for.
	Cut TroubleKind = "cut"
	// GatewayErrors: harmless requests are answered 502, 503 or 504 now and then.
	GatewayErrors TroubleKind = "gateway-errors"
)

// Ends tells that nothing more was seen from there on.
func (t Trouble) Ends() bool { return t.Kind.Ends() && !t.Recovered }

// Ends tells that nothing more would be seen once this is noticed.
func (k TroubleKind) Ends() bool {
	return k == Gone || k == Hanging || k == StreamsBlock || k == SessionsRefused || k == Failing || k == OutOfTime
}

// A Trouble is something that a run noticed about how its target bears it.
type Trouble struct {
	Kind TroubleKind `json:"kind"`
	// During is what was under way when it began, such as "POST tools/list"; empty where nothing stands out.
	During string `json:"during,omitempty"`
	// Before is what was served last before that.
	Before string `json:"before,omitempty"`
	// Count is how many there were: open streams, sessions, failed requests. Of is how many there might have been.
	Count int `json:"count,omitempty"`
	Of    int `json:"of,omitempty"`
	// Status is the answer of the gateway.
	Status int `json:"status,omitempty"`
	// Recovered: the server was started again, and the run went on.
	Recovered bool `json:"recovered,omitempty"`
	// Bytes is the size beyond which answers were cut off, the smallest where it changed.
	Bytes int64 `json:"bytes,omitempty"`
	// Rate is the pace that the target allows, in requests a second.
	Rate float64 `json:"rate,omitempty"`
	// Latency is how long an answer takes, or in how long Count sessions are opened; Forecast what was said of how long the run would take.
	Latency  time.Duration `json:"latency,omitempty"`
	Forecast time.Duration `json:"forecast,omitempty"`
}

// Error makes a trouble the cause of a cancelled context.
func (t *Trouble) Error() string {
	switch t.Kind {
	case Gone:
		return "the server is gone"
	case Hanging:
		return "the server answers nothing any more"
	case StreamsBlock:
		return "the server answers nothing while a GET stream is open"
	case SessionsRefused:
		return "the server opens no more sessions"
	case Failing:
		return "the server answers everything with 5xx"
	}
	return string(t.Kind)
}
