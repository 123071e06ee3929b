package wire

import (
	"encoding/json"
	"sync"
	"unsafe"
)

// shelfSize bounds what a shelf keeps, in bytes of memory; one that is larger is kept alone, since whoever goes over its events asks for
// them at each.
const shelfSize = 16 << 20

// ownLimit is up to how many bytes of memory an exchange keeps what was derived from its body itself.
const ownLimit = 16 << 10

// A shelf keeps what was derived from some of the bodies of a run: judging asks for the messages of every exchange again and
// again, and to read a list of five megabytes anew takes a twentieth of a second. The zero value is empty.
type shelf struct {
	mu   sync.Mutex
	used int64
	kept map[*Exchange]*derived
	// contents are what large answers hold, once each; see contents.go.
	contents map[digest]json.RawMessage
	held     int64 // bytes of contents

	reading sync.Mutex // of a large body
}

// cost is about how much memory it takes.
func (d *derived) cost() int64 {
	cost := int64(len(d.events))*int64(unsafe.Sizeof(Event{})) + int64(len(d.messages))*int64(unsafe.Sizeof(Located{}))
	for i := range d.events {
		cost += int64(len(d.events[i].Raw) + len(d.events[i].Data))
	}
	for i := range d.messages {
		if d.messages[i].Event < 0 && d.messages[i].Batch < 0 {
			cost += int64(len(d.messages[i].raw))
		}
	}
	return cost
}

func (s *shelf) get(x *Exchange) *derived {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[x]
}

func (s *shelf) put(x *Exchange, d *derived) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.kept[x]; there {
		return
	}
	// Rules go over all exchanges in turn, where the one that was used longest ago is the one that is needed next: any other choice is
	// better, and a map makes one.
	for other, o := range s.kept {
		if s.used+d.size <= shelfSize {
			break
		}
		s.used -= o.size
		delete(s.kept, other)
	}
	if s.kept == nil {
		s.kept = map[*Exchange]*derived{}
	}
	s.used += d.size
	s.kept[x] = d
}

func (s *shelf) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept, s.used, s.contents, s.held = nil, 0, nil, 0
}
