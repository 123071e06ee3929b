package suites

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A Track is what was recorded in one revision over one transport.
type Track struct {
	Revision, Transport string
	// First are the transcripts judged first, in plan order with the inventory in front. Again holds later attempts by script.
	First []*wire.Transcript
	Again map[string]*wire.Transcript
	// Lost are recordings that could not look and were made anew.
	Lost []*wire.Transcript

	// common is the session that conversations shared last.
	common *client.Session
	// rescued are the scripts that were recorded anew, or were to be.
	rescued []string

	// judge judges recording, which is First and the circumstances at that time, as far as it was asked to.
	judge     *kit.Judge
	recording *kit.Recording
}

// recorder talks to the server for one run.
type recorder struct {
	suite    *Suite
	client   *client.Client
	plan     Plan
	scripts  func(*Track) []*kit.Script
	progress func(Progress)
	// least is the least time that a phase of recording again may take.
	least time.Duration
	// child is the server where we started it; restarts counts how often it was started again.
	child    Child
	restarts int
	// withoutStreams: no GET stream is kept open any more, since the server answers nothing while one is. oneByOne: they queue, since it
	// answers nothing while several are.
	withoutStreams, oneByOne bool
	// tooMany is how many streams are too many; 0 where that is not known.
	tooMany int
	// accidents counts standstills that streams did not explain.
	accidents int

	// began is when the run did, earlier how many requests the client had sent before recording.
	began   time.Time
	earlier int

	mu    sync.Mutex
	done  int
	total int
	// forecast is what was said first of how long the run takes; 0 where nothing was.
	forecast time.Duration
}

// enter tells that a phase begins, tick that one more conversation has ended.
func (r *recorder) enter(phase string) { r.tell(phase, 0) }
func (r *recorder) tick(phase string)  { r.tell(phase, 1) }

// grow adds to what there is to record.
func (r *recorder) grow(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total += n
}

func (r *recorder) tell(phase string, more int) {
	r.mu.Lock()
	r.done += more
	p := Progress{Phase: phase, Done: r.done, Total: r.total, Left: r.left(r.done, r.total)}
	r.foresee(p.Left)
	r.mu.Unlock()
	r.progress(p)
}

// record holds the planned conversations: all revisions at once, in each the inventory first, then everything that may run beside
// other things, and last, one after another, what may not.
func (r *recorder) record(ctx context.Context) []*Track {
	tracks := r.plan.tracks()
	stages := make([]*stage, len(tracks))
	for i, track := range tracks {
		stages[i] = &stage{recorder: r, track: track, scripts: r.scripts(track)}
		r.grow(1 + len(stages[i].scripts))
	}
	r.enter(phaseInventory)
	last := func(k kit.Sharing) bool { return k == kit.Last }
	if r.narrow(stages) {
		// Each revision keeps a session open that its conversations share.
		for _, s := range stages {
			s.inventory(ctx)
			s.crowd(ctx)
			s.oneByOne(ctx, last)
			r.client.EndIdle(ctx)
			s.share(ctx, &client.Session{})
		}
	} else {
		r.each(stages, func(s *stage) { s.inventory(ctx) })
		for _, s := range stages {
			s.part()
		}
		r.each(stages, func(s *stage) {
			s.crowd(ctx)
			s.oneByOne(ctx, last)
		})
	}
	r.alone(ctx, stages)
	return tracks
}

// narrow tells that so few requests may be in flight that the revisions, which keep a session each, are recorded in turn.
func (r *recorder) narrow(stages []*stage) bool {
	return !r.plan.Serial && r.client.Concurrency() < len(stages)
}

// each runs a step of every revision, concurrently unless the server keeps one session at a time.
func (r *recorder) each(stages []*stage, step func(*stage)) {
	if r.plan.Serial {
		for _, s := range stages {
			step(s)
		}
		return
	}
	var wg sync.WaitGroup
	for _, s := range stages {
		wg.Go(func() { step(s) })
	}
	wg.Wait()
}

// stage is the recording of one revision in progress.
type stage struct {
	recorder *recorder
	track    *Track
	scripts  []*kit.Script
	common   *client.Session
	facts    *kit.Facts
	losing   sync.Mutex // of the track's Lost
	// controls are those of an era without sessions.
	controls client.Controls
}

