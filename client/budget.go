package client

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A budget bounds what the answers of a whole run take in memory while they are read; what one may have is for Limits, and what is kept
// of those that are complete for wire.Scratch. Beyond it the answer at hand is cut.
type budget struct {
	mu     sync.Mutex
	events int64         // bytes of the events of streams that scripts hold
	large  int           // events beyond largeEvent that are being read
	freed  chan struct{} // closed when one of those has been read
	kept   int64         // bytes of memory for what is kept to be judged of answers with long heads or many messages
	cuts   int
}

const (
	// heldEvents bounds the memory of the events of held streams.
	heldEvents = 24 << 20
	// largeEvent is from where on an event counts as large, maxLarge how many of those are read at a time.
	largeEvent, maxLarge = 1 << 20, 2
	// generous is how many answers may reach the limits before they become those of Limits.spare.
	generous               = 16
	spareBody, spareEvents = 1 << 20, 1_000
	// maxKept bounds what is kept of heads that have more than spareHead bytes, and of messages beyond the first freeMessages of each answer.
	maxKept                 = 84 << 20
	spareHead, freeMessages = 16 << 10, 50
	// eventOverhead is what an event takes beside its bytes.
	eventOverhead = 400
)

// limits are those for an answer that begins now.
func (b *budget) limits(l Limits) Limits {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cuts >= generous || b.kept >= maxKept {
		l = l.spare()
	}
	if b.kept >= maxKept {
		l.Header = min(l.Header, spareHead)
	}
	return l
}

// event takes the n-th event of a stream; false where the run has had enough of those that are one of many.
func (b *budget) event(n int) bool { return n <= freeMessages || b.more(1) }

// batch takes the messages of a body; false where the run has had enough.
func (b *budget) batch(n int) bool { return n <= freeMessages || b.more(n-freeMessages) }

func (b *budget) more(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kept += int64(n) * eventOverhead
	return b.kept <= maxKept
}

// head takes the head of an answer.
func (b *budget) head(size int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if size > spareHead {
		b.kept += int64(size)
	}
}

// cut counts an answer that was cut off and returns how many there were.
func (b *budget) cut() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cuts++
	return b.cuts
}

// eventCost is about the memory that an event takes.
func eventCost(e wire.Event) int64 { return int64(len(e.Raw)+len(e.Data)) + eventOverhead }

// hold takes memory for an event of a held stream; false where there is none left.
func (b *budget) hold(cost int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.events+cost > heldEvents {
		return false
	}
	b.events += cost
	return true
}

// release gives back what hold took.
func (b *budget) release(cost int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events -= cost
}

// enter waits until a large event may be read, for half the time that its answer may take.
func (b *budget) enter(ctx context.Context, patience time.Duration) error {
	timer := time.NewTimer(patience / 2)
	defer timer.Stop()
	for {
		b.mu.Lock()
		if b.large < maxLarge {
			b.large++
			b.mu.Unlock()
			return nil
		}
		if b.freed == nil {
			b.freed = make(chan struct{})
		}
		freed := b.freed
		b.mu.Unlock()
		select {
		case <-freed:
		case <-timer.C:
			return fmt.Errorf("%w: too many events of more than %d MiB at a time", errLimit, largeEvent>>20)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (b *budget) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.large--
	if b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
}
