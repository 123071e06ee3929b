// Package live shows a page that changes in a browser on this machine: on a loopback port, at a path that nobody can guess, to pages of
// its own origin only. It knows nothing of what it shows.
package live

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// The frame is a page of ours around the one that is shown, so that the latter keeps its own policy, which allows no network at all.
var (
	//go:embed frame.html
	frameHTML []byte
	//go:embed frame.css
	frameStyle []byte
	//go:embed frame.js
	frameScript []byte
)

// A Page is served until it is closed.
type Page struct {
	// URL is where it is. Who knows it can read the page.
	URL string

	host   string
	frame  []byte
	server *http.Server

	mu      sync.Mutex
	content []byte
	state   state
	changed chan struct{} // closed and made anew with each change
}

// state is what the frame is told.
type state struct {
	// Version counts the contents; 0 before there is any.
	Version int `json:"version"`
	// Status says what is going on.
	Status string `json:"status"`
}

// Serve begins to serve a page, with nothing on it yet.
func Serve(title string) (*Page, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serving the page: %w", err)
	}
	base := "/" + rand.Text() + "/"
	p := &Page{URL: "http://" + ln.Addr().String() + base, host: ln.Addr().String(), changed: make(chan struct{})}
	escaped, err := json.Marshal(title) // no markup in it: json escapes <, > and &
	if err != nil {
		return nil, fmt.Errorf("serving the page: %w", err)
	}
	script := bytes.ReplaceAll(frameScript, []byte("{{title}}"), escaped)
	p.frame = bytes.ReplaceAll(bytes.ReplaceAll(frameHTML, []byte("{{style}}"), frameStyle), []byte("{{script}}"), script)
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+base+"{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src "+hash(frameStyle)+"; script-src "+hash(script)+
			"; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		html(w, p.frame)
	})
	mux.HandleFunc("GET "+base+"page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "frame-ancestors 'self'")
		p.mu.Lock()
		content := p.content
		p.mu.Unlock()
		html(w, content)
	})
	mux.HandleFunc("GET "+base+"state", p.tell)
	p.server = &http.Server{Handler: p.guard(mux), ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = p.server.Serve(ln) }() // returns when it is closed
	return p, nil
}

// Close ends the serving.
func (p *Page) Close() error { return p.server.Close() }

// Show puts a whole HTML page in the place of what was shown.
func (p *Page) Show(content []byte) {
	p.change(func() { p.content = content; p.state.Version++ })
}

// Tell says what is going on.
func (p *Page) Tell(status string) { p.change(func() { p.state.Status = status }) }

func (p *Page) change(how func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.state
	if how(); p.state != before {
		close(p.changed)
		p.changed = make(chan struct{})
	}
}

// guard turns away whoever comes by another name, which a page of another origin can make a browser do, and whoever is sent by another
// origin. That origin then does not even learn whether there is something.
func (p *Page) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
		if r.Host != p.host || origin != "" && origin != "http://"+p.host || site != "" && site != "same-origin" && site != "none" {
			http.Error(w, "not for other origins", http.StatusForbidden)
			return
		}
		for name, value := range map[string]string{
			"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
			"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
		} {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}

// tell streams the state, now and whenever it changes.
func (p *Page) tell(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	for {
		p.mu.Lock()
		now, changed := p.state, p.changed
		p.mu.Unlock()
		data, err := json.Marshal(now)
		if err != nil {
			return
		}
		if _, err := fmt.Fprintf(w, "data: %s\n\n", data); err != nil || flush.Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

func html(w http.ResponseWriter, content []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(content)
}

// hash names a style or script in a policy.
func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
