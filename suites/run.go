package suites

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/suites/survey"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A Record is everything a run left behind. Judging it needs nothing else.
type Record struct {
	Tool   report.Tool
	URL    string
	Survey *survey.Survey
	Plan   Plan
	Tracks []*Track
	// Troubles are what the run noticed about how the server bore it.
	Troubles []client.Trouble
	// Started and Duration frame the whole run; Requests counts what was sent.
	Started     time.Time
	Duration    time.Duration
	Requests    int
	Interrupted bool
	// Sessions counts those that were opened, SessionsAtOnce how many were open at a time at most.
	Sessions, SessionsAtOnce int
	// SessionsLeft counts the sessions that could not be ended.
	SessionsLeft int

	// close releases what holds large bodies on disk.
	close func() error
}

// Close releases the temporary files that hold large bodies; judging is over then.
func (r *Record) Close() error {
	if r.close == nil {
		return nil
	}
	return r.close()
}

func (r *Record) planned(id string) bool { return slices.Contains(r.Plan.Checks, id) }

// Options of a run.
type Options struct {
	Tool      report.Tool
	Client    client.Config
	Selection Selection
	// Budget is the least time that recording again may take, to confirm or because something could not be looked at; 0 means three
	// timeouts. At a slow server it grows with what the first recordings took.
	Budget time.Duration
	// MaxTime bounds the whole run; what was not reached by then could not be looked at. 0: no bound.
	MaxTime time.Duration
	// Child is the server where the run has started it; nil where it has not.
	Child Child
	// Progress, where set, is told about every phase and finished conversation, and while nothing happens what is waited for; it may
	// be called from several goroutines.
	Progress func(Progress)
}

// A Child is a server that the run has started.
type Child interface {
	// Restart starts it again, once it has ended, and waits until it listens.
	Restart(context.Context) error
	// Ended tells how it ended, with its last lines; false while it runs.
	Ended() (how string, ended bool)
}

// interruptedCleanUp is how long deleting sessions may take when somebody waits for the run to end.
const interruptedCleanUp = 1500 * time.Millisecond

