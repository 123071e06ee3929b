package clients

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func cachingModern(s *kit.Section) {
	s.Passive("modern.client.caching.ttl-not-polling", doesNotPollByTTL)
	s.Passive("modern.client.caching.poll-jitter", pollsWithJitter)
	s.Passive("modern.client.caching.fresh-may-be-used", fetchesFresh)
}

// repeats are requests for one list, without a cursor, that follow one another in a conversation: who lists between other requests does not
// poll.
func repeats(tr *wire.Transcript) [][]*wire.Exchange {
	var all [][]*wire.Exchange
	last := ""
	for _, x := range tr.Exchanges {
		m := x.RequestMessage()
		if !isModern(m) || !isRequest(m) {
			continue
		}
		switch isList := strings.HasSuffix(m.Method, "/list") && !hasCursor(m); {
		case isList && m.Method == last:
			all[len(all)-1] = append(all[len(all)-1], x)
		case isList:
			all = append(all, []*wire.Exchange{x})
		}
		if last = m.Method; hasCursor(m) {
			last = ""
		}
	}
	return all
}

// ttlOf is how long a result may be kept, negative where it does not say.
func ttlOf(x *wire.Exchange) time.Duration {
	var ms float64
	m, _ := x.Answer()
	if m.Decode("/result/ttlMs", &ms) != nil {
		return -1
	}
	return time.Duration(ms) * time.Millisecond
}

// fewPolls is how many requests at even distances are no chance any more.
const fewPolls = 3

// doesNotPollByTTL: how long a result may be kept is no rhythm.
func doesNotPollByTTL(t *kit.T) {
	const expected = "no list requests at the distance of ttlMs"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client was not left alone for longer than a ttlMs: have it stay idle for a minute")
	for _, tr := range t.Transcripts() {
		for _, requests := range repeats(tr) {
			polls := 0
			for i := 1; i < len(requests); i++ {
				ttl, gap := ttlOf(requests[i-1]), requests[i].Sent-requests[i-1].Sent
				if ttl > 0 && math.Abs(float64(gap-ttl)) < float64(ttl)/5 {
					polls++
				}
			}
			if polls >= fewPolls {
				t.Warn(requests[1], expected, fmt.Sprintf("%d requests, each about ttlMs after the one before", polls))
			} else if ttl := ttlOf(requests[0]); ttl > 0 && tr.Duration-requests[0].End > fewPolls*ttl {
				t.Saw()
			}
		}
	}
}

// manyPolls is how many requests show that their distance is always the same.
const manyPolls = 5

func pollsWithJitter(t *kit.T) {
	const expected = "polls at distances that vary"
	t.Says(expected)
	for _, tr := range t.Transcripts() {
		for _, requests := range repeats(tr) {
			if len(requests) < manyPolls {
				continue
			}
			least, most := time.Duration(math.MaxInt64), time.Duration(0)
			for i := 1; i < len(requests); i++ {
				gap := requests[i].Sent - requests[i-1].Sent
				least, most = min(least, gap), max(most, gap)
			}
			switch {
			case least < 200*time.Millisecond: // one after another, which is no polling
			case float64(most-least) <= float64(least)/50:
				t.Breach(requests[1], expected, fmt.Sprintf("%d requests, %v apart each", len(requests), least.Round(time.Millisecond)))
			default:
				t.Saw()
			}
		}
	}
	if !t.Observed() {
		t.NotApplicable("the client does not poll")
	}
}

// fetchesFresh tells how a client uses what it may keep: not to keep it is right too.
func fetchesFresh(t *kit.T) {
	t.Says("a result kept for ttlMs, or fetched again")
	t.Unseen(kit.Unprovoked, "the client listed nothing that it may keep")
	for _, tr := range t.Transcripts() {
		for _, requests := range repeats(tr) {
			if ttl := ttlOf(requests[0]); ttl > 0 {
				t.OK(requests[0], "%s was sent %d times running", requests[0].RequestMessage().Method, len(requests))
			}
		}
	}
}
