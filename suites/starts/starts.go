// Package starts turns the starts of a client into results: it files what was recorded by revision, has it judged by the pure judge of
// package kit, and says what kept it from being judged. It starts nothing and sends nothing: that is package mock's.
package starts

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/evidence"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A Start is what is known of one start of the client, beside what was said in it.
type Start struct {
	Persona string `json:"persona"`
	Attempt int    `json:"attempt"`
	// Ended says in a phrase how the client ended.
	Ended string `json:"ended"`
	// Output is the end of what it wrote, for a diagnosis.
	Output string `json:"output,omitempty"`
	// Excess counts the requests that came beyond those that are kept.
	Excess int `json:"excess,omitempty"`
	// Turned are sentences about requests that were turned away, since they were not the client's or not of this start.
	Turned []string `json:"turned,omitempty"`
}

// A Record is everything that the starts of one client left behind. Judging it needs nothing else.
type Record struct {
	Tool report.Tool `json:"tool"`
	// Command is how the client was started, as the user wrote it.
	Command string `json:"command"`
	// ByHand tells that a person started the client.
	ByHand bool `json:"by_hand,omitempty"`
	// Checks are the ids that were selected; Filtered tells that there are others.
	Checks   []string `json:"checks"`
	Filtered bool     `json:"filtered,omitempty"`
	Starts   []Start  `json:"starts"`
	// Started and Duration frame the whole run.
	Started     time.Time     `json:"started"`
	Duration    time.Duration `json:"duration"`
	Interrupted bool          `json:"interrupted,omitempty"`
	// Unstarted says why the client could not be started; empty where it was.
	Unstarted string `json:"unstarted,omitempty"`

	// Transcripts are those of the starts, in their order.
	Transcripts []*wire.Transcript `json:"-"`
}

// A Suite is every check of clients there is.
type Suite struct {
	*suites.Suite
	eras []*kit.Era
}

// New builds the suite of some eras. An error means that the embedded catalogue is broken.
func New(eras ...*kit.Era) (*Suite, error) {
	s, err := suites.New(eras...)
	if err != nil {
		return nil, err
	}
	return &Suite{Suite: s, eras: eras}, nil
}

// Judge gives a result for every selected requirement in every revision that the client spoke: a pure function of the record. What stands
// in the bytes of a client needs no second start to count.
func (r *Record) Judge(s *Suite) []kit.Result {
	var results []kit.Result
	for _, c := range r.columns() {
		judge := r.judge(s, c)
		for _, check := range s.Checks() {
			if check.Applies(c.revision, c.transport) && slices.Contains(r.Checks, check.Entry.ID) {
				results = append(results, judge.Cell(check.Entry.ID))
			}
		}
	}
	order := map[string]int{}
	for i, check := range s.Checks() {
		order[check.Entry.ID] = i
	}
	slices.SortStableFunc(results, func(a, b kit.Result) int { return order[a.ID] - order[b.ID] })
	return results
}

// A column is a revision over a transport.
type column struct{ revision, transport string }

// columns are those that were spoken, the newest revision first.
func (r *Record) columns() []column {
	var list []column
	for _, rev := range r.revisions() {
		for _, transport := range []string{kit.StreamableHTTP, kit.HTTPSSE} {
			if slices.ContainsFunc(r.Transcripts, func(t *wire.Transcript) bool {
				return t.Revision == rev && t.Transport == transport && speaks(t)
			}) {
				list = append(list, column{rev, transport})
			}
		}
	}
	return list
}

func (r *Record) judge(s *Suite, c column) *kit.Judge {
	name, _ := revision.EraOf(c.revision)
	era := s.eras[slices.IndexFunc(s.eras, func(e *kit.Era) bool { return e.Name == name })]
	recording := &kit.Recording{Era: era, Revision: c.revision, Transport: c.transport, Damaged: r.Interrupted || len(r.unmet()) > 0}
	for _, t := range r.Transcripts {
		if t.Revision == c.revision && t.Transport == c.transport {
			recording.Transcripts = append(recording.Transcripts, t)
		} else {
			recording.Beside = append(recording.Beside, t)
		}
	}
	var checks []*kit.Check
	for _, c := range s.Checks() {
		if c.Entry.Era == name {
			checks = append(checks, c)
		}
	}
	return kit.NewJudge(recording, checks)
}

