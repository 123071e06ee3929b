package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
)

// What large answers hold. A list of five megabytes comes sixty times in a run, and is the same each time but for the id: a run keeps it
// once, and reads the rest of such a message anew when somebody asks for it.

const (
	// maxContents bounds the bytes of what large answers hold, each content counted once.
	maxContents = 40 << 20
	// smallContent is up to how many bytes a value is copied and not looked for among those that are there.
	smallContent = 1 << 10
	// smallMessage is up to how many bytes a message keeps its own text.
	smallMessage = 256
)

type digest = [sha256.Size]byte

// A source says where a message stood that does not keep its own bytes.
type source struct {
	x            *Exchange
	event, batch int   // as in Located
	from, to     int64 // of the event in the body; to is 0 where the body has a content coding
}

// Raw is the JSON text of the message. Where the message is large it is read anew with each call.
func (m Message) Raw() json.RawMessage {
	s := m.source
	if m.raw != nil || s.x == nil {
		return m.raw
	}
	var body []byte
	switch {
	case s.event >= 0 && s.to > 0:
		// Of a stream with many events only the one is read.
		if events := Decode(s.x.Response.Body.part(s.from, s.to)); len(events) > 0 {
			body = []byte(events[0].Data)
		}
	case s.event >= 0:
		if events := s.x.Events(); s.event < len(events) {
			body = []byte(events[s.event].Data)
		}
	default:
		body, _ = s.x.Decoded()
	}
	switch {
	case s.batch >= 0:
		if whole := ReadMessage(body); s.batch < len(whole.Elements) {
			return whole.Elements[s.batch].raw
		}
		return nil
	case m.Kind == KindNotJSON:
		return body
	}
	return trimJSON(body)
}

// Digest is the same for messages of the same text, and for no others.
func (m Message) Digest() string {
	sum := sha256.Sum256(m.Raw())
	return string(sum[:])
}

// lighten makes the messages of a large answer small: what they hold is kept once for all answers that hold the same. It tells what the
// run has no room for; then it has kept nothing.
func (s *shelf) lighten(x *Exchange, d *derived, plain bool) string {
	var fresh []digest
	room := true
	hold := func(value json.RawMessage) json.RawMessage {
		if len(value) <= smallContent {
			return bytes.Clone(value)
		}
		sum := sha256.Sum256(value)
		s.mu.Lock()
		defer s.mu.Unlock()
		if kept, there := s.contents[sum]; there {
			return kept
		}
		if s.held+int64(len(value)) > maxContents {
			room = false
			return nil
		}
		if s.contents == nil {
			s.contents = map[digest]json.RawMessage{}
		}
		kept := bytes.Clone(value)
		s.contents[sum] = kept
		s.held += int64(len(kept))
		fresh = append(fresh, sum)
		return kept
	}
	for i := range d.messages {
		m := &d.messages[i]
		m.ID, m.Version, m.Params, m.Result, m.Error = hold(m.ID), hold(m.Version), hold(m.Params), hold(m.Result), hold(m.Error)
		m.Method, m.Problem = strings.Clone(m.Method), strings.Clone(m.Problem)
		if len(m.raw) <= smallMessage {
			m.raw = bytes.Clone(m.raw)
		} else {
			m.source, m.raw = source{x: x, event: m.Event, batch: m.Batch}, nil
			if plain && m.Event >= 0 {
				m.source.from, m.source.to = d.events[m.Event].Offset, d.events[m.Event].End
			}
		}
		if !room {
			s.drop(fresh)
			return fmt.Sprintf("the large answers of the run hold more than %d MiB", maxContents>>20)
		}
	}
	return ""
}

// drop lets go of contents that nothing refers to.
func (s *shelf) drop(sums []digest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sum := range sums {
		s.held -= int64(len(s.contents[sum]))
		delete(s.contents, sum)
	}
}

// Excess tells what is in an answer that has ended which a run has no room for, in a phrase; "" where there is nothing of the kind. Such an
// answer is to be cut: looked at in part it would prove nothing.
func (x *Exchange) Excess() string { return x.derive().excess }

const (
	// maxItems bounds a list: every item is judged by itself, by dozens of rules.
	maxItems = 10_000
	// maxValues bounds the JSON values of a message: read into memory, each takes many times its bytes.
	maxValues = 500_000
)

// excess tells what messages hold too many of. Few bytes cannot.
func excess(messages []Located, size int) string {
	for _, m := range messages {
		if m.Batch == maxBatch-1 && size > maxBatch {
			return fmt.Sprintf("a batch of %d messages or more", maxBatch)
		}
		if m.Kind == KindNotJSON || len(m.raw) <= maxItems {
			continue
		}
		if values(m.raw) > maxValues {
			return fmt.Sprintf("more than %d JSON values in a message", maxValues)
		}
		long := false
		Members(m.Result, func(_ string, member json.RawMessage) bool {
			if TypeOf(member) == "array" {
				n := 0
				eachElement(member, func(json.RawMessage) bool { n++; return n <= maxItems })
				long = n > maxItems
			}
			return !long
		})
		if long {
			return fmt.Sprintf("a list of more than %d items", maxItems)
		}
	}
	return ""
}

// values is how many values a JSON text has at most.
func values(text []byte) int {
	n := 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = skipString(text, i) - 1
		case ',', '[', '{':
			n++
		}
	}
	return n
}
