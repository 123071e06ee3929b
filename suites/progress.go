package suites

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
)

// Progress tells how far a run is; Total may still grow, and is 0 while no conversations are counted.
type Progress struct {
	// Phase is "survey", "inventory", "recording" or "confirming".
	Phase       string
	Done, Total int
	// Waiting names the request that has been under way longest, Waited says for how long.
	Waiting string
	Waited  time.Duration
	// Left is about how long the run will still take, where the server is slow or allows only a pace; 0 where that is not known.
	Left time.Duration
}

const (
	phaseSurvey     = "survey"
	phaseInventory  = "inventory"
	phaseRecording  = "recording"
	phaseConfirming = "confirming"
)

// repeatEvery is how often progress is told while nothing happens.
const repeatEvery = 100 * time.Millisecond

// A watch tells the progress of a run: at once when something happens, and again and again when nothing does, with what is waited for.
type watch struct {
	tell   func(Progress)
	client atomic.Pointer[client.Client]
	ended  chan struct{}
	wg     sync.WaitGroup

	mu   sync.Mutex
	last Progress
}

// newWatch starts telling; without anybody to tell, nothing happens.
func newWatch(tell func(Progress)) *watch {
	w := &watch{tell: tell, ended: make(chan struct{})}
	if tell != nil {
		w.wg.Go(w.repeat)
	}
	return w
}

func (w *watch) repeat() {
	ticker := time.NewTicker(repeatEvery)
	defer ticker.Stop()
	for {
		select {
		case <-w.ended:
			return
		case <-ticker.C:
			w.emit()
		}
	}
}

func (w *watch) show(p Progress) {
	w.mu.Lock()
	w.last = p
	w.mu.Unlock()
	w.emit()
}

// emit tells the last progress, with what is waited for now.
func (w *watch) emit() {
	if w.tell == nil {
		return
	}
	w.mu.Lock()
	p := w.last
	w.mu.Unlock()
	if c := w.client.Load(); c != nil {
		if what, since := c.Waiting(); what != "" {
			p.Waiting, p.Waited = what, time.Since(since)
		}
	}
	w.tell(p)
}

// stop ends the telling: nothing is told after it.
func (w *watch) stop() {
	close(w.ended)
	w.wg.Wait()
}
