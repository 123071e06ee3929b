package refserver

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// HTTP+SSE is the transport of 2024-11-05, which servers may go on offering: the client opens a stream by GET, whose first
// event tells where to POST to, and whatever the server has to say comes on that stream
// (2024-11-05: basic/transports#http-with-sse).

// MessagePath is where HTTP+SSE takes the messages of its clients.
const MessagePath = "/messages"

// queryID is the parameter of the message endpoint that tells the clients apart.
const queryID = "sessionId"

// isHTTPSSE tells by the transport of the profile and by the request whether it is one of HTTP+SSE. A GET of Streamable HTTP
// has a session id, which a client of the old transport never gets.
func (p Profile) isHTTPSSE(r *http.Request) bool {
	switch p.Transport {
	case TransportHTTPSSE:
		return true
	case TransportUnified:
		asks := strings.Contains(strings.ToLower(strings.Join(r.Header.Values("Accept"), ",")), typeSSE)
		return r.URL.Path == MessagePath || r.Method == http.MethodGet && asks && r.Header.Get(headerSession) == ""
	}
	return false
}

// openGuards need the head of the request only.
var openGuards = []guard{
	{"bad-host", checkHost},
	{"bad-origin", checkOrigin},
	{"method-not-allowed", checkLinkMethod},
	{"not-acceptable", checkAcceptOfGet},
	{"unsupported-media-type", checkContentType},
}

// linkGuards find the client of a POST. The specification is silent about what they refuse; the statuses are those of the
// official SDKs.
var linkGuards = []guard{
	{"sse-missing-session", checkLinkPresent},
	{"sse-closed-session", checkLinkOpen},
	{"sse-unknown-session", checkLinkKnown},
}

// bodyGuards refuse what is no message in the answer to the POST. What is one is accepted, and answered on the stream.
var bodyGuards = []guard{
	{"parse-error", checkParsed},
	{"empty-batch", checkEmptyBatch},
	{"initialize-in-batch", checkBatchedInitialize},
	{"batch-refused", checkBatch},
	{"invalid-request", checkValid},
}

func checkLinkMethod(x *exchange) *answer {
	allowed := http.MethodGet
	if x.r.URL.Path == MessagePath {
		allowed = http.MethodPost
	}
	if x.r.Method == allowed {
		return nil
	}
	a := refuseText(http.StatusMethodNotAllowed, "on HTTP+SSE this endpoint takes %s", allowed)
	a.header.Set("Allow", allowed)
	return a
}

// checkAcceptOfGet asks nothing of POSTs: their answers have no body.
func checkAcceptOfGet(x *exchange) *answer {
	if x.r.Method != http.MethodGet {
		return nil
	}
	return checkAccept(x)
}

func checkLinkPresent(x *exchange) *answer {
	if x.sid != "" {
		return nil
	}
	return refuseText(http.StatusBadRequest, "the query has no %s", queryID)
}

// checkLinkOpen: the end of the stream is the end of the session.
func checkLinkOpen(x *exchange) *answer {
	if x.link != nil || !x.s.links.wasClosed(x.sid) {
		return nil
	}
	return refuseText(http.StatusNotFound, "the stream of this session was closed")
}

func checkLinkKnown(x *exchange) *answer {
	if x.link != nil || x.sid == "" || x.s.links.wasClosed(x.sid) {
		return nil
	}
	return refuseText(http.StatusNotFound, "no such session")
}

// serveHTTPSSE answers one HTTP request of that transport.
func (s *Server) serveHTTPSSE(w http.ResponseWriter, r *http.Request) {
	// Until a revision is negotiated it is that of the transport.
	x := &exchange{s: s, w: w, r: r, revision: Rev20241105}
	if !x.pass(openGuards) {
		return
	}
	switch r.Method {
	case http.MethodGet:
		s.openLink(x)
	case http.MethodPost:
		s.takeMessage(x)
	}
}

// openLink is the GET: it sends the endpoint event, then all that the server has to say, and lasts until the client goes.
func (s *Server) openLink(x *exchange) {
	if !s.dev.hang(x, switchHangHead) {
		return
	}
	x.link = s.links.open(x.scene(), s.dev.linkID)
	defer s.links.close(x.link)
	x.session = x.link.begin(Rev20241105)
	// Nothing can go ahead of this event, since the client does not know where to POST to before.
	s.spawn(func() {
		s.emitEvent(x.link.stream(), frame{kind: frameEndpoint, data: []byte(s.dev.endpoint(x.link.id, x))})
		x.link.told.Store(true)
	})
	x.stream("sse-open", nil, x.link.stream(), 0)
}

// begin makes a session that ends with the link and speaks on its stream.
func (l *link) begin(revision string) *session {
	sess := newSession(l.ctx, l.id, revision)
	sess.log = l.log
	return sess
}

