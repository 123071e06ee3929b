package wire

import "sync"

// shelfSize bounds what a shelf keeps, in bytes of bodies.
const shelfSize = 96 << 20

// A shelf keeps what was derived from some of the large bodies of a run: judging asks for the messages of every exchange again and
// again, and to read a list of five megabytes anew takes a twentieth of a second. The zero value is empty.
type shelf struct {
	mu   sync.Mutex
	used int64
	kept map[*Exchange]shelved
}

type shelved struct {
	d    *derived
	cost int64
}

func (s *shelf) get(x *Exchange) *derived {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[x].d
}

func (s *shelf) put(x *Exchange, d *derived) {
	cost := x.Response.Body.Size()
	if len(d.events) > 0 {
		cost *= 3 // the bytes, the data of the events, and the messages in them
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.kept[x]; there || cost > shelfSize {
		return
	}
	// Rules go over all exchanges in turn, where the one that was used longest ago is the one that is needed next: any other choice is
	// better, and a map makes one.
	for other, o := range s.kept {
		if s.used+cost <= shelfSize {
			break
		}
		s.used -= o.cost
		delete(s.kept, other)
	}
	if s.kept == nil {
		s.kept = map[*Exchange]shelved{}
	}
	s.used += cost
	s.kept[x] = shelved{d, cost}
}

func (s *shelf) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept, s.used = nil, 0
}
