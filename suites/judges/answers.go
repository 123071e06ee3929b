package judges

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// AnswerTo finds the answer to a request: in its own response, or on another stream of the conversation, such as the one that resumed
// it. An error without a readable id in the body itself is an answer too.
func AnswerTo(t *kit.T, tr *wire.Transcript, x *wire.Exchange) (kit.Seen, bool) {
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

// AnswerOf finds the answer to a request of the check's script: its own, or one that another stream of the conversation brought.
func AnswerOf(t *kit.T, x *wire.Exchange) (kit.Seen, bool) { return AnswerIn(t, t.Transcript(), x) }

// AnswerIn is AnswerOf for a request of another script, by its transcript.
func AnswerIn(t *kit.T, tr *wire.Transcript, x *wire.Exchange) (kit.Seen, bool) {
	if seen, ok := AnswerTo(t, tr, x); ok {
		return seen, true
	}
	m, ok := x.Answer()
	return kit.Seen{Located: wire.Located{Message: m, Event: -1, Batch: -1}, Exchange: x, Transcript: tr}, ok
}

// stateless is the revision from which on a result may be one that only asks for something, or is of a type of its own.
const stateless = "2026-07-28"

// Interim tells that a result is not the whole one that the method has: the client is asked for something first, or the type is one that
// the revision leaves to extensions.
func Interim(t *kit.T, m wire.Message) bool {
	kind, typed := kit.Text(m.Result, "resultType")
	return typed && kind != "complete" && t.Since(stateless)
}

// looseBase64 writes down base64 that some clients cannot decode: without padding, or with line breaks. The older revisions leave open
// what base64 is.
func looseBase64(t *kit.T, in kit.Seen, expected, got string) {
	if t.Since(stateless) {
		t.WarnAt(in, expected, got)
		return
	}
	t.NoteAt(in, "%s: some clients cannot decode it", got)
}

// EmptyResult warns of members in a result of which the page says that it has none. Where only the schema calls it empty, which leaves
// results open, it is a note: open tells that.
func EmptyResult(t *kit.T, x *wire.Exchange, answer wire.Message, expected string, open bool) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(answer.Result, &members)
	delete(members, "_meta")
	switch names := strings.Join(slices.Sorted(maps.Keys(members)), ", "); {
	case names == "":
	case open:
		t.Note(x, "a result with the members %s where nothing is asked for; the schema lets results have more members", names)
		return
	default:
		t.Warn(x, expected, "a result with the members "+names)
		return
	}
	t.OK(x, "an empty result")
}

// InvalidParams judges the answer to a request that should be refused with -32602.
func InvalidParams(t *kit.T, x *wire.Exchange, what string) {
	const expected = "JSON-RPC error -32602"
	t.Says(expected)
	answer, answered := AnswerOf(t, x)
	code, _ := answer.ErrorCode()
	switch {
	case code == CodeInvalidParams:
		t.OK(answer.Exchange, "%s", kit.DescribeMessage(answer.Message))
	case answer.Kind == wire.KindError:
		t.WarnAt(answer, expected, kit.DescribeMessage(answer.Message))
	case answered:
		t.WarnAt(answer, expected, "a result, as if nothing were wrong")
	case x.Status()/100 == 4, x.Status() == 500, x.Status() == 501:
		t.Warn(x, expected, kit.Describe(x))
	default:
		t.NotObservedAt(kit.Inconclusive, x, "%s got no answer: %s", what, kit.Describe(x))
	}
}

// Malformed tells that what we sent was, on purpose, no JSON-RPC message of version 2.0. What comes back is judged by the requirements
// about such messages only: it may repeat what was wrong.
func Malformed(x *wire.Exchange) bool {
	m := x.RequestMessage()
	switch m.Kind {
	case wire.KindNotJSON, wire.KindInvalid:
		return x.Broken != "" && x.Request.Body.Size() > 0
	case wire.KindBatch:
		return x.Broken != "" && len(m.Elements) == 0
	}
	return x.Broken != "" && string(m.Version) != `"2.0"`
}

// wellAsked are the messages of the server but for those in reply to what was no message.
func wellAsked(t *kit.T) []kit.Seen {
	if !slices.ContainsFunc(t.Exchanges(), Malformed) {
		return t.Messages()
	}
	return slices.DeleteFunc(slices.Clone(t.Messages()), func(m kit.Seen) bool {
		if Malformed(m.Exchange) {
			return true
		}
		return !m.HasMethod && slices.ContainsFunc(m.Transcript.Exchanges, func(x *wire.Exchange) bool {
			return Malformed(x) && x.Sent <= m.At && (x.Elsewhere() == m.Exchange || x.Stream == m.Exchange.Label && (!m.HasID || kit.JSONType(m.ID) == "null"))
		})
	})
}