// Run surveys the URL, records the planned conversations and confirms what a first judging finds. A cancelled context ends it
// early with what there is (Record.Interrupted). Whatever happens, every session that was seen is deleted. An error means that the
// run could not even start. The caller closes the record when it has judged it.
func Run(ctx context.Context, suite *Suite, o Options) (*Record, error) {
	checks, filtered, err := suite.Select(o.Selection)
	if err != nil {
		return nil, err
	}
	c, err := client.New(o.Client)
	if err != nil {
		return nil, fmt.Errorf("preparing the client: %w", err)
	}
	earlier := 0 // requests of clients that were given up
	record := &Record{Tool: o.Tool, URL: o.Client.URL, Started: time.Now(), close: c.Close}
	troubles := func() []client.Trouble { return c.Troubles() }
	outer := ctx
	if o.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.MaxTime)
		defer cancel()
	}
	defer func() {
		record.Interrupted = outer.Err() != nil
		record.Troubles = troubles()
		if ctx.Err() != nil && !record.Interrupted {
			record.Troubles = append(record.Troubles, client.Trouble{Kind: client.OutOfTime})
		}
		limit := c.CleanUpNeeds()
		if record.Interrupted {
			limit = min(limit, interruptedCleanUp)
		}
		clean, cancel := context.WithTimeout(context.WithoutCancel(outer), limit)
		defer cancel()
		// Who interrupts the cleaning up waits no longer than who interrupts what comes before.
		defer context.AfterFunc(outer, func() { time.AfterFunc(interruptedCleanUp, cancel) })()
		record.SessionsLeft = c.CleanUp(clean)
		record.Interrupted = outer.Err() != nil
		stats := c.Stats()
		record.Duration, record.Requests = time.Since(record.Started), earlier+stats.Requests
		record.Sessions, record.SessionsAtOnce = stats.Sessions, stats.SessionsAtOnce
	}()
	ask := o.Selection.Revisions
	if len(ask) == 0 {
		ask = suite.Revisions()
	}
	watch := newWatch(o.Progress)
	defer watch.stop()
	watch.client.Store(c)
	watch.show(Progress{Phase: phaseSurvey})
	record.Survey = survey.Of(ctx, c, suite.Revisions(), ask, false)
	startOver := func() error {
		again, err := client.New(o.Client)
		if err != nil {
			return errors.Join(fmt.Errorf("preparing the client: %w", err), c.Close())
		}
		earlier += c.Stats().Requests
		_ = c.Close()
		c, record.close = again, again.Close
		watch.client.Store(c)
		record.Survey = survey.Of(ctx, c, suite.Revisions(), ask, false)
		record.Survey.HTTP2 = o.Client.HTTP2
		return nil
	}
	if needsHTTP2(record.Survey) {
		// The tapped client speaks HTTP/1.1 only; this server does not. Raw heads are lost, everything else can be judged.
		o.Client.HTTP2 = true
		if err := startOver(); err != nil {
			return nil, err
		}
	}
	if record.Survey.Fatal != "" && o.Child != nil && ctx.Err() == nil {
		// Worth telling, and no reason to leave the rest unjudged: newer clients send it first.
		fatal := record.Survey.Fatal
		how, _ := o.Child.Ended()
		if o.Child.Restart(ctx) == nil {
			c.Resume()
			record.Survey = survey.Of(ctx, c, suite.Revisions(), ask, true)
			record.Survey.Fatal, record.Survey.Ended = fatal, how
		}
	}
	if moved := record.Survey.Leads(); moved != nil {
		// Once, and within the origin that the user named; what is there is checked in place of the URL.
		o.Client.URL = moved.To
		if err := startOver(); err != nil {
			return nil, err
		}
		record.Survey.Moved = moved
	}
	record.Plan = Plan{
		Revisions: record.Survey.Spoken, DualEra: record.Survey.DualEra(), Echoed: record.Survey.Echoed, Checks: checks, Filtered: filtered,
		Lent: lends(suite, record.Survey.Spoken, record.Survey.Echoed), HTTPSSE: record.Survey.HTTPSSE, Serial: record.Survey.SingleSession, Calls: o.Selection.Calls,
		Environment: kit.Environment{URL: o.Client.URL, Loopback: loopback(o.Client.URL)},
		Credentials: c.Configured(), Frail: record.Survey.Fatal != "",
	}
	if o.Selection.Named {
		record.Plan.Missed = slices.DeleteFunc(slices.Clone(ask), func(r string) bool {
			return slices.Contains(record.Plan.Revisions, r) || record.Plan.HTTPSSE && r == revision.HTTPSSE
		})
	}
	if ctx.Err() != nil {
		// What broke off because we were interrupted says nothing about the server.
		record.Survey.Diagnosis = nil
		return record, nil
	}
	denied := record.Survey.Denied()
	if record.Survey.Diagnosis != nil && !denied {
		return record, nil
	}
	c.Indulge(record.Survey.Insists)
	r := &recorder{suite: suite, client: c, plan: record.Plan, progress: watch.show, least: o.Budget, child: o.Child,
		began: record.Started, earlier: c.Stats().Requests}
	troubles = func() []client.Trouble { return r.foretold(c.Troubles()) }
	if r.least == 0 {
		r.least = 3 * c.Timeout()
	}
	chosen, err := suite.checksOf(record.Plan)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	r.scripts = func(track *Track) []*kit.Script {
		return record.Plan.careful(suite.Scripts(applying(record.Plan.lend(suite, track, chosen), track)))
	}
	if denied {
		r.access(ctx, record, ask, chosen)
		r.confirm(ctx, record)
		return record, nil
	}
	record.Tracks = r.record(ctx)
	// What was noticed so far is part of what is judged.
	notice := func() { record.Troubles = troubles() }
	notice()
	if r.recover(ctx) {
		r.rescue(ctx, record)
	}
	notice()
	if r.goOn() {
		r.confirm(ctx, record)
	}
	if r.recover(ctx) {
		r.deadly(ctx, record)
	}
	return record, nil
}

// applying are the checks that judge something in a track.
func applying(checks []*kit.Check, track *Track) []*kit.Check {
	return slices.DeleteFunc(slices.Clone(checks), func(c *kit.Check) bool { return !c.Applies(track.Revision, track.Transport) })
}

// needsHTTP2 tells that the TLS handshake failed because the server does not speak HTTP/1.1.
func needsHTTP2(s *survey.Survey) bool {
	for _, x := range s.Transcript.Exchanges {
		if x.Error != nil && x.Error.Kind == wire.ErrTLS && strings.Contains(x.Error.Message, "no application protocol") {
			return true
		}
	}
	return false
}

// loopback tells whether a URL points at this machine by its name or address.
func loopback(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && client.IsLoopback(u.Hostname())
}