// revisions are those that were spoken, newest first. Where nothing of MCP arrived there are none.
func (r *Record) revisions() []string {
	var list []string
	for _, t := range r.Transcripts {
		if !slices.Contains(list, t.Revision) && speaks(t) {
			list = append(list, t.Revision)
		}
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

// speaks tells that a message arrived, or what was meant for one.
func speaks(t *wire.Transcript) bool {
	return slices.ContainsFunc(t.Exchanges, func(x *wire.Exchange) bool {
		return bytes.Contains(x.Request.Body.Bytes(), []byte(`"jsonrpc"`))
	})
}

// Report turns judged results into the report of the run.
func (r *Record) Report(s *Suite, results []kit.Result) report.Report {
	out := report.Report{
		Schema: report.Schema, Tool: r.Tool, Started: r.Started, DurationMS: r.Duration.Milliseconds(),
		Target:    report.Target{Client: r.client(), Eras: []string{}, Revisions: r.revisions()},
		Diagnosis: r.diagnosis(), Interrupted: r.Interrupted, Filtered: r.Filtered, Remarks: r.remarks(), Results: []report.Result{},
	}
	if out.Target.Revisions == nil {
		out.Target.Revisions = []string{}
	}
	for _, rev := range out.Target.Revisions {
		if era, _ := revision.EraOf(rev); !slices.Contains(out.Target.Eras, era) {
			out.Target.Eras = append(out.Target.Eras, era)
		}
	}
	for _, t := range r.Transcripts {
		out.Requests += len(t.Exchanges)
	}
	for _, k := range results {
		check, _ := s.Check(k.ID)
		out.Results = append(out.Results, evidence.Result(check.Entry, k, nil))
	}
	return report.Finish(out)
}

// client is who was under test, as it says of itself.
func (r *Record) client() *report.Client {
	c := &report.Client{Command: r.Command}
	for _, t := range r.Transcripts {
		for _, x := range t.Exchanges {
			m := x.RequestMessage()
			for _, at := range []string{"/params/clientInfo/", "/params/_meta/io.modelcontextprotocol~1clientInfo/"} {
				if c.Name == "" && m.Decode(at+"name", &c.Name) == nil {
					_ = m.Decode(at+"version", &c.Version) // may be missing
				}
			}
		}
	}
	return c
}

// unmet are the personas of starts in which the client was stopped before it had sent anything: what it would have done there is not known.
func (r *Record) unmet() []string {
	var names []string
	for _, t := range r.Transcripts {
		if t.Aborted != "" && len(t.Exchanges) == 0 && !r.ByHand {
			names = append(names, t.Script)
		}
	}
	return names
}

func (r *Record) remarks() []string {
	var remarks []string
	if unmet := r.unmet(); len(unmet) > 0 && len(r.revisions()) > 0 {
		remarks = append(remarks, fmt.Sprintf("in %d of %d starts the client was stopped before it had sent anything (%s): --start-timeout gives it longer",
			len(unmet), len(r.Starts), strings.Join(unmet, ", ")))
	}
	for _, s := range r.Starts {
		for _, what := range s.Turned {
			remarks = append(remarks, s.Persona+": turned away: "+what)
		}
		if s.Excess > 0 {
			remarks = append(remarks, fmt.Sprintf("%s: %d requests more than are kept of one start were refused", s.Persona, s.Excess))
		}
	}
	if len(r.revisions()) > 0 && !r.ByHand {
		remarks = append(remarks, fmt.Sprintf("the client was started %d times, once for each way in which a server may behave", len(r.Starts)))
	}
	return remarks
}
