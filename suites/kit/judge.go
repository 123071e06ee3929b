package kit

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A Recording is everything one revision's conversations left behind: the input of judging.
type Recording struct {
	// Era is what is known of the era that the revision belongs to.
	Era                 *Era
	Revision, Transport string
	Environment         Environment
	Given
	// Damaged: conversations are missing or were cut short, so that what was not seen may have been in them.
	Damaged bool
	// Capped: the server was seen to refuse sessions while others are open, so that a refused initialize may be that.
	Capped bool
	// Crowded are initializes that were refused until fewer sessions were open, in this revision or another.
	Crowded []*wire.Exchange
	// Instances: sessions were seen to be refused and served in turn, in this revision or another.
	Instances bool
	// Elsewhere tells that a requirement is broken in another revision of the era over the same transport; nil where there is no other.
	Elsewhere func(id string) bool
	// Transcripts are in plan order, the inventory first.
	Transcripts []*wire.Transcript
	// Beside are conversations of the same client that were held in other revisions: what it does in one may be told by what it does in
	// another.
	Beside []*wire.Transcript

	once  sync.Once
	facts *Facts

	reliability sync.Once
	failing     bool

	instances instances
	endings   endings

	serving     sync.Once
	servedKinds map[string]bool

	shaping sync.Once
	shaped  *shapes // shared with recordings made of this one

	reading   sync.Once
	exchanges []*wire.Exchange
	messages  []Seen
	streams   []*wire.Exchange
}

// read collects what passive checks range over, once: there are dozens of them.
func (r *Recording) read() {
	r.reading.Do(func() {
		for _, tr := range r.Transcripts {
			r.messages = append(r.messages, messagesOf(tr)...)
			for _, x := range tr.Exchanges {
				if x.Response == nil || x.Origin.Kind == wire.FromBusy {
					continue
				}
				r.exchanges = append(r.exchanges, x)
				if x.IsSSE() && x.Status()/100 == 2 {
					r.streams = append(r.streams, x)
				}
			}
		}
	})
}

// Facts are computed from the inventory transcript.
func (r *Recording) Facts() *Facts {
	r.once.Do(func() {
		r.facts = NewFacts(r.Revision, r.Transport, r.Given)
		if t := r.Transcript(r.Era.Inventory); t != nil {
			r.facts = r.Era.Facts(t, r.Given)
		}
	})
	return r.facts
}

// Transcript returns the transcript of a script, nil where it was not recorded.
func (r *Recording) Transcript(script *Script) *wire.Transcript {
	for _, t := range r.Transcripts {
		if t.Script == script.Name {
			return t
		}
	}
	return nil
}

// With returns the recording with some transcripts replaced by others of the same scripts.
func (r *Recording) With(others map[string]*wire.Transcript) *Recording {
	c := &Recording{
		Era: r.Era, Revision: r.Revision, Transport: r.Transport, Environment: r.Environment, Given: r.Given,
		Damaged: r.Damaged, Capped: r.Capped, Crowded: r.Crowded, Instances: r.Instances, Elsewhere: r.Elsewhere,
		Beside: r.Beside, shaped: r.shapes(),
	}
	for _, t := range r.Transcripts {
		if o, ok := others[t.Script]; ok {
			t = o
		}
		c.Transcripts = append(c.Transcripts, t)
	}
	return c
}

// Equal tells that another recording gives the judges the same: the same transcripts and circumstances. What other revisions show is not
// compared.
func (r *Recording) Equal(o *Recording) bool {
	return r.Era == o.Era && r.Revision == o.Revision && r.Transport == o.Transport && r.Environment == o.Environment &&
		reflect.DeepEqual(r.Given, o.Given) && r.Damaged == o.Damaged && r.Capped == o.Capped && r.Instances == o.Instances &&
		slices.Equal(r.Crowded, o.Crowded) && slices.Equal(r.Transcripts, o.Transcripts) && slices.Equal(r.Beside, o.Beside) && (r.Elsewhere == nil) == (o.Elsewhere == nil)
}

