package client

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// TestShared: never more are in flight than all may have, or one host; who waits for a busy host keeps nobody else out.
func TestShared(t *testing.T) {
	s := NewShared(6, 3, func(host string) int { return map[string]int{"busy": 1, "wide": 9}[host] })
	var all, busy, mostAll, mostBusy atomic.Int64
	raise := func(n, most *atomic.Int64) {
		now := n.Add(1)
		for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
		}
	}
	var wg sync.WaitGroup
	for i := range 60 {
		host := "wide"
		if i%2 == 0 {
			host = "busy"
		}
		wg.Go(func() {
			release, err := s.enter(t.Context(), host)
			if err != nil {
				t.Error(err)
				return
			}
			raise(&all, &mostAll)
			if host == "busy" {
				raise(&busy, &mostBusy)
				busy.Add(-1)
			}
			all.Add(-1)
			release()
			release() // may be called twice
		})
	}
	wg.Wait()
	if mostAll.Load() > 3 || mostBusy.Load() > 1 {
		t.Errorf("%d in flight, %d to one host", mostAll.Load(), mostBusy.Load())
	}

	first, _ := s.enter(t.Context(), "busy")
	ctx, cancel := context.WithCancelCause(t.Context())
	waiting := make(chan error, 1)
	go func() {
		_, err := s.enter(ctx, "busy")
		waiting <- err
	}()
	second, _ := s.enter(t.Context(), "wide")
	third, _ := s.enter(t.Context(), "wide") // the place that the one in line does not hold
	gone := errors.New("gone")
	cancel(gone)
	if err := <-waiting; !errors.Is(err, gone) {
		t.Errorf("who gave up got %v", err)
	}
	for _, release := range []func(){first, second, third} {
		release()
	}
	for range 3 { // nothing was lost
		if _, err := s.enter(t.Context(), "wide"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSharedMemory: what streams may take is divided among the clients that are at work at a time.
func TestSharedMemory(t *testing.T) {
	for clients, want := range map[int]bool{0: true, 1: true, 4: false} {
		b := budget{clients: clients}
		if got := b.hold(heldEvents / 2); got != want {
			t.Errorf("%d clients: half of the memory for one: %v", clients, got)
		}
	}
}
