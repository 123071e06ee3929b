package legacy

import (
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/profile"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
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
func (s *Server) isHTTPSSE(r *http.Request) bool {
	switch s.profile.Transport {
	case profile.TransportHTTPSSE:
		return true
	case profile.TransportUnified:
		asks := strings.Contains(strings.ToLower(strings.Join(r.Header.Values("Accept"), ",")), web.TypeSSE)
		return r.URL.Path == MessagePath || r.Method == http.MethodGet && asks && r.Header.Get(headerSession) == ""
	}
	return false
}

// openGuards need the head of the request only.
var openGuards = []web.Guard[*exchange]{
	{Name: "bad-host", Check: shared(web.CheckHost)},
	{Name: "bad-origin", Check: shared(web.CheckOrigin)},
	{Name: "method-not-allowed", Check: checkLinkMethod},
	{Name: "not-acceptable", Check: checkAcceptOfGet},
	{Name: "unsupported-media-type", Check: shared(web.CheckContentType)},
}

// linkGuards find the client of a POST. The specification is silent about what they refuse; the statuses are those of the
// official SDKs.
var linkGuards = []web.Guard[*exchange]{
	{Name: "sse-missing-session", Check: checkLinkPresent},
	{Name: "sse-closed-session", Check: checkLinkOpen},
	{Name: "sse-unknown-session", Check: checkLinkKnown},
}

// bodyGuards refuse what is no message in the answer to the POST. What is one is accepted, and answered on the stream.
var bodyGuards = []web.Guard[*exchange]{
	{Name: "parse-error", Check: shared(web.CheckParsed)},
	{Name: "empty-batch", Check: checkEmptyBatch},
	{Name: "initialize-in-batch", Check: checkBatchedInitialize},
	{Name: "batch-refused", Check: checkBatch},
	{Name: "invalid-request", Check: shared(web.CheckValid)},
}

func checkLinkMethod(x *exchange) *web.Answer {
	allowed := http.MethodGet
	if x.R.URL.Path == MessagePath {
		allowed = http.MethodPost
	}
	if x.R.Method == allowed {
		return nil
	}
	a := web.RefuseText(http.StatusMethodNotAllowed, "on HTTP+SSE this endpoint takes %s", allowed)
	a.Header.Set("Allow", allowed)
	return a
}

// checkAcceptOfGet asks nothing of POSTs: their answers have no body.
func checkAcceptOfGet(x *exchange) *web.Answer {
	if x.R.Method != http.MethodGet {
		return nil
	}
	return web.CheckAccept(&x.Exchange)
}

func checkLinkPresent(x *exchange) *web.Answer {
	if x.sid != "" {
		return nil
	}
	return web.RefuseText(http.StatusBadRequest, "the query has no %s", queryID)
}

// checkLinkOpen: the end of the stream is the end of the session.
func checkLinkOpen(x *exchange) *web.Answer {
	if x.link != nil || !x.s.links.wasClosed(x.sid) {
		return nil
	}
	return web.RefuseText(http.StatusNotFound, "the stream of this session was closed")
}

func checkLinkKnown(x *exchange) *web.Answer {
	if x.link != nil || x.sid == "" || x.s.links.wasClosed(x.sid) {
		return nil
	}
	return web.RefuseText(http.StatusNotFound, "no such session")
}

// serveHTTPSSE answers one HTTP request of that transport.
func (s *Server) serveHTTPSSE(w http.ResponseWriter, r *http.Request) {
	// Until a revision is negotiated it is that of the transport.
	x := s.exchange(w, r, revision.V20241105)
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
	if x.HangsBeforeHead() {
		return
	}
	x.link = s.links.open(x.Scene(), s.linkID)
	defer s.links.close(x.link)
	x.session = x.link.begin(revision.V20241105)
	// Nothing can go ahead of this event, since the client does not know where to POST to before.
	s.spawn(func() {
		s.emitEvent(x.link.stream(), deviation.Frame{Kind: deviation.FrameEndpoint, Data: []byte(x.endpoint(x.link.id))})
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
	for _, m := range x.Messages {
		switch m.Kind {
		case jsonrpc.KindNotification:
			s.notified(x, m)
		case jsonrpc.KindResponse:
			x.session.answered(m)
		}
	}
	requests := x.Requests()
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
	x.sid = x.R.URL.Query().Get(queryID)
	if x.link = x.s.links.get(x.sid); x.link != nil {
		if x.session = x.link.session.Load(); x.session != nil {
			x.Revision = x.session.revision
		} else {
			x.session = x.link.begin(revision.V20241105)
		}
	}
	if x.readBody() && x.pass(linkGuards) && x.passBody() {
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
	again := former != nil && !x.Skips("reinitialize")
	if !again {
		x.leaveLink()
		x.session = x.link.begin(x.Revision)
	}
	c := x.newRequest(x.Only())
	params := c.initializeParams()
	if c.Err == nil && (again || !x.link.session.CompareAndSwap(former, x.session)) {
		c.Err = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the session is initialized already"}
		defer x.refused("reinitialize")
	}
	if c.Err == nil {
		x.session.client = *params.Capabilities
		c.enter(x.session)
		c.Result = s.present(c)
		s.talk(x) // until the link ends
	}
	s.answerOnLink(x, []*request{c})
}

// prepareLink answers a request as far as that needs no time. Before initialize only pings may be sent
// (basic/lifecycle#initialization).
func (s *Server) prepareLink(x *exchange, m jsonrpc.Message) *request {
	if x.link.session.Load() == nil && m.Method != "ping" {
		c := x.newRequest(m)
		c.Err = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "invalid request: initialize comes first"}
		return c
	}
	return s.prepare(x, m)
}

// answerOnLink acknowledges a POST and puts the responses on the stream, each as soon as it is there.
func (s *Server) answerOnLink(x *exchange, calls []*request) {
	if x.Limited() || x.HangsBeforeHead() {
		return
	}
	release, ok := x.Worker()
	if !ok {
		return
	}
	var pending sync.WaitGroup
	defer func() { s.spawn(func() { pending.Wait(); release() }) }()

	inBody := x.inBody()
	if !inBody {
		x.acknowledge()
	}
	for _, c := range calls {
		c.stream = x.link.stream()
		if !c.Pending() {
			s.deliverOnLink(x, c)
			continue
		}
		ctx, done := x.session.begin(c.Message.ID)
		c.Ctx = ctx
		pending.Add(1)
		s.spawn(func() {
			defer pending.Done()
			defer done()
			c.Run()
			if ctx.Err() == nil || x.answersCancelled(c) {
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
	for _, st := range x.responseStreams() {
		c.stream = st
		s.deliver(x, c)
	}
}

// acknowledge answers a POST at once. The body says nothing.
func (x *exchange) acknowledge() {
	a := web.NewAnswer("sse-post", http.StatusAccepted)
	if !x.Deviate(&a) {
		return
	}
	if a.Header.Get("Content-Length") == "" {
		a.Header.Set("Content-Length", strconv.Itoa(len(a.Body))) // or it would be sent in chunks
	}
	x.WriteHead(a)
	x.Write(a.Body)
}
