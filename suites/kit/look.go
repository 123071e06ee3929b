package kit

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A Look is where a judgement finds the exchanges of one script. Each way to fetch an exchange says in its name what must be true of it;
// where it is not, the judgement ends there as not observed.
type Look struct {
	t      *T
	script *Script
}

// In looks into another script than the check's first.
func (t *T) In(s *Script) Look { return Look{t: t, script: s} }

// Transcript returns what the script recorded. It ends the judgement where nothing was.
func (l Look) Transcript() *wire.Transcript {
	tr := l.t.recording.Transcript(l.script)
	if tr == nil {
		l.t.NotObserved(Unrecorded, "the conversation %q was not recorded", l.script.Name)
	}
	return tr
}

// IfSent returns an exchange, nil where it was not sent; for what only sheds light on a finding. It never ends the judgement.
func (l Look) IfSent(label string) *wire.Exchange {
	if tr := l.t.recording.Transcript(l.script); tr != nil {
		return tr.Exchange(label)
	}
	return nil
}

// Sent returns an exchange whether or not it was answered; for requirements that judge silence. It ends the judgement where the exchange
// was not sent, or we ended it.
func (l Look) Sent(label string) *wire.Exchange {
	tr := l.Transcript()
	x := tr.Exchange(label)
	if x == nil {
		l.t.unsent(tr, label)
	}
	if x.Error != nil && x.Error.Kind == wire.ErrCancelled {
		l.t.NotObserved(Interrupted, "the run was interrupted while %s was under way", label)
	}
	return x
}

// Answered returns an exchange that got an answer. It ends the judgement where no response head came.
func (l Look) Answered(label string) *wire.Exchange {
	x := l.Sent(label)
	if x.Response == nil {
		l.t.notObservedAt(BrokenOff, l.t.place(x, -1), "%s was not answered: %s", label, Describe(x))
	}
	return x
}

// Conclusive returns the exchange of a deliberately wrong request whose answer says something about it. It ends the judgement on one that
// speaks of credentials, load or a failing gateway, except for the statuses that the caller judges.
func (l Look) Conclusive(label string, judged ...int) *wire.Exchange {
	return l.t.MustConclude(l.Answered(label), judged...)
}

// Control ends the judgement unless the unmutated requests were served: without that a refusal of the probe proves nothing.
func (l Look) Control(labels ...string) {
	for _, label := range labels {
		x := l.Answered(label)
		if x.Served() {
			continue
		}
		if era := l.t.recording.Era; label == era.Opening {
			l.t.Blocked(era.Root, "no session could be opened: "+Describe(x), x)
		}
		if l.t.recording.inTurn(x) {
			l.t.unlessTurning(l.t.place(x, -1))
		}
		l.t.notObservedAt(l.t.recording.refusal(x), l.t.place(x, -1), "the control %q, the same request unchanged, was not served: %s", label, Describe(x))
	}
}

func (t *T) unsent(tr *wire.Transcript, label string) {
	era := t.recording.Era
	if open := tr.Exchange(era.Opening); open != nil && !open.Served() {
		t.Blocked(era.Root, "no session could be opened: "+Describe(open), open)
	}
	if tr.Aborted != "" {
		t.NotObserved(Unrecorded, "%s was not sent: %s", label, tr.Aborted)
	}
	t.NotObserved(Unprovoked, "%s was not sent", label)
}

// doubt is why something was not provoked, which otherwise says: a script that gave up because something was not answered could not look, and
// what was lost may have been there to see.
func (t *T) doubt(otherwise Cause) Cause {
	if t.check.Passive() {
		if t.recording.Damaged {
			return Unrecorded
		}
		return otherwise
	}
	for _, script := range t.check.Scripts {
		tr := t.recording.Transcript(script)
		if tr == nil {
			continue
		}
		if tr.Aborted != "" {
			return Unrecorded
		}
		for _, x := range tr.Exchanges {
			if c := CauseOf(x, otherwise); !x.Origin.Automatic() && c.Class() == CouldNotLook {
				return c
			}
		}
	}
	return otherwise
}

