package refserver

import (
	"net/http"
	"slices"
)

const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "Mcp-Protocol-Version"
	headerLastID  = "Last-Event-Id"

	typeJSON = "application/json"
	typeSSE  = "text/event-stream"
)

// An exchange is one HTTP request and the answer to it.
type exchange struct {
	s        *Server
	w        http.ResponseWriter
	r        *http.Request
	sid      string   // the session id that the client sent
	session  *session // never nil after the guards: without sessions it lasts for this exchange only
	messages []message
	batch    bool
	unread   bool // the body was no JSON
	revision string

	standalone *stream // what a GET opened
	link       *link   // only on HTTP+SSE, and there nil where the client names none
}

func (s *Server) newExchange(w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{s: s, w: w, r: r}
	if s.profile.Sessions {
		x.sid = r.Header.Get(headerSession)
		x.session = s.sessions.get(x.sid)
		if x.session != nil && x.session.worn(s.profile.Lifetime) {
			s.sessions.end(x.session, expired)
			x.session = nil
		}
	}
	switch version := r.Header.Get(headerVersion); {
	case x.session != nil:
		x.revision = x.session.revision
	case s.profile.supports(version):
		x.revision = version
	default:
		x.revision = assumedRevision
	}
	return x
}

// only returns the message of a POST that is no batch.
func (x *exchange) only() message {
	if x.batch || len(x.messages) == 0 {
		return message{}
	}
	return x.messages[0]
}

// isInitialize tells whether the POST is an initialize request.
func (x *exchange) isInitialize() bool {
	m := x.only()
	return m.kind == kindRequest && m.method == methodInitialize
}

func (x *exchange) requests() []message {
	return slices.DeleteFunc(slices.Clone(x.messages), func(m message) bool {
		return m.kind == kindNotification || m.kind == kindResponse
	})
}

// An answer is everything of an HTTP response but the events of a stream.
type answer struct {
	outcome string // what it is, by name: see Outcomes
	status  int
	header  http.Header
	body    []byte
	edits   []Edit // of the messages in the body, whose HTTP part applies here
}

func newAnswer(outcome string, status int) answer {
	return answer{outcome: outcome, status: status, header: http.Header{}}
}

// plain is a refusal in words. A refusal that comes before the body was read has no JSON-RPC id to answer.
func plain(outcome string, status int, text string) answer {
	a := newAnswer(outcome, status)
	a.header.Set("Content-Type", "text/plain; charset=utf-8")
	a.body = []byte(text + "\n")
	return a
}

// send writes the answer.
func (x *exchange) send(a answer) {
	if !x.s.dev.answer(x, &a) {
		return
	}
	x.writeHead(a)
	// A client that has gone is no error of the server.
	_, _ = x.w.Write(a.body)
}

func (x *exchange) writeHead(a answer) {
	h := x.w.Header()
	for name, values := range a.header {
		h[name] = values
	}
	x.w.WriteHeader(a.status)
}

// sendMessages writes messages as a JSON answer: one object, or an array in answer to a batch.
func (x *exchange) sendMessages(a answer, messages ...outgoing) {
	a.header.Set("Content-Type", typeJSON)
	var texts [][]byte
	for _, m := range messages {
		for _, f := range x.s.dev.frames(x.scene(), m) {
			texts = append(texts, f.data)
			a.edits = append(a.edits, f.edits...)
		}
	}
	a.body = join(texts, x.batch)
	x.send(a)
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
