package kit

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// T is the judgement of one requirement in one revision. Its methods either look something up, stopping the judgement as
// not-observed where it is not there, or write down what was found. A judgement that wrote nothing down is not-observed: a pass has
// to be earned.
type T struct {
	// The check's first script; In looks into the others.
	Look
	check     *Check
	recording *Recording
	findings  []Finding
	// observed counts what was looked at and found in order; shown is the first of it.
	observed int
	shown    []Place
	praise   string
	// unseen says what there would have been to look at, and why it was not there.
	unseen        string
	unseenBecause Cause
	scripts       []string
	// expected is the phrase of the last outcome that was asked for; it stands in the report of a pass too.
	expected string
	// kind is that of the findings to come; see Kind.
	kind string
	// cause is that of the findings to come; see Cause.
	cause string
	// proven: see Proven.
	proven bool
	// late is said of the places to come; see Late.
	late bool
	// tellsTurning: the requirement about sessions that are refused and served in turn is judged in this revision.
	tellsTurning bool
}

// stop stops a judgement with a verdict; it is how NotObserved and NotApplicable return from nested calls.
type stop struct {
	verdict   Verdict
	cause     Cause // of not-observed
	reason    string
	blockedBy string
	shown     []Place
	// unknown: a fact about the server is not known, so that nothing could be looked at unless the blocking requirement says otherwise.
	unknown bool
}

// Revision is the revision that is judged.
func (t *T) Revision() string { return t.recording.Revision }

// Since tells that the revision is this one or a later one.
func (t *T) Since(first string) bool { return revision.Since(t.Revision(), first) }

// Before tells that the revision is older than this one.
func (t *T) Before(first string) bool { return revision.Before(t.Revision(), first) }

// OldTransport tells that the conversation went over HTTP+SSE: a POST is only acknowledged, and answers come on the stream.
func (t *T) OldTransport() bool { return t.recording.Transport == HTTPSSE }

// Facts are what the inventory showed.
func (t *T) Facts() *Facts { return t.recording.Facts() }

// Environment tells where the server stands.
func (t *T) Environment() Environment { return t.recording.Environment }

// Watched demands that a stream was watched long enough for "nothing arrived" to mean something.
func (t *T) Watched(label string) {
	tr := t.Transcript()
	for _, w := range tr.Windows {
		if w.Stream == label && w.Long() {
			return
		}
	}
	t.NotObserved(CauseOf(tr.Exchange(label), Ended), "the stream %q was not watched long enough to say that nothing arrived", label)
}

// Expect writes down whether an exchange is what the outcome allows; if not, it is a breach at the requirement's level.
func (t *T) Expect(x *wire.Exchange, allowed Outcome) bool {
	t.expected = allowed.Expected()
	ok, err := allowed.Match(x)
	if err != nil {
		panic(fmt.Errorf("matching %s: %w", allowed.Expected(), err))
	}
	if ok {
		t.OK(x, "%s", Describe(x))
		return true
	}
	t.Breach(x, allowed.Expected(), Describe(x))
	return false
}

// Breach writes down a violation, at the severity that the level has in this revision.
func (t *T) Breach(x *wire.Exchange, expected, got string) {
	t.find(Fail, x, -1, expected, got)
}

// Kind says of which kind the findings to come are, one to which the entry gives reasons of its own; "" for those that it does not.
func (t *T) Kind(name string) {
	if _, ok := t.check.Entry.Kinds[name]; !ok && name != "" {
		panic(fmt.Errorf("%s has no kind of breach %q", t.check.Entry.ID, name))
	}
	t.kind = name
}

// Cause says what the findings to come come of, in words that other checks use for the same. Which of them reports it is said by the
// catalogue; "" for what has no such cause.
func (t *T) Cause(words string) { t.cause = words }

// Proven says that the findings rest on what the recording shows several times, and shows only as a whole: to record one of its
// conversations again could neither confirm nor refute them.
func (t *T) Proven() { t.proven = true }

// Late says that the findings to come show what only time or many requests bring about: no line that repeats the exchange can show it.
func (t *T) Late() { t.late = true }

// Warn writes down a violation that the entry softens to a warning at most.
func (t *T) Warn(x *wire.Exchange, expected, got string) {
	t.find(Warn, x, -1, expected, got)
}

