package suites

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Conversations that no other kind may run beside are short and few, and each round trip of theirs is one of the whole run.

// alone holds them when everything else was recorded, one script after another, each in all revisions at once.
func (r *recorder) alone(ctx context.Context, stages []*stage) {
	var scripts []*kit.Script
	for _, s := range stages {
		for _, k := range s.planned() {
			if k.Sharing == kit.Alone && !slices.Contains(scripts, k) {
				scripts = append(scripts, k)
			}
		}
	}
	// What spends a session comes after what leaves it.
	slices.SortStableFunc(scripts, func(a, b *kit.Script) int { return cmp.Compare(turn(a), turn(b)) })
	for _, k := range scripts {
		r.together(ctx, stages, k)
	}
	// Bad tokens may make a server lock a client out.
	for _, s := range stages {
		s.oneByOne(ctx, func(k kit.Sharing) bool { return k == kit.BareAlone })
	}
	// Where one revision is recorded, its deadly conversations go on in the session that is left.
	deadly := func(s *stage) bool {
		return slices.ContainsFunc(s.planned(), func(k *kit.Script) bool { return k.Sharing == kit.Deadly && s.lends(k, 1) && !s.forAll(k) })
	}
	if !slices.ContainsFunc(stages, deadly) {
		r.client.EndIdle(ctx)
	}
}

// together records a script in all revisions at once. Where a request like any client's is refused in one of them, they may have been in
// each other's way: then it is recorded in one revision after another.
func (r *recorder) together(ctx context.Context, stages []*stage, script *kit.Script) {
	stages = slices.DeleteFunc(slices.Clone(stages), func(s *stage) bool { return !slices.Contains(s.planned(), script) })
	held := make([]*wire.Transcript, len(stages))
	if !r.plan.Serial && !r.narrow(stages) {
		var wg sync.WaitGroup
		for i, s := range stages {
			wg.Go(func() { held[i] = s.script(ctx, script, 1) })
		}
		wg.Wait()
	}
	crossed := len(stages) > 1 && slices.ContainsFunc(held, func(t *wire.Transcript) bool { return t != nil && refused(t) })
	for i, s := range stages {
		if t := held[i]; t != nil && crossed {
			s.lose(t)
			held[i] = nil
		}
		if held[i] == nil {
			held[i] = s.script(ctx, script, 1)
		}
		if held[i] != nil {
			s.track.First = append(s.track.First, held[i])
		}
	}
}

// refused tells that a conversation met a refusal, or silence, that none of its own requests asked for.
func refused(t *wire.Transcript) bool {
	return t.Aborted != "" || slices.ContainsFunc(t.Exchanges, func(x *wire.Exchange) bool {
		sent := x.RequestMessage()
		return x.Broken == "" && !x.Origin.Automatic() && sent.Method != "" && (x.Status()/100 != 2 || sent.Kind == wire.KindRequest && !x.Served())
	})
}
