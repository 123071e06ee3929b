package suites

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Conversations that may end a server are held when everything else is over, once for all revisions of a transport: in the newest. The
// others borrow what was recorded there, as they do where messages carry no revision.

// A lane holds the deadly conversations of a track, one after another.
type lane struct {
	stage   *stage
	scripts []*kit.Script
}

// deadly holds them, and confirms what they show. Where the server ended and we started it, it is started again and asked once more: a
// death that repeats itself is a finding. Where somebody else started it, nothing more can be seen.
func (r *recorder) deadly(ctx context.Context, record *Record) {
	var lanes []lane
	for _, track := range record.Tracks {
		if record.lender(track) != track {
			continue
		}
		s := &stage{recorder: r, track: track, scripts: r.scripts(track), facts: r.suite.era(track.Revision).Facts(track.First[0], r.plan.given())}
		scripts := slices.DeleteFunc(s.planned(), func(k *kit.Script) bool { return k.Sharing != kit.Deadly })
		lanes = append(lanes, lane{s, scripts})
	}
	if r.besideOneAnother(ctx, lanes) || r.inARow(ctx, lanes) {
		if r.client.Halted() == nil {
			r.confirm(ctx, record)
		}
	}
}

// besideOneAnother holds the lanes at the same time: most servers survive all of it. It is false where nothing was shown: of two conversations
// it cannot be told which one ended a server.
func (r *recorder) besideOneAnother(ctx context.Context, lanes []lane) bool {
	if len(lanes) < 2 || r.plan.Serial || r.client.Concurrency() < len(lanes) {
		return false
	}
	held := make([][]*wire.Transcript, len(lanes))
	var wg sync.WaitGroup
	for i, l := range lanes {
		wg.Go(func() {
			for _, script := range l.scripts {
				if t := l.stage.script(ctx, script, 1); t != nil {
					held[i] = append(held[i], t)
				}
			}
		})
	}
	wg.Wait()
	restarts := r.restarts
	again := r.client.Halted() != nil && r.recover(ctx)
	if again {
		r.restarts = restarts // that it ended is found out anew
	}
	for i, l := range lanes {
		for _, t := range held[i] {
			if again {
				l.stage.lose(t)
				continue
			}
			l.stage.track.First = append(l.stage.track.First, t)
		}
	}
	return !again
}

// inARow holds the lanes one after another; false where the server ended for good.
func (r *recorder) inARow(ctx context.Context, lanes []lane) bool {
	for _, l := range lanes {
		track := l.stage.track
		for _, script := range l.scripts {
			t := l.stage.script(ctx, script, 1)
			if t == nil {
				return false
			}
			track.First = append(track.First, t)
			if !r.died(t) {
				continue
			}
			if !r.recover(ctx) {
				return false
			}
			if again := l.stage.script(ctx, script, 2); again != nil {
				track.Again[script.Name] = again
				if r.died(again) && !r.recover(ctx) {
					return false
				}
			}
		}
	}
	return true
}

// died tells whether the server ended in a conversation, and notes how where we know.
func (r *recorder) died(t *wire.Transcript) bool {
	trouble := r.client.Halted()
	if trouble == nil || trouble.Kind != client.Gone {
		return false
	}
	if r.child != nil {
		if how, ended := r.child.Ended(); ended {
			t.Died = strings.TrimPrefix(how, "it ended with ")
		}
	}
	return true
}

// lender is the track by whose conversations that are held once for all a track is judged: the newest of its era and transport.
func (r *Record) lender(of *Track) *Track { return lender(r.Tracks, of) }

func lender(tracks []*Track, of *Track) *Track {
	for _, t := range slices.Backward(tracks) {
		if t.Transport == of.Transport && sameEra(t.Revision, of.Revision) {
			return t
		}
	}
	return of
}

// elsewhere tells that a conversation is held in another revision for this one too.
func (s *stage) elsewhere(script *kit.Script) bool {
	return script.Everywhere() && lender(s.recorder.plan.tracks(), s.track).Revision != s.track.Revision
}

func sameEra(a, b string) bool {
	of, _ := revision.EraOf(a)
	other, _ := revision.EraOf(b)
	return of == other
}

// borrowed are the conversations that a track is judged by and did not hold itself.
func (r *Record) borrowed(suite *Suite, track *Track) (first []*wire.Transcript, again map[string]*wire.Transcript) {
	lender := r.lender(track)
	if lender == track {
		return track.First, track.Again
	}
	first, again = slices.Clone(track.First), map[string]*wire.Transcript{}
	for name, t := range track.Again {
		again[name] = t
	}
	for _, t := range lender.First {
		if suite.once(r.Plan, t.Script) && track.first(t.Script) == nil {
			first = append(first, t)
			if repeated := lender.Again[t.Script]; repeated != nil {
				again[t.Script] = repeated
			}
		}
	}
	return first, again
}

// careful makes conversations deadly that are where a method that it does not know ends the server.
func (p Plan) careful(scripts []*kit.Script) []*kit.Script {
	if !p.Frail {
		return scripts
	}
	scripts = slices.Clone(scripts)
	for i, k := range scripts {
		if k.Foreign {
			deadly := *k
			deadly.Sharing = kit.Deadly
			scripts[i] = &deadly
		}
	}
	return scripts
}

// once tells that a conversation is held in one revision for all: one that may end a server, or whose messages carry no revision.
func (s *Suite) once(p Plan, script string) bool {
	return slices.ContainsFunc(s.scripts, func(k *kit.Script) bool {
		return k.Name == script && (k.Everywhere() || p.Frail && k.Foreign)
	})
}