// inventory opens the common session and gathers the facts. A lost initialize is repeated at once, before everything that hangs
// on it is given up; both attempts are kept.
func (s *stage) inventory(ctx context.Context) {
	script := s.era().Inventory
	first, session := s.open(ctx, script, 1)
	if x := first.Exchange(s.era().Opening); (x == nil || !x.Served()) && ctx.Err() == nil {
		s.track.Again[script.Name] = first
		first, session = s.open(ctx, script, 2)
	}
	s.share(ctx, session)
	s.facts = s.era().Facts(first, s.recorder.plan.given())
	s.track.First = append(s.track.First, first)
	s.recorder.tick(phaseInventory)
}

// share makes a session the one that conversations of the revision share. The one before it is ended: a server may allow only so many.
func (s *stage) share(ctx context.Context, session *client.Session) {
	if before := s.track.common; before != nil && before.ID() != session.ID() {
		s.recorder.client.EndSession(ctx, before)
	}
	s.common, s.track.common = session, session
}

// era is what is known of the era of the stage's revision.
func (s *stage) era() *kit.Era { return s.recorder.suite.era(s.track.Revision) }

func (s *stage) open(ctx context.Context, script *kit.Script, attempt int) (*wire.Transcript, *client.Session) {
	// The session has to outlive the conversation, unless the server can only keep one.
	conversation := s.start(ctx, client.Script{Name: script.Name, Attempt: attempt, KeepSession: !s.alone()})
	s.run(conversation, script)
	session := conversation.Session()
	return conversation.Finish(), session
}

// part gives the revision its part of the places, where it needs any.
func (s *stage) part() (end func()) {
	if !slices.ContainsFunc(s.planned(), s.places) {
		return func() {}
	}
	return s.recorder.client.Part(s.track.Revision, s.track.Transport)
}

// alone tells that no two conversations can share a session: the server keeps one at a time, or it lives as long as one stream.
func (s *stage) alone() bool { return s.recorder.plan.Serial || s.track.Transport == kit.HTTPSSE }

func (s *stage) start(ctx context.Context, script client.Script) *client.Conversation {
	script.Revision, script.Dialect, script.Transport = s.track.Revision, s.era().Dialect, s.track.Transport
	if s.era().Open == nil {
		script.Controls = &s.controls
	}
	return s.recorder.client.Start(ctx, script)
}

func (s *stage) run(conversation *client.Conversation, script *kit.Script) {
	c := &kit.C{
		Conversation: conversation, Era: s.era(), Revision: s.track.Revision, Facts: s.facts,
		Calls: s.recorder.plan.Calls, Environment: s.recorder.plan.Environment,
		Quiet: s.recorder.withoutStreams && !script.Beside, Frail: s.recorder.plan.Frail, Again: conversation.Attempt() > 1,
		Restless: !script.Sharing.Opens() && s.track.Transport == kit.HTTPSSE,
	}
	if s.track.Transport == kit.HTTPSSE && !conversation.OpenStream("stream", s.recorder.client.Timeout()) {
		return
	}
	if mirror := s.era().Mirror; mirror != nil && s.facts != nil {
		conversation.Use(client.Mirroring(mirror(s.facts)))
	}
	opens := s.era().Open != nil && script.Sharing.Opens() && (script.Sharing != kit.Shared || s.alone())
	if opens && !conversation.Session().Opened() && !c.Open().Served() {
		return
	}
	if s.facts != nil && s.facts.StreamFirst && slices.ContainsFunc(script.Needs, func(n kit.Need) bool { return n.Streams }) {
		conversation.Use(client.WithAccept(kit.StreamFirst))
	}
	script.Run(c)
}

// crowd runs the scripts that may run beside one another. Those with sessions of their own get places in the order in which sessions are
// handed on.
func (s *stage) crowd(ctx context.Context) {
	scripts := slices.DeleteFunc(s.planned(), func(k *kit.Script) bool {
		return k.Sharing == kit.Last || k.Sharing.IsAlone()
	})
	if !s.recorder.plan.Serial {
		slices.SortStableFunc(scripts, func(a, b *kit.Script) int { return cmp.Compare(turn(a), turn(b)) })
	}
	defer s.part()()
	s.borrow(s.leaves)
	transcripts := make([]*wire.Transcript, len(scripts))
	var wg sync.WaitGroup
	for i, script := range scripts {
		if s.recorder.plan.Serial {
			transcripts[i] = s.script(ctx, script, 1)
			continue
		}
		leave := func() {}
		if s.places(script) {
			var err error
			if leave, err = s.recorder.client.Place(ctx, s.track.Revision, s.track.Transport); err != nil {
				break
			}
		}
		wg.Go(func() {
			defer leave()
			transcripts[i] = s.script(ctx, script, 1)
		})
	}
	wg.Wait()
	s.track.First = append(s.track.First, slices.DeleteFunc(transcripts, isNil)...)
}

