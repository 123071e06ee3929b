package mock

import (
	"bytes"
	"net"
	"sync"
)

const (
	// maxHead is how large the head of a request may be, in bytes; net/http refuses larger ones with 431.
	maxHead = 64 << 10
	// maxPending is how many bytes of a connection are kept until their request is known: its head, and what net/http reads ahead.
	maxPending = 2 * maxHead
)

// A tappedConn is a connection of a client under test. net/http hides how the client spelt and ordered its header fields, so what is read
// is kept until the handler of a request looks for its head.
type tappedConn struct {
	net.Conn
	number int

	mu       sync.Mutex
	pending  []byte
	requests int
}

func (c *tappedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.mu.Lock()
		c.pending = append(c.pending, p[:n]...)
		if over := len(c.pending) - maxPending; over > 0 {
			c.pending = append([]byte(nil), c.pending[over:]...)
		}
		c.mu.Unlock()
	}
	return n, err
}

// head returns the head of the next request and tells whether an earlier one had used the connection. It is found by its request line: no
// body of JSON has one, since a line break in JSON stands between tokens only.
func (c *tappedConn) head(method, uri string) (raw []byte, reused bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	reused = c.requests > 0
	c.requests++
	begin := bytes.Index(c.pending, []byte(method+" "+uri+" HTTP/"))
	if begin < 0 {
		return nil, reused
	}
	end := bytes.Index(c.pending[begin:], []byte("\r\n\r\n"))
	if end < 0 || end > maxHead {
		return nil, reused
	}
	raw = bytes.Clone(c.pending[begin : begin+end+4])
	c.pending = append([]byte(nil), c.pending[begin+end+4:]...)
	return raw, reused
}

// A tappedListener counts the connections that it accepts, bounds how many are open at a time, and taps them.
type tappedListener struct {
	net.Listener
	places chan struct{}

	mu    sync.Mutex
	count int
}

// maxConnections is how many connections of one client are open at a time; others wait to be accepted.
const maxConnections = 200

func newTappedListener(l net.Listener) *tappedListener {
	return &tappedListener{Listener: l, places: make(chan struct{}, maxConnections)}
}

func (l *tappedListener) Accept() (net.Conn, error) {
	l.places <- struct{}{}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	l.mu.Lock()
	l.count++
	number := l.count
	l.mu.Unlock()
	return &placedConn{tappedConn: &tappedConn{Conn: conn, number: number}, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

// A placedConn gives its place back when it is closed.
type placedConn struct {
	*tappedConn
	leave func()
}

func (c *placedConn) Close() error {
	c.leave()
	return c.tappedConn.Close()
}