// takeMessage is the POST: it is acknowledged, and answered on the stream.
func (s *Server) takeMessage(x *exchange) {
	if !x.enterLink() {
		return
	}
	if x.session == nil {
		x.acknowledge() // only by a deviation: there is nobody to answer
		return
	}
	defer x.leaveLink()
	if x.isInitialize() {
		s.initializeLink(x)
		return
	}
	for _, m := range x.messages {
		switch m.kind {
		case kindNotification:
			s.notified(x, m)
		case kindResponse:
			x.session.answered(m)
		}
	}
	requests := x.requests()
	if len(requests) == 0 {
		x.acknowledge()
		return
	}
	calls := make([]*request, len(requests))
	for i, m := range requests {
		calls[i] = s.prepareLink(x, m)
	}
	s.answerOnLink(x, calls)
}

// enterLink finds the session and reads the messages of a POST.
func (x *exchange) enterLink() bool {
	x.sid = x.r.URL.Query().Get(queryID)
	if x.link = x.s.links.get(x.sid); x.link != nil {
		if x.session = x.link.session.Load(); x.session != nil {
			x.revision = x.session.revision
		} else {
			x.session = x.link.begin(Rev20241105)
		}
	}
	if x.readBody() && x.pass(linkGuards) && x.pass(bodyGuards) {
		return true
	}
	if x.link != nil {
		x.leaveLink()
	}
	return false
}

// leaveLink ends a session that was made for the exchange only.
func (x *exchange) leaveLink() {
	if x.link.session.Load() != x.session {
		x.session.cancel()
	}
}

// initializeLink negotiates the revision. All of them may be spoken over this transport.
func (s *Server) initializeLink(x *exchange) {
	former := x.link.session.Load()
	again := former != nil && !s.dev.skips("reinitialize", x)
	if !again {
		x.leaveLink()
		x.session = x.link.begin(x.revision)
	}
	c := &request{s: s, message: x.only(), scene: x.scene(), session: x.session}
	params := c.initializeParams()
	if c.err == nil && (again || !x.link.session.CompareAndSwap(former, x.session)) {
		c.err = &rpcError{Code: codeInvalidRequest, Message: "the session is initialized already"}
		defer s.dev.refused(x, "reinitialize")
	}
	if c.err == nil {
		x.session.client = *params.Capabilities
		c.result = s.present(x.session)
		s.talk(x) // until the link ends
	}
	s.answerOnLink(x, []*request{c})
}

// prepareLink answers a request as far as that needs no time. Before initialize only pings may be sent
// (basic/lifecycle#initialization).
func (s *Server) prepareLink(x *exchange, m message) *request {
	if x.link.session.Load() == nil && m.method != "ping" {
		return &request{s: s, session: x.session, message: m, scene: x.sceneOf(m),
			err: &rpcError{Code: codeInvalidRequest, Message: "invalid request: initialize comes first"}}
	}
	return s.prepare(x, m)
}

// answerOnLink acknowledges a POST and puts the responses on the stream, each as soon as it is there.
func (s *Server) answerOnLink(x *exchange, calls []*request) {
	if s.dev.limited(x) || !s.dev.hang(x, switchHangHead) {
		return
	}
	release, ok := s.dev.worker(x)
	if !ok {
		return
	}
	var pending sync.WaitGroup
	defer func() { s.spawn(func() { pending.Wait(); release() }) }()

	inBody := s.dev.inBody(x)
	if !inBody {
		x.acknowledge()
	}
	for _, c := range calls {
		c.stream = x.link.stream()
		if c.err != nil || c.tool == nil {
			s.deliverOnLink(x, c)
			continue
		}
		ctx, done := x.session.begin(c.message.id)
		c.ctx = ctx
		pending.Add(1)
		s.spawn(func() {
			defer pending.Done()
			defer done()
			c.run()
			if ctx.Err() == nil || s.dev.answersCancelled(x, c) {
				s.deliverOnLink(x, c)
			}
		})
	}
	if inBody {
		pending.Wait()
		x.answerInBody(calls)
	}
}

// deliverOnLink puts the response of a call on the stream of its client.
func (s *Server) deliverOnLink(x *exchange, c *request) {
	for _, st := range s.dev.responseStreams(x) {
		c.stream = st
		s.deliver(x, c)
	}
}

// acknowledge answers a POST at once. The body says nothing.
func (x *exchange) acknowledge() {
	a := newAnswer("sse-post", http.StatusAccepted)
	if !x.s.dev.answer(x, &a) {
		return
	}
	if a.header.Get("Content-Length") == "" {
		a.header.Set("Content-Length", strconv.Itoa(len(a.body))) // or it would be sent in chunks
	}
	x.writeHead(a)
	x.write(a.body)
}
