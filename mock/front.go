package mock

import (
	"net"
	"sync"
)

// A Front is one address for starts that come one after another. A connection that is made between two of them waits for the next.
type Front struct {
	listener net.Listener
	conns    chan net.Conn
	done     chan struct{}
	close    func() error
}

// NewFront serves from a listener, which it closes.
func NewFront(l net.Listener) *Front {
	f := &Front{listener: l, conns: make(chan net.Conn), done: make(chan struct{})}
	f.close = sync.OnceValue(func() error { close(f.done); return l.Close() })
	go f.accept()
	return f
}

func (f *Front) accept() {
	for {
		conn, err := f.listener.Accept()
		if err != nil {
			return // it is closed
		}
		select {
		case f.conns <- conn:
		case <-f.done:
			_ = conn.Close()
			return
		}
	}
}

// Addr is where the front listens.
func (f *Front) Addr() net.Addr { return f.listener.Addr() }

// Close ends it.
func (f *Front) Close() error { return f.close() }

// Listen returns the listener of the next start. Closing it leaves the front open.
func (f *Front) Listen() (net.Listener, error) {
	done := make(chan struct{})
	return &turnListener{front: f, done: done, close: sync.OnceFunc(func() { close(done) })}, nil
}

// A turnListener is the front for the time of one start.
type turnListener struct {
	front *Front
	done  chan struct{}
	close func()
}

func (l *turnListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.front.conns:
		return conn, nil
	case <-l.done:
	case <-l.front.done:
	}
	return nil, net.ErrClosed
}

func (l *turnListener) Addr() net.Addr { return l.front.Addr() }

func (l *turnListener) Close() error { l.close(); return nil }
