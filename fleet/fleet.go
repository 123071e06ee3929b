// Package fleet checks many servers in one run: so many at a time, each result in a file as soon as it is there, so that a run that was
// interrupted goes on where it was, and so that memory does not grow with the number of servers. What a check is, it is told.
package fleet

import (
	"context"
	"sync"
)

// Run calls check with 0 to n-1, in this order and so many at a time. When the context ends, nothing more begins; it returns how many were
// begun, once all of those have ended.
func Run(ctx context.Context, n, parallel int, check func(ctx context.Context, i int)) (begun int) {
	places := make(chan struct{}, max(parallel, 1))
	var under sync.WaitGroup
	defer under.Wait()
	for i := range n {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return i
		}
		under.Go(func() {
			defer func() { <-places }()
			check(ctx, i)
		})
	}
	return n
}
