package modern

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/sse"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// A stream is the event stream that answers a request. It is opened by the first thing that is sent on it, so that an error which comes
// before anything else can still choose its status.
type stream struct {
	x       *exchange
	outcome string
	ctx     context.Context // of the request

	mu     sync.Mutex
	opened bool
	over   bool
	spoke  time.Time // when something was sent last
}

func (st *stream) isOpen() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.opened
}

func (st *stream) isOver() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.over
}

// open writes the head; false where nothing can be sent (any more).
func (st *stream) open() bool {
	if st.over || st.ctx.Err() != nil && !st.opened {
		return false
	}
	if st.opened {
		return true
	}
	st.opened = true
	a := web.StreamAnswer(st.outcome, http.Header{})
	if st.x.HangsBeforeHead() || !st.x.Deviate(&a) {
		st.over = true
		return false
	}
	st.x.WriteHead(a)
	if a.Body != nil { // a deviation made it another answer
		_, _ = st.x.W.Write(a.Body)
		st.over = true
		return false
	}
	opening, _ := st.x.s.dev.Affixes(st.outcome, st.x.Scene())
	st.over = !st.x.Write([]byte(opening)) || st.x.HangsBeforeEvent()
	return !st.over
}

// emit sends a message. After the client has gone it does nothing: "MUST NOT send any further messages for it"
// (basic/transports/streamable-http#cancellation).
func (st *stream) emit(sc deviation.Scene, out jsonrpc.Outgoing) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, f := range st.x.s.dev.Frames(sc, out) {
		f, ok := st.x.s.dev.Event(sc, f)
		if !ok {
			continue
		}
		if f.Delay > 0 && !core.Sleep(st.ctx.Done(), f.Delay) {
			return
		}
		if !st.open() {
			return
		}
		if f.Close {
			st.over = true
			return
		}
		st.spoke = time.Now()
		st.over = !st.x.Write(st.x.s.dev.Format(sse.Event{Name: deviation.FrameMessage, Data: f.Data}, f))
	}
}

// finish sends what a deviation puts at the end; afterwards nothing is sent.
func (st *stream) finish() {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.over || !st.opened {
		return
	}
	st.over = true
	if _, ending := st.x.s.dev.Affixes(st.outcome, st.x.Scene()); ending != "" {
		_ = st.x.Write([]byte(ending))
	}
	if st.x.On(switchStaysOpen) {
		<-st.ctx.Done()
	}
}

// comment says that the stream is still there, if nothing else did for a while.
func (st *stream) comment() {
	if !st.mu.TryLock() {
		return // somebody is speaking, or made to hang while he does
	}
	defer st.mu.Unlock()
	if time.Since(st.spoke) < keepAliveEvery || !st.open() {
		return
	}
	st.spoke = time.Now()
	st.over = !st.x.Write([]byte(": keep-alive\n\n"))
}

// keepAlive sends comments while the stream is silent, until the returned function is called.
func (st *stream) keepAlive() (stop func()) {
	st.mu.Lock()
	st.spoke = time.Now()
	st.mu.Unlock()
	ctx, cancel := context.WithCancel(st.ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for core.Sleep(ctx.Done(), keepAliveEvery) {
			st.comment()
		}
	})
	return func() { cancel(); done.Wait() }
}
