package kit

import (
	"net/http"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A Cause says why there is nothing to judge. Every "not observed" has one; it decides whether a run that has it can be called
// conformant. The words are part of the contract: the JSON report has them.
type Cause string

// Nothing to see: a healthy server gives these, and looking again would show no more.
const (
	// Unprovoked: what the requirement speaks of did not happen, and a polite client cannot make it happen.
	Unprovoked Cause = "unprovoked"
	// NotOffered: the server has nothing of the kind.
	NotOffered Cause = "not-offered"
	// Unnamed: nobody named a tool, an argument or credentials that it takes.
	Unnamed Cause = "unnamed"
	// Raced: a quick server wins the race that would show it.
	Raced Cause = "raced"
	// TurnedAway: the control is refused by an ordinary error or a 4xx.
	TurnedAway Cause = "refused"
	// Denied: 401, 402 or 403 to this, while other requests are served.
	Denied Cause = "denied"
	// Ended: the server ended the stream or the session by itself.
	Ended Cause = "ended"
	// Limited: a limit that mcpcheck sets itself for the sake of the server.
	Limited Cause = "limited"
	// Inconclusive: an answer came that says nothing either way.
	Inconclusive Cause = "inconclusive"
)

// Could not look: something came between us and what would have shown it.
const (
	// Unanswered: the time was over before an answer came.
	Unanswered Cause = "unanswered"
	// BrokenOff: the connection broke before the answer was complete.
	BrokenOff Cause = "broken-off"
	// Unreachable: no connection could be made.
	Unreachable Cause = "unreachable"
	// Busy: 408, 429, an error that says the same, or a session refused that is served at other times.
	Busy Cause = "busy"
	// Gateway: 502, 503 or 504, which come from something in front of the server.
	Gateway Cause = "gateway"
	// Failing: 500, 501 or another 5xx that no gateway sends, in answer to what nothing is wrong with.
	Failing Cause = "failing"
	// Intermediary: the page of something in front of the server.
	Intermediary Cause = "intermediary"
	// Unrecorded: the conversation was not recorded, or not to its end.
	Unrecorded Cause = "unrecorded"
	// Interrupted: by Ctrl-C or a signal.
	Interrupted Cause = "interrupted"
	// Cut: a bound of ours on memory or size ended it.
	Cut Cause = "cut"
	// OutOfTime: the time for the whole run was over.
	OutOfTime Cause = "out-of-time"
	// Unstable: two tries gave different verdicts.
	Unstable Cause = "unstable"
	// Unconfirmed: seen once, and there was no second try.
	Unconfirmed Cause = "unconfirmed"
)

// Blocked: another requirement says why, and its result decides which kind it is.
const Blocked Cause = "blocked"

// A Class is one of the kinds of "not observed".
type Class string

// The classes.
const (
	// NothingToSee: fine; the server shows nothing of the kind, or nobody asked it to.
	NothingToSee Class = "nothing-to-see"
	// CouldNotLook: nothing is known, and a run where a MUST is among these is incomplete.
	CouldNotLook Class = "could-not-look"
	// Settled: a finding under another name says it already.
	Settled Class = "settled"
)

// Class returns the kind of a cause; "" for Blocked, which inherits one.
func (c Cause) Class() Class {
	switch c {
	case Unprovoked, NotOffered, Unnamed, Raced, TurnedAway, Denied, Ended, Limited, Inconclusive:
		return NothingToSee
	case Blocked:
		return ""
	}
	return CouldNotLook
}

// CauseOf returns what an exchange says of why it shows nothing; otherwise where it got an ordinary answer.
func CauseOf(x *wire.Exchange, otherwise Cause) Cause {
	if x == nil {
		return otherwise
	}
	if _, answered := x.Answer(); !answered {
		switch {
		case x.Error != nil:
			return causeOfError(x.Error.Kind)
		case x.Response == nil:
			// We hung up: a tool that nobody named may take a second only, a GET three to send its head.
			return Limited
		}
	}
	switch x.Status() {
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		return Busy
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return Gateway
	}
	switch {
	case throttled(x):
		return Busy
	case x.Broken == "" && x.Request.Method == http.MethodPost && OwnError(x.Status()) && otherwise.Class() == NothingToSee:
		return Failing
	}
	return otherwise
}

// OwnError tells the statuses by which a server fails by itself; those of gateways are about what stands in front of it.
func OwnError(status int) bool {
	return status >= 500 && status != http.StatusBadGateway && status != http.StatusServiceUnavailable && status != http.StatusGatewayTimeout
}

func causeOfError(kind wire.ErrorKind) Cause {
	switch kind {
	case wire.ErrTimeout:
		return Unanswered
	case wire.ErrRefused, wire.ErrDNS, wire.ErrTLS:
		return Unreachable
	case wire.ErrCancelled:
		return Interrupted
	case wire.ErrLimit:
		return Cut
	}
	return BrokenOff
}
