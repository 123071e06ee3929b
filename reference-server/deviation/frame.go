package deviation

import (
	"maps"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// Kinds of frames.
const (
	FrameMessage  = "message"
	FramePriming  = "priming"  // an id to come back with, and no data
	FrameEndpoint = "endpoint" // where to post to, on HTTP+SSE
	FrameRetry    = "retry"    // the same, with the time to wait before
)

// A Frame is what becomes one event of a stream, or a message in a JSON answer.
type Frame struct {
	Kind  string
	Data  []byte
	Retry string
	Delay time.Duration
	Close bool   // the stream ends instead
	Edits []Edit // what of them concerns the event or the answer
}

// Frames turns a message into what is sent for it: usually one frame, fewer or more by an edit.
func (v *Deviator) Frames(sc Scene, out jsonrpc.Outgoing) []Frame {
	data := jsonrpc.Encode(out.Body)
	edits := v.Matching(sc, func(on string) bool { return selects(on, out) })
	f := Frame{Kind: FrameMessage, Data: data, Edits: edits}
	if len(edits) == 0 {
		return []Frame{f}
	}
	var before, after []Frame
	keep := true
	for _, e := range edits {
		f.Data = e.Message(f.Data)
		d, _ := e.Pause() // was validated
		f.Delay += d
		f.Close = f.Close || e.Close
		keep = keep && !e.Drop
		before = append(before, extra(e.Before, f.Data)...)
		after = append(after, extra(e.After, f.Data)...)
	}
	if keep {
		before = append(before, f)
	}
	return append(before, after...)
}

func extra(messages []any, same []byte) []Frame {
	var frames []Frame
	var pause time.Duration
	for _, m := range messages {
		if text, ok := m.(string); ok && m != "same" {
			if d, err := time.ParseDuration(text); err == nil {
				pause += d
				continue
			}
		}
		data := same
		if m != "same" {
			data = jsonrpc.Encode(withSameID(m, same))
		}
		frames = append(frames, Frame{Kind: FrameMessage, Data: data, Delay: pause})
		pause = 0
	}
	return frames
}

// withSameID gives a message whose id is "same" that of another.
func withSameID(m any, other []byte) any {
	message, ok := m.(map[string]any)
	if !ok || message["id"] != "same" {
		return m
	}
	doc, err := jsonrpc.DecodeAny(other)
	if err != nil {
		return m
	}
	message = maps.Clone(message)
	message["id"], _ = parsePath("/id").get(doc)
	return message
}

// Event applies the edits that select by event; false drops it.
func (v *Deviator) Event(sc Scene, f Frame) (Frame, bool) {
	for _, e := range v.Matching(sc, func(on string) bool { return on == "event "+f.Kind || on == "any event" }) {
		f.Edits = append(f.Edits[:len(f.Edits):len(f.Edits)], e)
		if e.Drop {
			return f, false
		}
		d, _ := e.Pause()
		f.Delay += d
		f.Close = f.Close || e.Close
	}
	return f, true
}
