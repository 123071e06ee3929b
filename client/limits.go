package client

import "github.com/mcpcheck/mcpcheck/wire"

// Limits bound what one answer may cost: the target is hostile input. What goes beyond ends its exchange with ByLimit.
type Limits struct {
	// Header bounds the bytes of a response head, its 1xx heads included.
	Header int64
	// Body bounds the bytes of a body that is no event stream.
	Body int64
	// Stream bounds the bytes of an event stream.
	Stream int64
	// Event bounds the bytes of one event, Events how many one stream may have.
	Event, Events int
	// Surplus bounds what is kept of the bytes after a response; more is dropped silently.
	Surplus int
	// Total bounds the body bytes of a whole run, so that many long answers do not fill the disk.
	Total int64
}

// spare are the limits of a run that has met many answers beyond them: whoever sends those sends more of them.
func (l Limits) spare() Limits {
	l.Body, l.Stream, l.Event, l.Events = min(l.Body, spareBody), min(l.Stream, spareBody), min(l.Event, spareBody), min(l.Events, spareEvents)
	return l
}

// DefaultLimits are far beyond what any honest server sends.
func DefaultLimits() Limits {
	return Limits{
		Header:  256 << 10,
		Body:    16 << 20,
		Stream:  16 << 20,
		Event:   8 << 20,
		Events:  50_000,
		Surplus: 16 << 10,
		Total:   wire.MaxBodies,
	}
}

// orDefault fills what is zero or negative from DefaultLimits.
func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	for _, f := range []struct{ value, fallback *int64 }{
		{&l.Header, &d.Header}, {&l.Body, &d.Body}, {&l.Stream, &d.Stream}, {&l.Total, &d.Total},
	} {
		if *f.value <= 0 {
			*f.value = *f.fallback
		}
	}
	for _, f := range []struct{ value, fallback *int }{
		{&l.Event, &d.Event}, {&l.Events, &d.Events}, {&l.Surplus, &d.Surplus},
	} {
		if *f.value <= 0 {
			*f.value = *f.fallback
		}
	}
	return l
}

// maxChunks bounds the arrival times that are kept for one body; later reads are merged into the last entry.
const maxChunks = 2_000

// keptOfCut is how much of an answer is kept that was cut off: it shows what came.
const keptOfCut = 64 << 10
