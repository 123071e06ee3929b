package legacy

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// answerTo finds the answer to a request: in its own response, or on another stream of the conversation, such as the one that resumed
// it. An error without a readable id in the body itself is an answer too.
func answerTo(t *kit.T, tr *wire.Transcript, x *wire.Exchange) (kit.Seen, bool) {
	id := x.RequestMessage().ID
	answers := func(m wire.Located) bool {
		return (m.Kind == wire.KindResult || m.Kind == wire.KindError) && wire.SameID(m.ID, id)
	}
	for _, m := range x.Messages() {
		if answers(m) || m.Event < 0 && m.Kind == wire.KindError && (!m.HasID || string(m.ID) == "null") {
			return kit.Seen{Located: m, Exchange: x, Transcript: tr}, true
		}
	}
	for _, m := range t.MessagesIn(tr) {
		if answers(m.Located) {
			return m, true
		}
	}
	return kit.Seen{}, false
}

// bogusName is a name that nothing has.
func bogusName(c *kit.C) string {
	return "mcpcheck-no-such-" + strconv.FormatInt(c.Client().NextID(), 36)
}

// calledTool is the name of the tool that an exchange calls, "" where it calls none.
func calledTool(x *wire.Exchange) (name string) {
	if sent := x.RequestMessage(); sent.Method != "tools/call" || sent.Decode("/params/name", &name) != nil {
		return ""
	}
	return name
}

const (
	noOutcome outcomeKind = iota
	plainResult
	errorResult
	protocolError
	httpRefusal // HTTP 4xx without a JSON-RPC error
)

func outcomeOf(t *kit.T, x *wire.Exchange) outcome {
	o := outcome{Seen: kit.Seen{Exchange: x, Transcript: t.Transcript()}}
	m, ok := answerTo(t, t.Transcript(), x)
	switch {
	case ok && m.Kind == wire.KindError:
		o.Seen, o.kind = m, protocolError
		o.code, _ = m.ErrorCode()
	case ok && (toolAnswer{Seen: m}).failed():
		o.Seen, o.kind = m, errorResult
	case ok:
		o.Seen, o.kind = m, plainResult
	case x.Status()/100 == 4:
		o.kind = httpRefusal
	}
	return o
}

// sameCall finds the exchange that has a name and is as often repeated as another: a tool may be called twice in each round.
func sameCall(tr *wire.Transcript, name string, x *wire.Exchange) *wire.Exchange {
	i := slices.IndexFunc(tr.Exchanges, func(other *wire.Exchange) bool {
		return other.Name() == name && other.Origin.Repeat == x.Origin.Repeat
	})
	if i < 0 {
		return nil
	}
	return tr.Exchanges[i]
}

// differs says in a phrase how two lists differ; "" where they do not.
func differs(before, after map[string]bool) string {
	for name := range after {
		if !before[name] {
			return kit.Quote([]byte(name)) + " is new"
		}
	}
	for name := range before {
		if !after[name] {
			return kit.Quote([]byte(name)) + " is missing"
		}
	}
	return ""
}

// namesIn returns what identifies the items of a list, over all its pages. Order, descriptions and the rest may differ from one time to
// the next without any change that a client would have to be told of.
func namesIn(t *kit.T, tr *wire.Transcript, when, feature, key string) map[string]bool {
	label, names, last := when+" "+feature+"/list", map[string]bool{}, wire.Message{}
	t.Control(label)
	list := &wire.Transcript{}
	for _, x := range tr.Exchanges {
		if !kit.IsPage(x, label) {
			continue
		}
		if !x.Served() {
			t.NotObservedAt(kit.Inconclusive, x, "a page of the list is missing: %s", kit.Describe(x))
		}
		list.Exchanges = append(list.Exchanges, x)
		last, _ = x.Answer()
	}
	if _, more := last.Pointer("/result/nextCursor"); more {
		t.NotObserved(kit.Limited, "the list of %s was not read to its end", feature)
	}
	for _, raw := range kit.Items(list, feature+"/list", feature) {
		var name string
		if wire.ReadMessage(raw).Decode(key, &name) == nil {
			names[name] = true
		}
	}
	return names
}

// An outcome is how the call of one exchange ended. Its Exchange is the one that shows it.
type outcome struct {
	kit.Seen
	kind outcomeKind
	code int64 // of a protocolError
}

func (o outcome) String() string {
	switch o.kind {
	case protocolError:
		return kit.DescribeMessage(o.Message)
	case httpRefusal, noOutcome:
		return kit.Describe(o.Exchange)
	}
	return o.kind.String()
}

// An outcomeKind is how a call of a tool ended.
type outcomeKind int

func (k outcomeKind) String() string {
	return [...]string{"no answer", "an ordinary result", "a result with isError true", "a JSON-RPC error", "HTTP 4xx without a JSON-RPC error"}[k]
}

func sameJSON(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, okX := anyJSON(a)
	y, okY := anyJSON(b)
	return okX && okY && equalJSON(x, y)
}

// A toolAnswer is what a call of a tool was answered with, and where that stood.
type toolAnswer struct {
	kit.Seen
	name string // of the tool
	call *wire.Exchange
}

// failed tells that the tool reports a failure. A flag of another type is tools.call.result-shape's; it is taken at its word here.
func (r toolAnswer) failed() bool {
	flag, ok := r.Pointer("/result/isError")
	return ok && !slices.Contains([]string{"false", `"false"`, "null"}, strings.TrimSpace(string(flag)))
}

func anyJSON(text []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return v, d.Decode(&v) == nil && !d.More()
}

// equalJSON compares values; numbers by what they are worth, so that 1 equals 1.0.
func equalJSON(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if w, ok := b[k]; !ok || !equalJSON(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equalJSON)
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, errX := a.Float64()
		y, errY := b.Float64()
		return a == b || errX == nil && errY == nil && x == y && !math.IsInf(x, 0)
	}
	return a == b
}