// turn orders conversations: first those that share a session and those that take long, then those that one revision holds for all, and
// that make it the last, then those that open a session and leave it to others, those that go on in it, those that spend it, and at last those
// that have to do with no session but their own.
func turn(k *kit.Script) int {
	switch {
	case k.Sharing == kit.Shared, k.Waits, k.Long:
		return 0
	case k.Once && !k.Sharing.Lends():
		return 1
	case !k.Sharing.Lends() || k.Fresh && k.Spends:
		return 5
	case k.Fresh:
		return 2
	case k.Spends:
		return 4
	}
	return 3
}

func isNil(t *wire.Transcript) bool { return t == nil }

// oneByOne runs some scripts one after another.
func (s *stage) oneByOne(ctx context.Context, wanted func(kit.Sharing) bool) {
	for _, script := range s.planned() {
		if !wanted(script.Sharing) {
			continue
		}
		if t := s.script(ctx, script, 1); t != nil {
			s.track.First = append(s.track.First, t)
		}
	}
}

// planned returns the scripts of this revision whose needs are met.
func (s *stage) planned() []*kit.Script {
	var wanted []*kit.Script
	for _, script := range s.scripts {
		if len(script.Revisions) > 0 && !slices.Contains(script.Revisions, s.track.Revision) {
			continue
		}
		if !s.recorder.streams(script) || s.elsewhere(script) {
			continue
		}
		needs := slices.Clone(script.Needs)
		if script.Sharing.Opens() {
			needs = append(needs, s.era().Demands...)
		}
		if !slices.ContainsFunc(needs, func(n kit.Need) bool { return n.Of(s.facts) != kit.Yes }) {
			wanted = append(wanted, script)
		}
	}
	return wanted
}

// script records one conversation; nil when the run was interrupted before it began.
func (s *stage) script(ctx context.Context, script *kit.Script, attempt int) *wire.Transcript {
	if ctx.Err() != nil || s.recorder.client.Halted() != nil {
		return nil
	}
	phase := phaseRecording
	if attempt > 1 {
		phase = phaseConfirming
	}
	defer s.recorder.tick(phase)
	said := client.Script{Name: script.Name, Attempt: attempt, Hurry: script.Long || script.Waits, Passing: s.era().Open != nil && !script.Sharing.Opens()}
	if script.Sharing == kit.Shared && !s.alone() {
		said.Shared = s.common
	}
	if s.lends(script, attempt) {
		said.Lends, said.ForAll = !script.Spends, s.forAll(script)
		if !script.Fresh {
			said.Borrowed = s.recorder.client.Borrow(s.kind(script), s.spared(script))
		}
	}
	t := s.converse(ctx, script, said)
	if said.Borrowed != nil && client.Unsteady(t) && ctx.Err() == nil && s.recorder.client.Halted() == nil {
		// It may be the session's doing, and so that of those that were in it before.
		s.recorder.client.Failed()
		s.lose(t)
		said.Borrowed = nil
		t = s.converse(ctx, script, said)
	}
	return t
}

// lose keeps what nothing is judged by in the file.
func (s *stage) lose(t *wire.Transcript) {
	s.losing.Lock()
	defer s.losing.Unlock()
	s.track.Lost = append(s.track.Lost, t)
}

// converse holds one conversation.
func (s *stage) converse(ctx context.Context, script *kit.Script, said client.Script) (t *wire.Transcript) {
	conversation := s.start(ctx, said)
	defer func() {
		// A script that panics is our mistake: what it recorded is kept, and its checks find the rest missing.
		p := recover()
		t = conversation.Finish()
		if p != nil {
			t.Aborted = fmt.Sprintf("the script panicked: %v", p)
		}
	}()
	s.run(conversation, script)
	return nil
}