// Note writes down something worth knowing that never counts against the server.
func (t *T) Note(x *wire.Exchange, format string, args ...any) {
	t.find(Note, x, -1, "", fmt.Sprintf(format, args...))
}

// BreachAt writes down a violation in a message that a passive check saw.
func (t *T) BreachAt(s Seen, expected, got string) { t.find(Fail, s.Exchange, s.Event, expected, got) }

// WarnAt writes down a softened violation in a message.
func (t *T) WarnAt(s Seen, expected, got string) { t.find(Warn, s.Exchange, s.Event, expected, got) }

// NoteAt writes down something worth knowing about a message.
func (t *T) NoteAt(s Seen, format string, args ...any) {
	t.find(Note, s.Exchange, s.Event, "", fmt.Sprintf(format, args...))
}

func (t *T) find(atMost Verdict, x *wire.Exchange, event int, expected, got string) {
	verdict := mildest(atMost, breach(t.check.Entry.Levels[t.recording.Revision]))
	if _, lent := t.check.Entry.Lent[t.recording.Revision]; lent && t.recording.Elsewhere == nil && !t.recording.Era.Lending.Meant(t.Facts()) {
		verdict = mildest(verdict, Warn)
	}
	t.mustReach(t.place(x, event))
	if x.Response == nil && x.EndedBy == wire.ByLimit {
		t.notObservedAt(Cut, t.place(x, event), "the answer was cut off by mcpcheck: %s", Describe(x))
	}
	if verdict.Accuses() && x.Broken != "" && x.Response != nil && x.EndedBy == wire.ByError {
		if _, answered := x.Answer(); !answered {
			t.notObservedAt(BrokenOff, t.place(x, event), "the answer broke off: %s", Describe(x))
		}
	}
	t.unlessTurning(t.place(x, event))
	t.unlessEnded(t.place(x, event))
	if verdict.Accuses() && x.Broken != "" && x.Status() == http.StatusSwitchingProtocols {
		t.notObservedAt(Unanswered, t.place(x, event), "the server switched to another protocol, which says nothing about the probe: %s", Describe(x))
	}
	if verdict.Accuses() && t.recording.oneTooMany(x) {
		t.notObservedAt(Unstable, t.place(x, event), "the same initialize is served at other times, as where only so many sessions may be open: %s", Describe(x))
	}
	if verdict.Accuses() && x.Status() >= 500 && t.recording.unreliable() && !t.recording.failsSteadily(x) {
		t.notObservedAt(Unstable, t.place(x, event), "the server answers harmless requests with 5xx now and then, so this one says nothing: %s", Describe(x))
	}
	t.findings = append(t.findings, Finding{
		Verdict: verdict, Expected: expected, Got: got, Place: t.place(x, event), Kind: t.kind, Cause: t.cause,
	})
}

// MustReach ends the judgement where an exchange never got to the server, unless it is known to have ended in that conversation: whatever
// made it unreachable may be the doing of another.
func (t *T) MustReach(x *wire.Exchange) { t.mustReach(t.place(x, -1)) }

func (t *T) mustReach(p Place) {
	if x := p.Exchange; x.Response == nil && x.Error != nil && unreachable(x.Error.Kind) && !p.died() {
		t.notObservedAt(Unreachable, p, "the server could not be reached any more: %s", Describe(x))
	}
}

// died tells that the server is known to have ended in the conversation.
func (p Place) died() bool { return p.Transcript != nil && p.Transcript.Died != "" }

// unreachable tells that an exchange never got to the server, so that it says nothing of it. Who listened at first is gone.
func unreachable(kind wire.ErrorKind) bool {
	return causeOfError(kind) == Unreachable || kind == wire.ErrCancelled
}

// OK writes down that something was looked at and in order; the first sentence becomes the message of a pass.
func (t *T) OK(x *wire.Exchange, format string, args ...any) {
	if x != nil && t.recording.inTurn(x) {
		t.unlessTurning(t.place(x, -1))
	}
	t.observed++
	if t.praise == "" {
		t.praise = fmt.Sprintf(format, args...)
	}
	if x != nil && len(t.shown) < 1 {
		t.shown = append(t.shown, t.place(x, -1))
	}
}

