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

// alone holds them when everything else was recorded, each in all revisions at once.
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
	for _, s := range stages {
		s.borrow(kit.Sharing.IsAlone)
	}
	r.together(ctx, stages, scripts)
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

// A lone conversation is one of those that are held together.
type lone struct {
	stage  *stage
	script *kit.Script
	held   *wire.Transcript
}

// together records scripts in all revisions at once. Where a request like any client's is refused in one of these conversations, they may have
// been in each other's way: then all are held one after another.
func (r *recorder) together(ctx context.Context, stages []*stage, scripts []*kit.Script) {
	var all []*lone
	for _, k := range scripts {
		for _, s := range stages {
			if slices.Contains(s.planned(), k) {
				all = append(all, &lone{stage: s, script: k})
			}
		}
	}
	if !r.plan.Serial && !r.narrow(stages) {
		var wg sync.WaitGroup
		for _, l := range all {
			wg.Go(func() { l.held = l.stage.script(ctx, l.script, 1) })
		}
		wg.Wait()
	}
	crossed := len(all) > 1 && slices.ContainsFunc(all, func(l *lone) bool { return l.held != nil && refused(l.held) })
	for _, l := range all {
		if l.held != nil && crossed {
			l.stage.lose(l.held)
			l.held = nil
		}
		if l.held == nil {
			l.held = l.stage.script(ctx, l.script, 1)
		}
		if l.held != nil {
			l.stage.track.First = append(l.stage.track.First, l.held)
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
