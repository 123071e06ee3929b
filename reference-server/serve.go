package refserver

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/legacy"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

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
	mux.Handle(web.Path, s)
	if s.profile.HasHTTPSSE() {
		mux.Handle(legacy.MessagePath, s)
	}
	if s.profile.Auth {
		for _, path := range web.AuthPaths() {
			mux.Handle(path, s)
		}
	}
	r := &Running{
		URL: "http://" + ln.Addr().String() + web.Path,
		http: &http.Server{
			Handler:           mux,
			ReadHeaderTimeout: 10 * time.Second,
			IdleTimeout:       2 * time.Minute,
			ConnContext:       web.WithConnection,
			// Clients that break connections are what this server is for.
			ErrorLog: log.New(io.Discard, "", 0),
		},
		mcp:  s,
		done: make(chan struct{}),
	}
	ln = s.dev.Listener(ln)
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
