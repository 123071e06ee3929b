package legacy

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
)

// A link is one client of HTTP+SSE, the transport of 2024-11-05: a stream, and the id by which its POSTs are told from those
// of others. It lasts as long as the connection of the stream (2024-11-05: basic/transports#http-with-sse).
type link struct {
	id      string
	ctx     context.Context // done when the stream has ended
	cancel  context.CancelFunc
	log     *eventLog               // of one stream
	session atomic.Pointer[session] // nil before initialize
	told    atomic.Bool             // the endpoint event was sent
}

// stream is where everything goes that the server has to say.
func (l *link) stream() *stream { return l.log.standalone }

// links are the clients of HTTP+SSE that there are, and the ids of those that have gone.
type links struct {
	ctx context.Context

	mu     sync.Mutex
	live   []*link  // oldest first
	closed []string // oldest first
	count  int
}

// open makes a link. generate makes its id, which cannot be guessed: whoever knows it can speak in the name of the client.
func (ls *links) open(sc deviation.Scene, generate func(n int) string) *link {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.count++
	l := &link{id: generate(ls.count)}
	l.ctx, l.cancel = context.WithCancel(ls.ctx)
	l.log = &eventLog{link: l}
	l.log.openStandalone(sc, true)
	ls.live = append(ls.live, l)
	return l
}

// get returns the link with an id; the newest, where a deviation gave one id to several.
func (ls *links) get(id string) *link {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for _, l := range slices.Backward(ls.live) {
		if l.id == id {
			return l
		}
	}
	return nil
}

// wasClosed tells whether there was a link with that id.
func (ls *links) wasClosed(id string) bool {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	return slices.Contains(ls.closed, id)
}

// close ends a link: its calls are cancelled and its stream is finished.
func (ls *links) close(l *link) {
	l.cancel()
	l.stream().finish()
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.live = slices.DeleteFunc(ls.live, func(o *link) bool { return o == l })
	ls.closed = append(ls.closed, l.id)
	if len(ls.closed) > maxEnded {
		ls.closed = ls.closed[1:]
	}
}

// others returns the links but one that know their endpoint, the newest first.
func (ls *links) others(but *link) []*link {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	others := slices.DeleteFunc(slices.Clone(ls.live), func(o *link) bool { return o == but || !o.told.Load() })
	slices.Reverse(others)
	return others
}

func (ls *links) ids() []string {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	var ids []string
	for _, l := range ls.live {
		ids = append(ids, l.id)
	}
	return ids
}