// Saw counts something that a passive check looked at and found in order.
func (t *T) Saw() { t.observed++ }

// Says sets the phrase for the allowed outcomes, for a report of a pass by OK or Saw.
func (t *T) Says(expected string) { t.expected = expected }

// Unseen sets the cause and the sentence for the case that nothing turns up to look at.
func (t *T) Unseen(cause Cause, format string, args ...any) {
	t.unseenBecause, t.unseen = cause, fmt.Sprintf(format, args...)
}

// NotObserved stops: there is nothing to judge, and this is why.
func (t *T) NotObserved(cause Cause, format string, args ...any) {
	panic(stop{verdict: NotObserved, cause: cause, reason: fmt.Sprintf(format, args...)})
}

func (t *T) notObservedAt(cause Cause, p Place, format string, args ...any) {
	panic(stop{verdict: NotObserved, cause: CauseOf(p.Exchange, cause), reason: fmt.Sprintf(format, args...), shown: []Place{p}})
}

// NotObservedAt stops, showing the exchange that leaves nothing to judge. The cause is for an exchange that got an ordinary answer; one
// that was not answered, was broken off or was turned away for load says so itself.
func (t *T) NotObservedAt(cause Cause, x *wire.Exchange, format string, args ...any) {
	t.notObservedAt(cause, t.place(x, -1), format, args...)
}

// NotApplicable stops: the server legitimately does not offer what the requirement speaks of.
func (t *T) NotApplicable(format string, args ...any) {
	panic(stop{verdict: NotApplicable, reason: fmt.Sprintf(format, args...)})
}

// Unlisted stops where nothing of a kind is listed, which is why the requirement does not apply; unless a request of one of the list methods
// was not answered as a server that can be reached answers, so that what is missing may have been there.
func (t *T) Unlisted(methods []string, format string, args ...any) {
	inventory := t.recording.Transcript(t.recording.Era.Inventory)
	for _, x := range inventory.Exchanges {
		if slices.Contains(methods, x.RequestMessage().Method) && !x.Origin.Automatic() && CauseOf(x, Unprovoked).Class() == CouldNotLook {
			t.notObservedAt(Unanswered, t.place(x, -1), "%s, and %s could not be read: %s", fmt.Sprintf(format, args...), x.Label, Describe(x))
		}
	}
	if inventory.Aborted != "" {
		t.NotObserved(Unrecorded, "%s, and not all lists could be read: %s", fmt.Sprintf(format, args...), inventory.Aborted)
	}
	t.NotApplicable(format, args...)
}

// Blocked stops as not-observed and names the requirement whose failure left nothing to judge. The exchanges, if any, are what was
// looked at here: where the requirement itself is met, they say why nothing could be seen.
func (t *T) Blocked(id, reason string, looked ...*wire.Exchange) {
	s := stop{verdict: NotObserved, cause: Blocked, reason: reason, blockedBy: id}
	for _, x := range looked {
		s.shown = append(s.shown, t.place(x, -1))
	}
	panic(s)
}

// Lacks stops as not-observed where the fact behind a need is unknown.
func (t *T) Lacks(n Need) {
	if id := n.blocker(t.recording.Era); id != "" {
		panic(stop{verdict: NotObserved, cause: Blocked, reason: n.Unclear, blockedBy: id, unknown: true})
	}
	t.NotObserved(n.Cause(t.Facts()), "%s", n.Unclear)
}

// place finds the transcript that holds an exchange and remembers its script: it is what confirming records again.
func (t *T) place(x *wire.Exchange, event int) Place {
	p := Place{Exchange: x, Event: event, Late: t.late}
	for _, tr := range t.Everywhere() {
		if slices.Contains(tr.Exchanges, x) {
			p.Transcript = tr
			if !slices.Contains(t.scripts, tr.Script) {
				t.scripts = append(t.scripts, tr.Script)
			}
			break
		}
	}
	return p
}

// sentence starts a message with a capital-free phrase and no final stop, as all messages do.
func sentence(s string) string { return strings.TrimSuffix(strings.TrimSpace(s), ".") }

// Observed tells whether anything was looked at so far, in order or not.
func (t *T) Observed() bool { return t.observed > 0 || len(t.findings) > 0 }
