package suites

import (
	"context"
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// Where a server answers nothing while GET streams are open, the run goes on with fewer of them, or without any.

// maxCrowd is how many streams are opened at most to find out how many are too many.
const maxCrowd = 16

// maxAccidents is after how many standstills that streams did not explain none is looked for any more.
const maxAccidents = 3

// unblock goes on after a standstill. It is false where nothing more can be seen.
func (r *recorder) unblock(ctx context.Context) bool {
	most := maxCrowd
	if r.oneByOne {
		most = 1
	}
	streams, opened := r.crowding(ctx, most)
	switch {
	case !opened:
		return false
	case streams == 0:
		// An accident; what was known before stays. Where it comes again, it is looked into again, a few times.
		r.accidents++
		r.client.StreamsLookedInto(r.tooMany, true, r.accidents < maxAccidents)
	case streams > 1:
		r.oneByOne, r.tooMany = true, streams
		r.client.StreamsOneByOne()
		r.client.StreamsLookedInto(streams, true, true)
	default:
		// Everything else can be looked at without a GET stream.
		r.withoutStreams = true
		r.client.StreamsLookedInto(streams, false, false)
	}
	return true
}

// crowding opens one GET stream after another, each in a session of its own, until a request is no longer answered, and returns how many
// there were then; 0 where all were answered, or where nothing is answered without the streams either. Opened is false where not even a
// first session could be opened.
func (r *recorder) crowding(ctx context.Context, most int) (streams int, opened bool) {
	// Eras in which every request stands for itself have no such streams.
	tracks := slices.DeleteFunc(r.plan.tracks(), func(t *Track) bool { return r.suite.era(t.Revision).Open == nil })
	if len(tracks) == 0 {
		return 0, true
	}
	s := &stage{recorder: r, track: tracks[len(tracks)-1]}
	within := client.WithTimeout(min(r.client.Timeout(), 2*time.Second+4*r.client.Latency()))
	var held []*client.Conversation
	defer func() {
		for _, c := range held {
			c.Finish()
		}
	}()
	open := func() (c *client.Conversation, served bool) {
		c = s.start(ctx, client.Script{Name: "streams", Attempt: len(held) + 1})
		held = append(held, c)
		return c, (&kit.C{Conversation: c, Era: s.era(), Revision: s.track.Revision}).Open(within).Served()
	}
	for n := 1; n <= most; n++ {
		c, served := open()
		if !served {
			return 0, n > 1
		}
		if !c.Get("get", within).Opened() {
			return 0, true
		}
		answered := func() bool { return c.Call("ping", "ping", within).Response != nil }
		alive := answered()
		if !alive {
			alive = answered() // one may be lost
		}
		if alive {
			continue
		}
		for _, c := range held {
			c.CloseStream("get")
		}
		if _, served := open(); !served {
			return 0, true
		}
		return n, true
	}
	return 0, true
}

// streams tells that a conversation can be held with the streams that are allowed by now.
func (r *recorder) streams(script *kit.Script) bool {
	if !r.withoutStreams {
		return !script.Beside
	}
	return script.Beside || !slices.ContainsFunc(script.Needs, func(n kit.Need) bool { return n.GetStream })
}

// giveUpStreams leaves out what was recorded of conversations that cannot be held any more, since they keep a stream open: what they wanted
// to show could not be looked at.
func (r *recorder) giveUpStreams(s *stage) {
	for _, script := range s.scripts {
		if !r.streams(script) && s.track.first(script.Name) != nil {
			s.track.leaveOut(script.Name)
		}
	}
}
