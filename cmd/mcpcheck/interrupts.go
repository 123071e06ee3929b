package main

import (
	"context"
	"maps"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
)

// interrupts decides what a signal does to this process. One who can go on without what is under way takes the next signal as the
// end of a context; otherwise a signal ends the process at once, after what was left to be cleaned up: a server that we started.
type interrupts struct {
	signals chan os.Signal
	kinds   []os.Signal
	// hurry is closed by the first signal: somebody waits for the process to end.
	hurry chan struct{}

	mu      sync.Mutex
	cancel  context.CancelFunc // what the next signal does; nil: end
	cleanup map[int]func()
	last    int
}

// catchInterrupts puts the handler in force.
func catchInterrupts() *interrupts {
	i := &interrupts{signals: make(chan os.Signal, 4), kinds: endings(), hurry: make(chan struct{}), cleanup: map[int]func(){}}
	signal.Notify(i.signals, i.kinds...)
	go i.handle()
	return i
}

// endings are the signals that end a run in good order. Under nohup a lost terminal is none.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// stop gives the signals back, from what Ginkgo has left behind as well.
func (i *interrupts) stop() {
	signal.Reset(i.kinds...)
	close(i.signals)
}

func (i *interrupts) handle() {
	var once sync.Once
	for range i.signals {
		i.mu.Lock()
		cancel := i.cancel
		i.cancel = nil
		i.mu.Unlock()
		once.Do(func() { close(i.hurry) })
		if cancel != nil {
			cancel()
			continue
		}
		i.clean()
		os.Exit(exitInterrupted)
	}
}

func (i *interrupts) clean() {
	i.mu.Lock()
	left := slices.Collect(maps.Values(i.cleanup))
	i.mu.Unlock()
	for _, f := range left {
		f()
	}
}

// context ends with the next signal, which does nothing else. Once it is released, a signal ends the process again.
func (i *interrupts) context() (ctx context.Context, release func()) {
	ctx, cancel := context.WithCancel(context.Background())
	i.mu.Lock()
	defer i.mu.Unlock()
	i.cancel = cancel
	return ctx, func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.cancel = nil
	}
}

// onExit has something done before a signal ends the process, until it is forgotten.
func (i *interrupts) onExit(f func()) (forget func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.last++
	key := i.last
	i.cleanup[key] = f
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		delete(i.cleanup, key)
	}
}