// A Judge judges cells of one recording and remembers what it found, since checks may hang on one another.
type Judge struct {
	recording *Recording
	checks    map[string]*Check
	done      map[string]Result
	// found has all that a requirement has findings on, also where a result keeps only some.
	found map[string][]Finding
	busy  []string
}

// NewJudge prepares judging a recording by checks.
func NewJudge(r *Recording, checks []*Check) *Judge {
	byID := make(map[string]*Check, len(checks))
	for _, c := range checks {
		byID[c.Entry.ID] = c
	}
	return NewJudgeBy(r, byID)
}

// NewJudgeBy is NewJudge for checks by their ids. It keeps a copy: a judge may lend itself checks that others do not have.
func NewJudgeBy(r *Recording, checks map[string]*Check) *Judge {
	return &Judge{recording: r, checks: maps.Clone(checks), done: map[string]Result{}, found: map[string][]Finding{}}
}

// Cell judges one requirement. It is a pure function of the recording. A panic in a check is verdict error: our fault.
func (j *Judge) Cell(id string) Result {
	if r, ok := j.done[id]; ok {
		return r
	}
	check, ok := j.checks[id]
	if !ok {
		panic(fmt.Sprintf("kit: no check %q in this plan", id))
	}
	if slices.Contains(j.busy, id) {
		panic(fmt.Sprintf("kit: %q hangs on itself: %v", id, j.busy))
	}
	j.busy = append(j.busy, id)
	r := j.judge(check)
	j.busy = j.busy[:len(j.busy)-1]
	j.done[id] = r
	return r
}

func (j *Judge) judge(check *Check) Result {
	t := &T{check: check, recording: j.recording}
	if c, known := j.checks[j.recording.Era.Turning]; known {
		t.tellsTurning = c.Applies(j.recording.Revision, j.recording.Transport)
	}
	t.t = t
	for i, s := range check.Scripts {
		if i == 0 {
			t.script = s
		}
		t.scripts = append(t.scripts, s.Name)
	}
	s := j.run(t)
	s = j.attribute(t, s)
	j.found[check.Entry.ID] = t.findings
	r := t.result(s)
	if r.Verdict == NotObserved {
		if r.Cause == Unprovoked || r.Cause == Unnamed {
			r.Cause = t.doubt(r.Cause)
		}
		r.Class = j.class(r, s)
	}
	return r
}

// class tells which kind of not-observed a result is: what blocks it decides, or else what was looked at here.
func (j *Judge) class(r Result, s *stop) Class {
	if c := r.Cause.Class(); c != "" {
		return c
	}
	if by, ok := j.checks[r.BlockedBy]; ok && !slices.Contains(j.busy, r.BlockedBy) && by.Applies(r.Revision, r.Transport) {
		if c, decided := ClassBy(j.Cell(r.BlockedBy)); decided {
			return c
		}
	}
	// The requirement is met elsewhere and was not here.
	for _, p := range s.shown {
		if CauseOf(p.Exchange, Busy).Class() == CouldNotLook {
			return CouldNotLook
		}
	}
	if s.unknown {
		return CouldNotLook
	}
	return NothingToSee
}

// ClassBy is the class of a cell that another one blocks; decided is false where that one passes, and so gives no reason.
func ClassBy(r Result) (c Class, decided bool) {
	switch r.Verdict {
	case Fail, Warn, Note:
		return Settled, true
	case NotObserved:
		return r.Class, true
	case NotApplicable:
		return NothingToSee, true
	case Error:
		return CouldNotLook, true
	}
	return "", false
}

// run returns how the judgement was stopped; nil: it came to its end.
func (j *Judge) run(t *T) (stopped *stop) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stop:
			stopped = &p
		default:
			stopped = &stop{verdict: Error, reason: fmt.Sprintf("the check panicked: %v\n%s", p, debug.Stack())}
		}
	}()
	j.demand(t)
	t.check.Judge(t)
	return nil
}

