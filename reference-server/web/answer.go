package web

import (
	"fmt"
	"net/http"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// Media types of answers.
const (
	typeJSON = "application/json"
	TypeSSE  = "text/event-stream"
)

// An Answer is everything of an HTTP response but the events of a stream.
type Answer struct {
	Outcome string // what it is, by name, so that a deviation can select it
	Status  int
	Header  http.Header
	Body    []byte           // nil where a stream follows
	Stream  bool             // one does
	Edits   []deviation.Edit // of the messages in the body, whose HTTP part applies here
}

// NewAnswer makes an answer without headers and body.
func NewAnswer(outcome string, status int) Answer {
	return Answer{Outcome: outcome, Status: status, Header: http.Header{}}
}

// plain is a refusal in words. A refusal that comes before the body was read has no JSON-RPC id to answer.
func plain(outcome string, status int, text string) Answer {
	a := NewAnswer(outcome, status)
	a.Header.Set("Content-Type", "text/plain; charset=utf-8")
	a.Body = []byte(text + "\n")
	return a
}

// RefuseText is the refusal of a guard before anything was read.
func RefuseText(status int, format string, args ...any) *Answer {
	a := plain("", status, fmt.Sprintf(format, args...))
	return &a
}

// RefuseRPC is the refusal of a guard that a client may read as JSON-RPC: with the id of the request that is refused, and
// without one where there is none (basic/transports#sending-messages-to-the-server).
func (x *Exchange) RefuseRPC(status int, err *jsonrpc.Error) *Answer {
	m := x.Only()
	if m.Kind == jsonrpc.KindNotification || m.Kind == jsonrpc.KindResponse {
		m.ID = nil
	}
	a := NewAnswer("", status)
	a.Header.Set("Content-Type", typeJSON)
	out := jsonrpc.Refuse(m, x.Revision, err)
	out.Kind = jsonrpc.OutRefusal
	for _, f := range x.Site.Dev.Frames(x.Scene(), out) {
		a.Body = append(a.Body, f.Data...)
		a.Edits = append(a.Edits, f.Edits...)
	}
	return &a
}

// Send writes the answer.
func (x *Exchange) Send(a Answer) {
	if !x.Deviate(&a) {
		return
	}
	x.WriteHead(a)
	// A client that has gone is no error of the server.
	_, _ = x.W.Write(a.Body)
}

// SendMessages writes messages as a JSON answer: one object, or an array in answer to a batch.
func (x *Exchange) SendMessages(a Answer, messages ...jsonrpc.Outgoing) {
	a.Header.Set("Content-Type", typeJSON)
	var texts [][]byte
	for _, m := range messages {
		for _, f := range x.Site.Dev.Frames(x.Scene(), m) {
			texts = append(texts, f.Data)
			a.Edits = append(a.Edits, f.Edits...)
		}
	}
	a.Body = join(texts, x.Batch)
	x.Send(a)
}

func join(texts [][]byte, array bool) []byte {
	var body []byte
	for i, t := range texts {
		if i > 0 && array {
			body = append(body, ',')
		}
		body = append(body, t...)
	}
	if array {
		body = append(append([]byte{'['}, body...), ']')
	}
	return body
}

// WriteHead writes status and headers.
func (x *Exchange) WriteHead(a Answer) {
	h := x.W.Header()
	for name, values := range a.Header {
		h[name] = values
	}
	if x.On(switchOddNames) {
		h["cOnTeNt-TyPe"] = h["Content-Type"]
		h["Content-Type"] = nil // or net/http would add one of its own
	}
	x.W.WriteHeader(a.Status)
}

// Write sends bytes of a stream at once; false means that the client has gone.
func (x *Exchange) Write(b []byte) bool {
	if _, err := x.W.Write(b); err != nil {
		return false
	}
	return http.NewResponseController(x.W).Flush() == nil
}

// StreamAnswer makes the answer that a stream of events follows.
func StreamAnswer(outcome string, header http.Header) Answer {
	a := NewAnswer(outcome, http.StatusOK)
	a.Stream = true
	for name, values := range header {
		a.Header[name] = values
	}
	a.Header.Set("Content-Type", TypeSSE)
	a.Header.Set("Cache-Control", "no-cache")
	a.Header.Set("X-Accel-Buffering", "no") // nginx would hold events back
	return a
}

// OutcomeOfError names an answer that is a JSON-RPC error.
func OutcomeOfError(err *jsonrpc.Error) string {
	switch err.Code {
	case jsonrpc.CodeMethodNotFound:
		return "method-not-found"
	case jsonrpc.CodeInvalidParams:
		return "invalid-params"
	case jsonrpc.CodeResourceNotFound:
		return "resource-not-found"
	case jsonrpc.CodeInvalidRequest:
		return "invalid-element"
	case jsonrpc.CodeMissingCapability:
		return "missing-capability"
	}
	return "internal-error"
}
