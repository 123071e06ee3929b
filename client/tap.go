package client

import (
	"bytes"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A tapConn is a connection of the recording client. It shows every byte that is read to the tap of the exchange that is under
// way, and hands net/http no byte beyond the end of a response: those are kept as surplus and end the connection, which also
// keeps net/http from printing them to the log of the process.
type tapConn struct {
	net.Conn
	number int
	bytes  *atomic.Int64
	onEnd  func(*tapConn)

	mu      sync.Mutex
	next    *tap          // of the request that is about to be written
	current *tap          // of the request written last
	written chan struct{} // closed by the first request
	closed  chan struct{}
	spoiled bool // surplus was read: nothing may be sent or read any more
	ended   bool
}

func newTapConn(conn net.Conn, number int, bytes *atomic.Int64, onEnd func(*tapConn)) *tapConn {
	return &tapConn{Conn: conn, number: number, bytes: bytes, onEnd: onEnd,
		written: make(chan struct{}), closed: make(chan struct{})}
}

// bind makes t the tap of the request that is written next. Bytes that come before that still belong to the one before.
func (c *tapConn) bind(t *tap) {
	c.mu.Lock()
	c.next = t
	c.mu.Unlock()
}

// Write passes p on; the first write of a request starts its tap and inserts its verbatim header lines.
func (c *tapConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	var lines []byte
	if c.next != nil {
		if c.current == nil {
			close(c.written)
		}
		c.current, c.next = c.next, nil
		lines = c.current.lines
	}
	current := c.current
	c.mu.Unlock()
	if current != nil {
		current.writing.Store(true)
		defer current.writing.Store(false)
	}
	if i := bytes.Index(p, []byte("\r\n")); len(lines) > 0 && i >= 0 {
		q := make([]byte, 0, len(p)+len(lines))
		q = append(append(append(q, p[:i+2]...), lines...), p[i+2:]...)
		n, err := c.Conn.Write(q)
		return max(0, min(len(p), n-len(lines))), err
	}
	return c.Conn.Write(p)
}

// Read hands out the bytes that belong to a response. What comes before the first request waits for it.
func (c *tapConn) Read(p []byte) (int, error) {
	c.mu.Lock()
	spoiled := c.spoiled
	c.mu.Unlock()
	if spoiled {
		return 0, io.EOF
	}
	n, err := c.Conn.Read(p)
	if n == 0 {
		return n, err
	}
	c.bytes.Add(int64(n))
	select {
	case <-c.written:
	default:
		select {
		case <-c.written:
		case <-c.closed:
			return 0, net.ErrClosed
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.current.feed(p[:n])
	if kept < n {
		c.spoiled = true
		if kept == 0 {
			return 0, io.EOF
		}
		err = nil
	}
	return kept, err
}

// Close closes the connection, once.
func (c *tapConn) Close() error {
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return net.ErrClosed
	}
	c.ended = true
	close(c.closed)
	c.mu.Unlock()
	c.onEnd(c)
	return c.Conn.Close()
}

// What the tap waits for next.
type tapState int

const (
	inHead tapState = iota
	inBody
	inChunkSize
	inChunk
	inChunkEnd
	inTrailer
	toEnd   // whatever comes, until the connection closes
	afterIt // the response is complete: all that follows is surplus
)

// A tap follows one response on its connection: it keeps its heads, and knows where it ends by the rules of RFC 9112
// section 6.3 as net/http applies them, to tell surplus bytes.
type tap struct {
	method     string
	lines      []byte      // header lines to insert verbatim into the request
	writing    atomic.Bool // the request is being written: net/http's trace cannot tell, it stops at the buffer
	headLimit  int
	extraLimit int

	mu      sync.Mutex
	state   tapState
	seen    int64
	head    []byte // under way
	line    []byte // chunk size or trailer line under way
	left    int64
	final   []byte
	interim []wire.Bytes
	surplus []byte
	broken  bool // the head is beyond the limit or not HTTP
}

// maxInterim bounds the 1xx heads that are kept.
const maxInterim = 16

// feed takes bytes of the connection and returns how many of them belong to the response.
func (t *tap) feed(p []byte) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen += int64(len(p))
	for i := 0; i < len(p); {
		switch t.state {
		case inHead:
			i += t.feedHead(p[i:])
		case inBody, inChunk:
			n := min(t.left, int64(len(p)-i))
			t.left -= n
			i += int(n)
			if t.left == 0 {
				if t.state == inChunk {
					t.state = inChunkEnd
				} else {
					t.state = afterIt
				}
			}
		case inChunkSize, inChunkEnd, inTrailer:
			n := bytes.IndexByte(p[i:], '\n')
			if n < 0 {
				t.line = append(t.line, p[i:]...)
				i = len(p)
			} else {
				t.line = append(t.line, p[i:i+n]...)
				i += n + 1
				t.endLine()
			}
			if len(t.line) > 8<<10 {
				t.state = toEnd
			}
		case toEnd:
			return len(p)
		case afterIt:
			rest := p[i:]
			if i == 0 && len(t.surplus) == 0 && (bytes.HasPrefix(rest, []byte("HTTP/1.1 408")) || bytes.HasPrefix(rest, []byte("HTTP/1.0 408"))) {
				return 0 // a server that says why it closes an idle connection
			}
			t.surplus = append(t.surplus, rest[:min(len(rest), max(0, t.extraLimit-len(t.surplus)))]...)
			return i
		}
	}
	return len(p)
}

// feedHead collects up to the empty line and returns how many bytes it took.
func (t *tap) feedHead(p []byte) int {
	for i, b := range p {
		if len(t.head) >= t.headLimit {
			t.broken, t.state = true, toEnd
			return i
		}
		t.head = append(t.head, b)
		if b == '\n' && (bytes.HasSuffix(t.head, []byte("\n\n")) || bytes.HasSuffix(t.head, []byte("\n\r\n"))) {
			t.endHead()
			return i + 1
		}
	}
	return len(p)
}

func (t *tap) endHead() {
	head := t.head
	t.head = nil
	status, http11, ok := statusLine(head)
	if !ok {
		t.head, t.broken, t.state = head, true, toEnd
		return
	}
	if status >= 100 && status <= 199 && status != 101 {
		if len(t.interim) < maxInterim {
			t.interim = append(t.interim, head)
		}
		return
	}
	t.final = head
	t.state = toEnd
	length, chunked, ok := framing(head, http11)
	switch {
	case status == 101:
	case status == 204, status == 304, t.method == "HEAD":
		t.state = afterIt
	case !ok:
	case chunked:
		t.state = inChunkSize
	case length == 0:
		t.state = afterIt
	case length > 0:
		t.state, t.left = inBody, length
	}
}

// endLine takes a line of the chunked coding.
func (t *tap) endLine() {
	line := strings.TrimRight(string(t.line), "\r")
	t.line = t.line[:0]
	switch t.state {
	case inChunkEnd:
		t.state = inChunkSize
		if line != "" {
			t.state = toEnd
		}
	case inTrailer:
		if line == "" {
			t.state = afterIt
		}
	case inChunkSize:
		size, _, _ := strings.Cut(line, ";")
		n, err := strconv.ParseInt(strings.TrimSpace(size), 16, 64)
		switch {
		case err != nil || n < 0:
			t.state = toEnd
		case n == 0:
			t.state = inTrailer
		default:
			t.state, t.left = inChunk, n
		}
	}
}

// statusLine reads the first line of a head.
func statusLine(head []byte) (status int, http11, ok bool) {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	proto, rest, _ := strings.Cut(strings.TrimRight(string(line), "\r"), " ")
	code, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	status, err := strconv.Atoi(code)
	return status, proto == "HTTP/1.1", err == nil && len(code) == 3 && strings.HasPrefix(proto, "HTTP/1.")
}

// framing tells how the body is delimited: length -1 is "until the connection closes". Not ok: net/http will refuse it.
func framing(head []byte, http11 bool) (length int64, chunked, ok bool) {
	length = -1
	for line := range strings.SplitSeq(string(head), "\n") {
		name, value, found := strings.Cut(line, ":")
		if !found {
			continue
		}
		value = strings.Trim(value, " \t\r")
		switch strings.ToLower(name) {
		case "transfer-encoding":
			if !http11 {
				continue
			}
			if chunked || !strings.EqualFold(value, "chunked") {
				return 0, false, false
			}
			chunked = true
		case "content-length":
			n, err := strconv.ParseUint(value, 10, 63)
			if err != nil || length >= 0 && length != int64(n) {
				return 0, false, chunked // chunked wins over whatever this says
			}
			length = int64(n)
		}
	}
	return length, chunked, true
}

// A tapped is what a tap has so far, copied.
type tapped struct {
	seen    int64
	final   []byte
	interim []wire.Bytes
	surplus []byte
	stray   []byte // bytes that are no head
}

func (t *tap) snapshot() tapped {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := tapped{seen: t.seen, final: bytes.Clone(t.final), surplus: bytes.Clone(t.surplus), interim: append([]wire.Bytes(nil), t.interim...)}
	if t.final == nil {
		s.stray = bytes.Clone(t.head)
	}
	return s
}
