package deviation

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// A Deviator puts a Deviation into effect. Each method does nothing at all in a nil deviator, which is what a conforming
// server has.
type Deviator struct {
	Deviation
	counts []atomic.Int64 // how often each edit could have worked
}

// New checks a deviation against the words that the server knows. The deviator of a nil deviation is nil.
func New(d *Deviation, words Vocabulary) (*Deviator, error) {
	if d == nil {
		return nil, nil
	}
	if err := d.validate(words); err != nil {
		return nil, fmt.Errorf("deviation: %w", err)
	}
	return &Deviator{Deviation: *d, counts: make([]atomic.Int64, len(d.Edits))}, nil
}

// Has tells whether a switch is thrown somewhere; where is for Applies.
func (v *Deviator) Has(s *Switch) bool { return v != nil && slices.Contains(v.Switches, s.Name) }

// On tells whether a switch is thrown in a scene.
func (v *Deviator) On(s *Switch, sc Scene) bool { return v.Has(s) && v.Applies(sc) }

// Skips tells whether a guard is left out.
func (v *Deviator) Skips(guard string, scene func() Scene) bool {
	return v != nil && slices.Contains(v.Switches, skip+guard) && v.Applies(scene())
}

// Way returns how an identity is generated; "" is the usual way.
func (v *Deviator) Way(i Identity) string {
	if v == nil {
		return ""
	}
	return v.Generate[i.Name]
}

// Applies tells whether the deviation deviates in a scene at all.
func (v *Deviator) Applies(sc Scene) bool {
	return (len(v.Revisions) == 0 || slices.Contains(v.Revisions, sc.Revision)) && v.When.holds(sc) &&
		(v.Unless == nil || !v.Unless.holds(sc))
}

// Matching returns the edits that work here and now, of those whose place is selected. It counts them.
func (v *Deviator) Matching(sc Scene, selected func(on string) bool) []Edit {
	if v == nil || !v.Applies(sc) {
		return nil
	}
	var edits []Edit
	for i, e := range v.Edits {
		if !selected(e.On) || !e.applies(sc) {
			continue
		}
		n := v.counts[i].Add(1)
		if e.Nth > 0 && n != int64(e.Nth) || e.Every > 0 && n%int64(e.Every) != 0 {
			continue
		}
		edits = append(edits, e)
	}
	return edits
}

func (e Edit) applies(sc Scene) bool {
	return (len(e.Revisions) == 0 || slices.Contains(e.Revisions, sc.Revision)) && e.When.holds(sc) &&
		(e.Unless == nil || !e.Unless.holds(sc))
}

// selects tells whether a selector means a message of the server.
func selects(on string, out jsonrpc.Outgoing) bool {
	kind, method, _ := strings.Cut(on, " ")
	group := out.Kind
	if kind == "any" {
		kind, method = method, out.Method
	}
	response := out.Kind == jsonrpc.OutResult || out.Kind == jsonrpc.OutError
	return method == out.Method && (kind == group || kind == "response" && response || kind == "message")
}
