package mock

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

const (
	// maxRequests is how many requests of one start are kept; later ones are refused with 503 and counted. A client that sends maxExcess
	// of them is stopped.
	maxRequests, maxExcess = 2000, 10_000
	// maxSent is how many bytes a request body may have, and maxAnswered how many are kept of a response.
	maxSent, maxAnswered = 4 << 20, 4 << 20
	// maxKept bounds the bytes of all heads and bodies of a run, whatever the number of starts.
	maxKept = 64 << 20
	// small bodies are read at once; of larger ones maxLarge are under way at a time.
	small, maxLarge = 64 << 10, 4
)

// A budget is what may still be kept of a run, in bytes.
type budget struct {
	mu   sync.Mutex
	left int64
}

// take returns how many of n bytes may be kept.
func (b *budget) take(n int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n = int(min(int64(n), b.left))
	b.left -= int64(n)
	return n
}

// A recorder hands the requests of a client to a server and keeps both sides: heads as they were on the wire, bodies, and when each piece
// of a response was sent. Credentials are redacted on arrival.
type recorder struct {
	next    http.Handler
	started time.Time
	redact  *wire.Redactor
	token   string // that the user has the client send

	budget  *budget
	large   chan struct{} // places for large bodies
	flooded func()        // called once there are too many requests by far

	mu        sync.Mutex
	exchanges []*wire.Exchange
	excess    int
	stopped   bool
	under     sync.WaitGroup // requests that are being answered

	watching sync.Mutex
	watcher  func(Arrival)
	unseen   []Arrival // that came before somebody watched

	// asked are the ids of the server's requests that wait for an answer, where the persona holds its own ones back for them; told is
	// closed and made anew with each answer.
	asked map[string]bool
	told  chan struct{}

	// asks are the capabilities that the persona makes use of where they were declared.
	asks []string

	// declared are the capabilities in the initialize of the client that came last.
	declared json.RawMessage
}

// newRecorder records what goes to a server. token is redacted wherever it stands.
func newRecorder(next http.Handler, b *budget, token string, flooded func()) *recorder {
	return &recorder{
		next: next, started: time.Now(), redact: wire.NewRedactor(http.Header{testToken: {token}}), token: token, asked: map[string]bool{}, told: make(chan struct{}),
		budget: b, large: make(chan struct{}, maxLarge), flooded: sync.OnceFunc(flooded),
	}
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
	body, err := r.read(req)
	if err != nil {
		r.forget(x, errors.Is(err, errTooLarge))
		w.Header().Set("Connection", "close")
		http.Error(w, "mcpcheck: "+err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	x.Request.Body = wire.NewBody(withoutRoots(r.redact.All(body)))
	m := x.RequestMessage()
	r.arrived(x, m)
	r.met(m)
	r.answered(m)
	req.Body = io.NopCloser(bytes.NewReader(body))
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
			Method: wire.Text(req.Method), URL: wire.Text("http://" + req.Host + r.uri(req.URL)), Header: r.header(req.Header),
		},
	}
	if conn, ok := req.Context().Value(connKey{}).(*tappedConn); ok {
		var raw []byte
		raw, x.Reused = conn.head(req.Method, req.RequestURI)
		x.Conn, x.Request.RawHead = conn.number, r.head(raw, req.URL)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	size := 2 * len(x.Request.RawHead) // as it came, and as it was read
	switch {
	case r.stopped:
		return nil, false
	case len(r.exchanges) == maxRequests, r.budget.take(size) < size:
		r.tooMany()
		return nil, false
	}
	r.exchanges = append(r.exchanges, x)
	r.under.Add(1)
	return x, true
}

// tooMany counts a request that is not kept; mu is held.
func (r *recorder) tooMany() {
	if r.excess++; r.excess == maxExcess {
		go r.flooded()
	}
}

// forget takes back the record of a request that did not arrive as a whole: half of a message would be judged for what it is not. One
// that was too large counts among those that are not kept.
func (r *recorder) forget(x *wire.Exchange, tooLarge bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.exchanges = slices.DeleteFunc(r.exchanges, func(o *wire.Exchange) bool { return o == x })
	if tooLarge {
		r.tooMany()
	}
}

var errTooLarge = errors.New("the body is larger than what is kept of a request")

// read reads a body. Clients that send large ones side by side wait for one another.
func (r *recorder) read(req *http.Request) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(req.Body, small))
	if err == nil && len(body) == small {
		select {
		case r.large <- struct{}{}:
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
		defer func() { <-r.large }()
		var rest []byte
		rest, err = io.ReadAll(io.LimitReader(req.Body, maxSent-small+1))
		body = append(body, rest...)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the body: %w", err)
	case len(body) > maxSent || r.budget.take(len(body)) < len(body):
		return nil, errTooLarge
	}
	return body, nil
}

// watch has arrivals told to f.
func (r *recorder) watch(f func(Arrival)) {
	r.watching.Lock()
	defer r.watching.Unlock()
	for _, a := range r.unseen {
		f(a)
	}
	r.watcher, r.unseen = f, nil
}

// arrived tells who watches of a request.
func (r *recorder) arrived(x *wire.Exchange, m wire.Message) {
	a := Arrival{HTTP: string(x.Request.Method), Method: m.Method, About: modernVersion(m)}
	for _, at := range []string{"/params/protocolVersion", "/params/name"} {
		if a.About == "" || at == "/params/name" {
			_ = m.Decode(at, &a.About) // what is no text is nothing to show
		}
	}
	if a.Method == "" && (m.HasResult || m.HasError) {
		a.Method = "response"
	}
	r.watching.Lock()
	defer r.watching.Unlock()
	switch {
	case r.watcher != nil:
		r.watcher(a)
	case len(r.unseen) < maxRequests:
		r.unseen = append(r.unseen, a)
	}
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
		a.body = append(a.body, p[:a.recorder.budget.take(keep)]...)
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
