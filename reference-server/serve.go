package refserver

import (
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// Path is where the server is mounted by [Serve] and [Listen].
const Path = "/mcp"

// A Running is a Server on a listener.
type Running struct {
	URL  string // http://127.0.0.1:PORT/mcp
	http *http.Server
	mcp  *Server
	done chan struct{}
}

// Listen serves s on a TCP address such as 127.0.0.1:0.
func Listen(addr string, s *Server) (*Running, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	return Serve(ln, s), nil
}

// Serve serves s at Path on a listener, with HTTP+SSE at MessagePath too and the metadata of a protected server where it belongs, and 404
// elsewhere, until Close.
func Serve(ln net.Listener, s *Server) *Running {
	mux := http.NewServeMux()
	mux.Handle(Path, s)
	if s.profile.hasHTTPSSE() {
		mux.Handle(MessagePath, s)
	}
	if s.profile.Auth {
		for _, path := range authPaths() {
			mux.Handle(path, s)
		}
	}
	r := &Running{
		URL: "http://" + ln.Addr().String() + Path,
		http: &http.Server{
			Handler:           mux,
			ReadHeaderTimeout: 10 * time.Second,
			IdleTimeout:       2 * time.Minute,
			// Clients that break connections are what this server is for.
			ErrorLog: log.New(io.Discard, "", 0),
		},
		mcp:  s,
		done: make(chan struct{}),
	}
	if s.dev != nil && len(s.dev.Wire) > 0 {
		ln = wireListener{ln, s.dev.Wire}
	}
	go func() {
		defer close(r.done)
		_ = r.http.Serve(ln) // returns when Close is called
	}()
	return r
}

// Close ends the server, its streams and its connections.
func (r *Running) Close() error {
	r.mcp.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := r.http.Shutdown(ctx)
	if err != nil {
		err = r.http.Close()
	}
	<-r.done
	return err
}

// A wireListener puts WireEdits into effect: for what net/http hides from a handler, such as the spelling of a header.
type wireListener struct {
	net.Listener
	edits []WireEdit
}

func (l wireListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return wireConn{c, l.edits}, nil
}

type wireConn struct {
	net.Conn
	edits []WireEdit
}

// Read edits what arrived in one piece; a head that comes in several may be missed.
func (c wireConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	for _, e := range c.edits {
		copy(b[:n], bytes.ReplaceAll(b[:n], []byte(e.Find), []byte(e.Replace)))
	}
	return n, err
}
