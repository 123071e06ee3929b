package mock

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

const (
	// maxRequests is how many requests of one start are kept; later ones are refused with 503 and counted.
	maxRequests = 2000
	// maxSent is how many bytes of a request body are kept, and maxAnswered of a response.
	maxSent, maxAnswered = 4 << 20, 4 << 20
	// maxKept bounds the bytes of all bodies of one start.
	maxKept = 32 << 20
)

// A recorder hands the requests of a client to a server and keeps both sides: heads as they were on the wire, bodies, and when each piece
// of a response was sent. Credentials are redacted on arrival.
type recorder struct {
	next    http.Handler
	started time.Time
	redact  *wire.Redactor

	mu        sync.Mutex
	exchanges []*wire.Exchange
	kept      int64
	excess    int
	stopped   bool
	under     sync.WaitGroup // requests that are being answered

	// asked are the ids of the server's requests that wait for an answer, where the persona holds its own ones back for them; told is
	// closed and made anew with each answer.
	asked map[string]bool
	told  chan struct{}

	// declared are the capabilities in the initialize of the client that came last.
	declared json.RawMessage
}

func newRecorder(next http.Handler) *recorder {
	return &recorder{next: next, started: time.Now(), redact: wire.NewRedactor(nil), asked: map[string]bool{}, told: make(chan struct{})}
}

type connKey struct{}

// withConn lets the handlers of a connection find its tap.
func withConn(ctx context.Context, c any) context.Context {
	if placed, ok := c.(*placedConn); ok {
		return context.WithValue(ctx, connKey{}, placed.tappedConn)
	}
	return ctx
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	x, ok := r.begin(req)
	if !ok {
		http.Error(w, "mcpcheck: more requests than are kept of one start", http.StatusServiceUnavailable)
		return
	}
	defer r.under.Done()
	body, rest := r.read(req)
	x.Request.Body = wire.NewBody(body)
	r.met(x.RequestMessage())
	r.answered(x.RequestMessage())
	req.Body = rest
	answer, whole := &answer{ResponseWriter: w, recorder: r, exchange: x, gone: req.Context().Done()}, false
	defer func() { answer.end(whole, req.Context().Err() != nil) }()
	r.next.ServeHTTP(answer, req)
	whole = true
}

// begin opens the record of a request; false where there are too many already.
func (r *recorder) begin(req *http.Request) (*wire.Exchange, bool) {
	x := &wire.Exchange{
		Sent: time.Since(r.started),
		Request: wire.Request{
			Method: wire.Text(req.Method), URL: wire.Text("http://" + req.Host + req.URL.RequestURI()), Header: r.redact.Request(req.Header),
		},
	}
	if conn, ok := req.Context().Value(connKey{}).(*tappedConn); ok {
		var raw []byte
		raw, x.Reused = conn.head(req.Method, req.RequestURI)
		x.Conn, x.Request.RawHead = conn.number, r.redact.Head(raw)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.exchanges) == maxRequests || r.stopped {
		r.excess++
		return nil, false
	}
	r.exchanges = append(r.exchanges, x)
	r.under.Add(1)
	return x, true
}

// read reads what is kept of a body, and returns a reader of the whole of it.
func (r *recorder) read(req *http.Request) ([]byte, io.ReadCloser) {
	body, err := io.ReadAll(io.LimitReader(req.Body, maxSent))
	kept := body[:r.room(len(body))]
	rest := io.Reader(req.Body)
	if err != nil {
		rest = failing{err}
	}
	return kept, readCloser{io.MultiReader(bytes.NewReader(body), rest), req.Body}
}

// room takes n bytes of what may be kept, and returns how many there were.
func (r *recorder) room(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n = int(min(int64(n), maxKept-r.kept))
	r.kept += int64(n)
	return n
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

type readCloser struct {
	io.Reader
	io.Closer
}

// stop ends the recording and returns the exchanges in the order in which they arrived. Everything has to be under way to its end: the
// server that answers is closed.
func (r *recorder) stop() []*wire.Exchange {
	r.mu.Lock()
	r.stopped = true
	r.mu.Unlock()
	r.under.Wait()
	labels := map[string]int{}
	for _, x := range r.exchanges {
		label := x.Request.Method
		if m := x.RequestMessage(); m.Method != "" {
			label = wire.Text(m.Method)
		} else if m.Kind == wire.KindResult || m.Kind == wire.KindError {
			label = "response"
		}
		labels[label]++
		if n := labels[label]; n > 1 {
			label = fmt.Sprintf("%s %d", label, n)
		}
		x.Label = label
	}
	return r.exchanges
}

// An answer records a response while it is sent.
type answer struct {
	http.ResponseWriter
	recorder *recorder
	exchange *wire.Exchange
	gone     <-chan struct{} // closed when the client has closed the connection
	body     []byte
	sent     int64
}

func (a *answer) now() time.Duration { return time.Since(a.recorder.started) }

func (a *answer) WriteHeader(status int) {
	if status >= 200 && a.exchange.Response == nil {
		a.head(status)
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) head(status int) {
	a.exchange.Head = a.now()
	a.exchange.Response = &wire.Response{Proto: "HTTP/1.1", Status: status, Header: a.recorder.redact.Response(canonical(a.Header()))}
	a.exchange.Response.RawHead = oddHead(status, a.Header())
}

func (a *answer) Write(p []byte) (int, error) {
	if a.exchange.Response == nil {
		a.head(http.StatusOK)
	}
	if a.exchange.IsSSE() && a.recorder.withheld(p) {
		return len(p), nil
	}
	if a.exchange.IsSSE() {
		a.recorder.hold(p, a.gone)
	}
	n, err := a.ResponseWriter.Write(p)
	a.sent += int64(n)
	if keep := min(n, maxAnswered-len(a.body)); keep > 0 {
		a.body = append(a.body, p[:a.recorder.room(keep)]...)
	}
	a.exchange.Response.Chunks = append(a.exchange.Response.Chunks, wire.Chunk{End: a.sent, At: a.now()})
	return n, err
}

// Unwrap lets http.ResponseController flush.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// end completes the record. It is whole unless the server broke the connection; gone tells that the client had closed it.
func (a *answer) end(whole, gone bool) {
	x := a.exchange
	if x.Response == nil && whole {
		a.head(http.StatusOK) // net/http sends an empty 200 for a handler that wrote nothing
	}
	if x.Response != nil {
		x.Response.Body = wire.NewBody(a.body)
	}
	x.End, x.EndedBy = a.now(), wire.ByServer
	switch {
	case gone:
		x.EndedBy = wire.ByClient
	case !whole:
		x.EndedBy, x.Error = wire.ByError, &wire.NetError{Kind: wire.ErrClosed, Message: "the persona broke the connection"}
	}
}
