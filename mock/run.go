package mock

import (
	"context"
	"encoding/json"
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
	// Limit is how long one start may take; 0 means 30 seconds.
	Limit time.Duration
	// AtOnce is how many starts run at a time; 0 means four.
	AtOnce int
	// Listen opens the port of a start; nil means one on loopback that is free.
	Listen func() (net.Listener, error)
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
	if o.Listen == nil {
		o.Listen = func() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }
	}
	first, err := startAll(ctx, o, First(), 0)
	if err != nil || ctx.Err() != nil {
		return first, err
	}
	rest, err := startAll(ctx, o, Then(Spoken(first)), len(first))
	all := append(first, rest...)
	if err != nil || ctx.Err() != nil {
		return all, err
	}
	again, err := startAll(ctx, o, Again(all), len(all))
	for _, s := range again {
		if slices.ContainsFunc(all, func(o *Start) bool { return o.Persona.Name == s.Persona.Name }) {
			s.Attempt, s.Transcript.Attempt = 2, 2
		}
	}
	return append(all, again...), err
}

func startAll(ctx context.Context, o Options, personas []Persona, before int) ([]*Start, error) {
	starts, errs := make([]*Start, len(personas)), make([]error, len(personas))
	places := make(chan struct{}, o.AtOnce)
	var group sync.WaitGroup
	for i, p := range personas {
		attempt := 1
		for _, earlier := range personas[:i] {
			if earlier.Name == p.Name {
				attempt++
			}
		}
		group.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			if ctx.Err() != nil {
				return
			}
			starts[i], errs[i] = start(ctx, o, p, attempt)
			if o.Progress != nil {
				o.Progress(before+i+1, before+len(personas), p.Name)
			}
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
			switch m := x.RequestMessage(); {
			case m.Method == "initialize":
				c.Legacy = true
				if c.Asked == "" {
					_ = m.Decode("/params/protocolVersion", &c.Asked) // what is no version is for the judges
				}
			case modernVersion(m) != "" && s.Persona.Name == "modern" && m.Method != "server/discover":
				c.Modern = true
			}
		}
	}
	return c
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
