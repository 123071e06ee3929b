package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// interrupts decides what a signal does to this process. One who can go on without what is under way takes the next signal as the
// end of a context; otherwise a signal ends the process at once, after what was left to be cleaned up: a server that we started.
type interrupts struct {
	signals chan os.Signal
	kinds   []os.Signal

	mu      sync.Mutex
	cancel  context.CancelFunc // what the next signal does; nil: end
	cleanup map[int]func()
	last    int
}

// catchInterrupts puts the handler in force.
func catchInterrupts() *interrupts {
	i := &interrupts{signals: make(chan os.Signal, 4), kinds: endings(), cleanup: map[int]func(){}}
	i.arm()
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

// arm puts the handler in force again, after somebody reset what signals do: Ginkgo leaves its own behind, and package specs, which
// clears it away, cannot tell it from ours.
func (i *interrupts) arm() { signal.Notify(i.signals, i.kinds...) }

// stop gives the signals back.
func (i *interrupts) stop() {
	signal.Stop(i.signals)
	close(i.signals)
}

func (i *interrupts) handle() {
	for range i.signals {
		i.mu.Lock()
		cancel := i.cancel
		i.cancel = nil
		i.mu.Unlock()
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
	defer i.mu.Unlock()
	for _, f := range i.cleanup {
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
