package mock

import (
	"encoding/json"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

const (
	// holding is how long the answer to a call is held back for answers to what the server asked on the same stream: a client that has
	// gone on cannot be told from one that does not answer.
	holding = 3 * time.Second
	// thinking is the same where a person or a model has to answer: less than the minute after which clients give up on a call.
	thinking = 50 * time.Second
)

// hold looks at what is about to be written to a stream of events. Requests of the server are remembered; a response waits until they are
// answered, or the time is up, or the client is gone.
func (r *recorder) hold(p []byte, gone <-chan struct{}) {
	response := false
	for _, e := range wire.Decode(p) {
		if !e.Dispatched || e.Data == "" {
			continue
		}
		for _, m := range wire.Locate(nil, e.Message(), 0, 0) {
			switch m.Kind {
			case wire.KindRequest:
				r.mu.Lock()
				r.asked[string(m.ID)] = true
				r.mu.Unlock()
			case wire.KindNotification:
				if id, _ := m.Pointer("/params/requestId"); m.Method == "notifications/cancelled" {
					r.settled(id) // nobody waits for it any more
				}
			case wire.KindResult, wire.KindError:
				response = true
			}
		}
	}
	if response {
		r.wait(gone)
	}
}

func (r *recorder) wait(gone <-chan struct{}) {
	patience := holding
	if len(r.asks) > 0 {
		patience = thinking
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		r.mu.Lock()
		open, told := len(r.asked), r.told
		r.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-told:
		case <-timer.C:
			r.mu.Lock()
			clear(r.asked) // nobody waits for them any more
			r.mu.Unlock()
			return
		case <-gone:
			return
		}
	}
}

// answered notes that the client has answered what the server asked.
func (r *recorder) answered(m wire.Message) {
	for _, e := range wire.Locate(nil, m, 0, 0) {
		if e.HasMethod || !e.HasID {
			continue
		}
		r.settled(e.ID)
	}
}

// settled: what the server asked with an id needs no answer any more.
func (r *recorder) settled(id json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked[string(id)] {
		delete(r.asked, string(id))
		close(r.told)
		r.told = make(chan struct{})
	}
}