// demand stops a judgement whose preconditions are not given.
func (j *Judge) demand(t *T) {
	needs := slices.Clone(t.check.Needs)
	for _, s := range t.check.Scripts {
		needs = append(needs, s.Needs...)
		if s.Sharing.Opens() {
			needs = append(needs, j.recording.Era.Demands...)
		}
	}
	facts := j.recording.Facts()
	for _, n := range needs {
		switch n.Of(facts) {
		case No:
			t.NotApplicable("%s", n.Otherwise)
		case Unknown:
			t.Lacks(n)
		}
	}
	for _, id := range t.check.Entry.RestsOn {
		if _, planned := j.checks[id]; !planned || !j.checks[id].Applies(j.recording.Revision, j.recording.Transport) {
			continue
		}
		// What waits for this one, or was not seen because of this one, is less basic here: where nothing at all is served, ping says so.
		if slices.Contains(j.busy, id) && id != t.check.Entry.ID {
			continue
		}
		r := j.Cell(id)
		if r.Verdict == NotObserved && r.BlockedBy == t.check.Entry.ID {
			continue
		}
		switch r.Verdict {
		case Fail, Warn, NotObserved, Error:
			t.Blocked(id, "nothing to judge, since "+id+" is "+string(r.Verdict))
		case NotApplicable:
			t.NotApplicable("%s", r.Message)
		}
	}
}

// result turns what was written down into a verdict.
func (t *T) result(s *stop) Result {
	r := Result{
		ID: t.check.Entry.ID, Revision: t.recording.Revision, Transport: t.recording.Transport,
		Level: t.check.Entry.Levels[t.recording.Revision], Expected: t.expected, Scripts: t.scripts,
	}
	switch {
	case s != nil && s.verdict == Error:
		r.Verdict, r.Message = Error, s.reason
	// A violation stands, even where the judgement then ran out of things to look at.
	case len(t.findings) > 0:
		t.reportFindings(&r)
	case s != nil:
		r.Verdict, r.Cause, r.Message, r.BlockedBy, r.Shown = s.verdict, s.cause, sentence(s.reason), s.blockedBy, s.shown
	case t.observed == 0:
		r.Verdict, r.Message = NotObserved, cmp.Or(t.unseen, "nothing of the kind was seen")
		r.Cause = cmp.Or(t.unseenBecause, Unprovoked)
	default:
		r.Verdict, r.Message, r.Shown = Pass, t.praise, t.shown
		if r.Message == "" {
			r.Message = fmt.Sprintf("in order, %d looked at", t.observed)
		}
		r.Got = r.Message
	}
	return r
}

func (t *T) reportFindings(r *Result) {
	w := worst(t.findings)
	r.Proven = t.proven
	r.Verdict, r.Expected, r.Got = w.Verdict, w.Expected, w.Got
	r.keep(t.findings)
	r.Message = Sentence(w)
}

// keep keeps the findings that weigh as much as the result.
func (r *Result) keep(findings []Finding) {
	r.Findings, r.More = nil, 0
	for _, f := range findings {
		switch {
		case f.Verdict != r.Verdict:
		case len(r.Findings) == maxFindings:
			r.More++
		default:
			r.Findings = append(r.Findings, f)
		}
	}
}

// Within is a result with those of its findings, of which all are given, that stand in some transcripts.
func (r Result) Within(findings []Finding, some func(*wire.Transcript) bool) Result {
	r.keep(slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool { return !some(f.Place.Transcript) }))
	return r
}

// Findings are all that a requirement has, once it is judged.
func (j *Judge) Findings(id string) []Finding { return j.found[id] }

// Sentence says a finding in one sentence.
func Sentence(f Finding) string {
	if f.Expected == "" {
		return sentence(f.Got)
	}
	return fmt.Sprintf("expected %s, got %s", f.Expected, sentence(f.Got))
}
