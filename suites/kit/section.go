// Package kit is what a check is written with: sections that hold scripts and checks, needs, the T of a judgement, outcomes that
// speak sentences, and the pure judge. It knows neither Ginkgo nor the network: a script gets a conversation to talk through, a
// check gets frozen transcripts.
package kit

import (
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

// Sharing says with whom a script shares its session.
type Sharing int

const (
	// Shared scripts are harmless: they run on the revision's common session, beside one another.
	Shared Sharing = iota
	// Own scripts have a session to themselves before they start (streams, DELETE, settings): one that another of them left as it was, or
	// else a new one; see Fresh and Spends.
	Own
	// Bare scripts start without a session; they send their own initialize, or none.
	Bare
	// Last scripts have one to themselves too, and run after everything else of their revision, one after another (garbage).
	Last
	// Deadly scripts send what may end a server. They have a session to themselves, and run when everything else is over, confirming too,
	// one at a time in the whole run, and in one revision for all.
	Deadly
	// Alone scripts have one too, and run when no others do (what may end others' sessions): beside one another in the revisions, as long as
	// none of them is refused anything, and else really alone.
	Alone
	// BareAlone scripts are Bare, and run without any other conversation beside them: bad tokens may make a server lock a client out.
	BareAlone
)

// Opens tells whether the conversation has a session before the script starts.
func (s Sharing) Opens() bool { return s != Bare && s != BareAlone }

// Lends tells that the conversation may go on in the session of another one, and leave its own to a third.
func (s Sharing) Lends() bool { return s == Own || s == Last || s == Alone || s == Deadly }

// IsAlone tells whether no other conversation may run beside the script.
func (s Sharing) IsAlone() bool { return s == Alone || s == BareAlone || s == Deadly }

// A Script is a named conversation. It only sends and records; judging is the business of checks.
type Script struct {
	// Name is "<area>/<what>", unique in the plan.
	Name    string
	Sharing Sharing
	Run     func(*C)
	// Needs must be met for the script to be sent.
	Needs []Need
	// Revisions limits the script; empty means every revision.
	Revisions []string
	// Intricate: what it shows rests on what came before in the session, so that no curl line with its values repeats it.
	Intricate bool
	// Foreign: it sends a method that no server has. Where such a one ended the server in the survey, the conversation is a deadly one.
	Foreign bool
	// Ordinary: a conversation like a client's, recorded whenever a passive check is selected, so that it has something to look at.
	Ordinary bool
	// Beside: it shows that nothing is answered beside an open GET stream, and is held only where that was noticed.
	Beside bool
	// Fresh: it needs a session that nobody was in, since it looks at the handshake, or at all that comes in the session, or ends it by
	// DELETE: what others saw in that session would be told by its end.
	Fresh bool
	// Spends: it leaves the session otherwise than it found it, or ended, so that nobody goes on in it.
	Spends bool
	// Waits: it waits by the clock, not only for answers. It begins early, and others need not wait for its end.
	Waits bool
	// Long: it has more round trips in a row than most. It begins early, so that a run does not end with it.
	Long bool
	// Once: its messages are the same in every revision and belong to none, so that it is held in one for all of its era.
	Once bool
	// Outside: the one conversation that is held with a server which wants credentials that we do not have.
	Outside bool
}

// Everywhere tells that one recording of the script shows the same to all revisions of its era.
func (k *Script) Everywhere() bool { return k.Once || k.Sharing == Deadly }

// NewScript returns a script that several areas look at. The section that it belongs to adds it.
func NewScript(name string, sharing Sharing, run func(*C), options ...Option) *Script {
	o := collect(options)
	return &Script{
		Name: name, Sharing: sharing, Run: run, Needs: o.needs, Revisions: o.revisions,
		Intricate: o.intricate, Ordinary: o.ordinary, Outside: o.outside, Foreign: o.foreign, Beside: o.beside,
		Fresh: o.fresh, Spends: o.spends, Waits: o.waits, Long: o.long, Once: o.once,
	}
}

// An Option of a script or a check.
type Option interface{ apply(*settings) }

type settings struct {
	needs     []Need
	revisions []string
	intricate bool
	ordinary  bool
	outside   bool
	foreign   bool
	beside    bool
	fresh     bool
	spends    bool
	once      bool
	waits     bool
	long      bool
}

// Revisions limits a script to those revisions.
func Revisions(r ...string) Option { return revisionsOption(r) }

// Since limits a script to a revision and the later ones.
func Since(first string) Option {
	return revisionsOption(slices.DeleteFunc(revision.All(), func(r string) bool { return revision.Before(r, first) }))
}

type revisionsOption []string

func (r revisionsOption) apply(s *settings) { s.revisions = append(s.revisions, r...) }

// Intricate marks a script, or one check of it, whose findings no curl line can show again: they rest on what came before in the session.
func Intricate() Option { return intricateOption{} }

type intricateOption struct{}

func (intricateOption) apply(s *settings) { s.intricate = true }

// Ordinary marks the conversation that gives passive checks something to look at.
func Ordinary() Option { return ordinaryOption{} }

type ordinaryOption struct{}

func (ordinaryOption) apply(s *settings) { s.ordinary = true }

// Outside marks the conversation that is held with a server which wants credentials that we do not have.
func Outside() Option { return outsideOption{} }

type outsideOption struct{}

func (outsideOption) apply(s *settings) { s.outside = true }

// Foreign marks a conversation that sends a method which no server has.
func Foreign() Option { return foreignOption{} }

type foreignOption struct{}

func (foreignOption) apply(s *settings) { s.foreign = true }

// Beside marks the conversation that shows what is answered beside an open GET stream, where nothing was.
func Beside() Option { return besideOption{} }

type besideOption struct{}

func (besideOption) apply(s *settings) { s.beside = true }

// Fresh marks a conversation that needs a session which nobody was in: what it shows rests on the handshake, or on all that comes in the
// session.
func Fresh() Option { return freshOption{} }

type freshOption struct{}

func (freshOption) apply(s *settings) { s.fresh = true }

// Spends marks a conversation that leaves its session otherwise than it found it (a log level, a subscription) or ended.
func Spends() Option { return spendsOption{} }

type spendsOption struct{}

func (spendsOption) apply(s *settings) { s.spends = true }

// Waits marks a conversation that waits by the clock, such as for a session to end or a stream to stay silent.
func Waits() Option { return waitsOption{} }

type waitsOption struct{}

func (waitsOption) apply(s *settings) { s.waits = true }

// Long marks a conversation with more round trips in a row than most.
func Long() Option { return longOption{} }

type longOption struct{}

func (longOption) apply(s *settings) { s.long = true }

// Once marks a conversation whose messages carry no revision that was agreed on, such as initialize with each version in turn: one recording
// shows the same to all revisions of its era.
func Once() Option { return onceOption{} }

type onceOption struct{}

func (onceOption) apply(s *settings) { s.once = true }

// A Check judges one requirement on transcripts.
type Check struct {
	// Entry is the requirement; its level in a revision gives the severity.
	Entry catalogue.Entry
	// Scripts are the conversations it looks at. Empty: it is passive and ranges over everything recorded in a revision.
	Scripts []*Script
	// Needs beyond those of its scripts.
	Needs []Need
	Judge func(*T)
	// Intricate: what it shows rests on what came before in the session, as in a script that is.
	Intricate bool

	applies func(e catalogue.Entry, transport, revision string) bool
}

// Applies tells whether the requirement exists in a revision over a transport.
func (c *Check) Applies(revision, transport string) bool {
	_, ok := c.Entry.Levels[revision]
	return ok && c.applies(c.Entry, transport, revision)
}

// Passive tells whether the check ranges over all traffic of a revision.
func (c *Check) Passive() bool { return len(c.Scripts) == 0 }

// The transports.
const (
	StreamableHTTP = "streamable-http"
	HTTPSSE        = "http-sse" // of 2024-11-05
)

// A Section collects the scripts and checks of one area. Mistakes in a section are mistakes in our source: they panic when the
// suite is built, which every test does.
type Section struct {
	era       *Era
	area      string
	catalogue *catalogue.Catalogue
	scripts   []*Script
	checks    []*Check
}

// An Area is a function that fills a section; its name is the catalogue's area and the name of the file that holds it.
type Area struct {
	Name string
	Fill func(*Section)
}

// NewSection returns the filled section of an area.
func NewSection(c *catalogue.Catalogue, era *Era, a Area) *Section {
	s := &Section{era: era, area: a.Name, catalogue: c}
	a.Fill(s)
	return s
}

// Area returns the area's name.
func (s *Section) Area() string { return s.area }

// Scripts returns the section's scripts in the order of the source.
func (s *Section) Scripts() []*Script { return s.scripts }

// Checks returns the section's checks in the order of the source.
func (s *Section) Checks() []*Check { return s.checks }

// Script adds a conversation.
func (s *Section) Script(name string, sharing Sharing, run func(*C), options ...Option) *Script {
	return s.Add(NewScript(name, sharing, run, options...))
}

// Add adds a conversation that checks of other areas look at too.
func (s *Section) Add(script *Script) *Script {
	s.scripts = append(s.scripts, script)
	return script
}

// Check adds a judgement on the exchanges of one script.
func (s *Section) Check(id string, script *Script, judge func(*T), options ...Option) {
	s.CheckAcross(id, []*Script{script}, judge, options...)
}

// CheckAcross adds a judgement that looks at several scripts; T's own methods look into the first, those of T.In into the others.
func (s *Section) CheckAcross(id string, scripts []*Script, judge func(*T), options ...Option) {
	s.add(id, scripts, judge, options)
}

// Passive adds a judgement on everything that was recorded in a revision.
func (s *Section) Passive(id string, judge func(*T), options ...Option) {
	s.add(id, nil, judge, options)
}

func (s *Section) add(id string, scripts []*Script, judge func(*T), options []Option) {
	entry, ok := s.catalogue.ByID(id)
	if !ok {
		panic(fmt.Sprintf("kit: check %q has no entry in the catalogue", id))
	}
	o := collect(options)
	s.checks = append(s.checks, &Check{
		Entry: entry, Scripts: scripts, Needs: o.needs, Judge: judge, Intricate: o.intricate,
		applies: s.era.Applies,
	})
}

func collect(options []Option) settings {
	var s settings
	for _, o := range options {
		o.apply(&s)
	}
	return s
}
