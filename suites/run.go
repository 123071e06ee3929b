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
	// Started and Duration frame the whole run; Requests counts what was sent.
	Started     time.Time
	Duration    time.Duration
	Requests    int
	Interrupted bool

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
	// Budget bounds confirming; 0 means three timeouts.
	Budget time.Duration
	// Progress, where set, is told about every finished conversation; it may be called from several goroutines.
	Progress func(Progress)
}

// cleanUpLimit is how long deleting sessions may take when everything else is over.
const cleanUpLimit = time.Second

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
	defer func() {
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpLimit)
		defer cancel()
		c.CleanUp(clean)
		record.Duration, record.Requests = time.Since(record.Started), earlier+c.Stats().Requests
		record.Interrupted = ctx.Err() != nil
	}()
	ask := o.Selection.Revisions
	if len(ask) == 0 {
		ask = suite.Revisions()
	}
	record.Survey = survey.Of(ctx, c, suite.Revisions(), ask)
	startOver := func() error {
		again, err := client.New(o.Client)
		if err != nil {
			return errors.Join(fmt.Errorf("preparing the client: %w", err), c.Close())
		}
		earlier += c.Stats().Requests
		_ = c.Close()
		c, record.close = again, again.Close
		record.Survey = survey.Of(ctx, c, suite.Revisions(), ask)
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
	if moved := record.Survey.Leads(); moved != nil {
		// Once, and within the origin that the user named; what is there is checked in place of the URL.
		o.Client.URL = moved.To
		if err := startOver(); err != nil {
			return nil, err
		}
		record.Survey.Moved = moved
	}
	record.Plan = Plan{
		Revisions: record.Survey.Spoken, Echoed: record.Survey.Echoed, Checks: checks, Filtered: filtered,
		HTTPSSE: record.Survey.HTTPSSE, Serial: record.Survey.SingleSession, Calls: o.Selection.Calls,
		Environment: kit.Environment{URL: o.Client.URL, Loopback: loopback(o.Client.URL)},
		Credentials: c.Configured(),
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
	r := &recorder{suite: suite, client: c, plan: record.Plan, progress: o.Progress}
	chosen, err := suite.checksOf(record.Plan)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	r.scripts = func(track *Track) []*kit.Script { return suite.Scripts(applying(chosen, track)) }
	if denied {
		r.access(ctx, record, ask, chosen)
	} else {
		record.Tracks = r.record(ctx)
	}
	if o.Budget == 0 {
		o.Budget = 3 * o.Client.Timeout
	}
	r.confirm(ctx, record, suite, o.Budget)
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
