package mock

import (
	"context"
	"encoding/json"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Options of a run.
type Options struct {
	Client Runner
	// Limit is how long one start may take; 0 means 30 seconds, and less that there is none.
	Limit time.Duration
	// AtOnce is how many starts run at a time; 0 means four.
	AtOnce int
	// Listen opens the port of a start; nil means one on loopback that is free.
	Listen func() (net.Listener, error)
	// Path is where the endpoint is; "" means where the reference server has it. URL is the endpoint, where the address of the listener
	// does not tell it.
	Path, URL string
	// Hosts and Origins are let in beside those of loopback: a page of a foreign site must not speak for the client.
	Hosts, Origins []string
	// OneURL tells that Listen gives the same address each time: starts come one after another, each persona once, and what still belongs
	// to an earlier start is none of the client's doing in a later one.
	OneURL bool
	// OnRequest is what the user asks for beside what every client meets.
	OnRequest OnRequest
	// Progress, where set, is told of every start that is over; it may be called from several goroutines.
	Progress func(done, planned int, persona string)
}

// Run starts the client against the first personas, and then against those that fit what it spoke. The starts come back in the order of
// the plan. An error means that the client could not be started.
func Run(ctx context.Context, o Options) ([]*Start, error) {
	if o.Limit == 0 {
		o.Limit = 30 * time.Second
	}
	if o.AtOnce == 0 {
		o.AtOnce = 4
	}
	if o.Path == "" {
		o.Path = refserver.Path
	}
	if o.Listen == nil {
		o.Listen = func() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }
	}
	r := &runner{Options: o, budget: &budget{left: maxKept}}
	first := First(r.OnRequest)
	if o.OneURL {
		r.AtOnce, r.earlier = 1, &earlier{sessions: map[string]bool{}}
		first = slices.CompactFunc(first, Persona.same)
	}
	met, err := r.startAll(ctx, first, 0)
	if err != nil || ctx.Err() != nil {
		return met, err
	}
	then := Then(Spoken(met), r.OnRequest)
	if o.OneURL {
		then = slices.CompactFunc(then, Persona.same) // a person is asked for nothing twice
	}
	rest, err := r.startAll(ctx, then, len(first))
	all := append(met, rest...)
	if err != nil || ctx.Err() != nil || o.OneURL {
		return all, err
	}
	again, err := r.startAll(ctx, Again(all), len(all))
	for _, s := range again {
		if slices.ContainsFunc(all, func(o *Start) bool { return o.Persona.same(s.Persona) }) {
			s.Attempt, s.Transcript.Attempt = 2, 2
		}
	}
	return append(all, again...), err
}

// A runner is a run under way: its options, and what its starts share.
type runner struct {
	Options
	budget  *budget
	earlier *earlier // nil where each start has a URL of its own
}

func (r *runner) startAll(ctx context.Context, personas []Persona, before int) ([]*Start, error) {
	starts, errs := make([]*Start, len(personas)), make([]error, len(personas))
	places := make(chan struct{}, r.AtOnce)
	var group sync.WaitGroup
	for i, p := range personas {
		attempt := 1
		for _, earlier := range personas[:i] {
			if earlier.same(p) {
				attempt++
			}
		}
		meet := func() {
			if ctx.Err() != nil {
				return
			}
			m := Meeting{Persona: p, Number: before + i + 1}
			if before > 0 {
				m.Planned = before + len(personas)
			}
			starts[i], errs[i] = r.start(ctx, m, attempt)
			if r.Progress != nil {
				r.Progress(before+i+1, before+len(personas), p.Name)
			}
		}
		if r.AtOnce == 1 {
			meet() // in the order of the plan
			continue
		}
		group.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			meet()
		})
	}
	group.Wait()
	started := slices.DeleteFunc(starts, func(s *Start) bool { return s == nil })
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return started, errs[i] // the others say the same
	}
	return started, nil
}

// Spoken tells what a client spoke in some starts.
func Spoken(starts []*Start) Client {
	var c Client
	for _, s := range starts {
		for _, x := range s.Transcript.Exchanges {
			m := x.RequestMessage()
			c.Declares = append(c.Declares, capabilities(m)...)
			_, asTask := m.Pointer("/params/task")
			c.Tasks = c.Tasks || asTask || slices.Contains(c.Declares, "tasks")
			switch {
			case m.Method == "initialize":
				c.Legacy = true
				if c.Asked == "" {
					_ = m.Decode("/params/protocolVersion", &c.Asked) // what is no version is for the judges
				}
			case modernVersion(m) != "" && s.Persona.Name == "modern" && m.Method != "server/discover":
				c.Modern = true
			case m.HasMethod && modernVersion(m) == "":
				c.Other = true
			}
		}
	}
	return c
}

// capabilities are the names of those that a message declares.
func capabilities(m wire.Message) []string {
	var names []string
	for _, at := range []string{"/params/capabilities", "/params/_meta/io.modelcontextprotocol~1clientCapabilities"} {
		var declared map[string]json.RawMessage
		_ = m.Decode(at, &declared) // what is no object is for the judges
		names = append(names, slices.Sorted(maps.Keys(declared))...)
	}
	return names
}

// modernVersion is the version that a message names in its _meta, "" for those of the legacy era.
func modernVersion(m wire.Message) string {
	raw, ok := m.Pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion")
	var version string
	if !ok || json.Unmarshal(raw, &version) != nil {
		return ""
	}
	return version
}

// revisionOf is the revision that a conversation belongs to: the one that was agreed on. Where the server answered with one that nobody
// speaks it is the one that was asked for; where no initialize was served, the era of the persona decides.
func revisionOf(p Persona, t *wire.Transcript) string {
	known := func(v string) bool { return slices.Contains(refserver.Revisions(), v) }
	var asked, agreed, modern string
	opened := false
	for _, x := range t.Exchanges {
		m := x.RequestMessage()
		if i := slices.IndexFunc(m.Elements, func(e wire.Message) bool { return e.Method == "initialize" }); i >= 0 {
			m = m.Elements[i]
		}
		if m.Method == "initialize" {
			opened = true
			if answer, ok := x.Answer(); ok && agreed == "" {
				_ = answer.Decode("/result/protocolVersion", &agreed) // an error has none
			}
			if asked == "" {
				_ = m.Decode("/params/protocolVersion", &asked) // what is no version is for the judges
			}
		}
		if v := modernVersion(m); modern == "" && known(v) {
			modern = v
		}
	}
	switch {
	case known(agreed):
		return agreed
	case modern != "" && agreed == "" && (p.Profile.HasModern() || !opened):
		return modern
	case known(asked):
		return asked
	}
	legacy := refserver.LegacyRevisions()
	return legacy[len(legacy)-1]
}