// inconclusive are statuses that say nothing about a probe: credentials, payment, proxies, time and load.
func inconclusive(status int) bool {
	switch status {
	case 401, 402, 403, 407, 408, 429:
		return true
	}
	return status >= 500
}

// throttled tells that a server refuses for load in an error of its own, which is all that is left to one that answers everything 200.
func throttled(x *wire.Exchange) bool {
	m, answered := x.Answer()
	code, ok := m.ErrorCode()
	if !answered || !ok || code < -32099 || code > -32000 {
		return false
	}
	said := strings.ToLower(m.ErrorMessage())
	return strings.Contains(said, "rate limit") || strings.Contains(said, "too many requests")
}

// refusal is the cause of the refusal of a request that nothing is wrong with: where the same is served at other times, it is no answer
// that can be relied on.
func (r *Recording) refusal(x *wire.Exchange) Cause {
	if session := RequestHeader(x, sessionHeader); x.Status() == 404 && session != "" && !r.inTurn(x) {
		// A server may end a session at any time.
		return Ended
	}
	if r.served(x.RequestMessage()) || r.oneTooMany(x) {
		return Unstable
	}
	return refusal(x)
}

// oneTooMany tells that an initialize was refused as where only so many sessions may be open: the same is served at other times, or others
// were refused in these words until fewer were open.
func (r *Recording) oneTooMany(x *wire.Exchange) bool {
	m := x.RequestMessage()
	if !r.Capped || m.Method != "initialize" || x.Status()/100 != 4 {
		return false
	}
	if x.Broken == "" && r.served(m) {
		return true
	}
	if x.Broken != "" && x.Response.Body.IsZero() {
		return false // no words at all may as well be about what is wrong with it
	}
	return slices.ContainsFunc(r.Crowded, func(o *wire.Exchange) bool {
		return o.Status() == x.Status() && bytes.Equal(o.Response.Body.Bytes(), x.Response.Body.Bytes())
	})
}

// served tells whether the same request was served anywhere in the recording.
func (r *Recording) served(m wire.Message) bool {
	r.serving.Do(func() {
		r.servedKinds = map[string]bool{}
		for _, t := range r.Transcripts {
			for _, x := range t.Exchanges {
				if x.Broken == "" && x.Served() {
					r.servedKinds[kindOf(x.RequestMessage())] = true
				}
			}
		}
	})
	return r.servedKinds[kindOf(m)]
}

// kindOf names a request by its method and what it asks for.
func kindOf(m wire.Message) string {
	kind := m.Method
	for _, member := range []string{"/params/name", "/params/uri", "/params/protocolVersion"} {
		v, _ := m.Pointer(member)
		kind += " " + string(v)
	}
	return kind
}

// refusal is the cause of an ordinary refusal.
func refusal(x *wire.Exchange) Cause {
	switch x.Status() {
	case 401, 402, 403, 407:
		return Denied
	}
	return TurnedAway
}

// MustConclude ends the judgement unless the answer at hand says something about the probe; see Conclusive. Who judges 500 judges whatever a
// server fails with by itself.
func (t *T) MustConclude(x *wire.Exchange, judged ...int) *wire.Exchange {
	asked := slices.Contains(judged, x.Status()) || OwnError(x.Status()) && slices.Contains(judged, http.StatusInternalServerError)
	if throttled(x) || inconclusive(x.Status()) && !asked {
		t.notObservedAt(refusal(x), t.place(x, -1), "the answer says nothing about the probe: %s", Describe(x))
	}
	if _, answered := x.Answer(); !answered && x.Error != nil && x.Error.Kind == wire.ErrLimit {
		t.notObservedAt(Cut, t.place(x, -1), "the answer was cut off by mcpcheck: %s", Describe(x))
	}
	return x
}
