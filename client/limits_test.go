package client

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"

	. "github.com/onsi/gomega"
)

const jsonHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
const sseHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

// endlessly writes p until the client goes away.
func endlessly(head, p string, pause time.Duration) func(io.Writer, *http.Request, int) bool {
	return func(w io.Writer, r *http.Request, conn int) bool {
		io.WriteString(w, head)
		for {
			if _, err := io.WriteString(w, p); err != nil {
				return false
			}
			time.Sleep(pause)
		}
	}
}

func TestLimits(t *testing.T) {
	limits := Limits{Header: 4 << 10, Body: 10 << 10, Stream: 20 << 10, Event: 2 << 10, Events: 50, Total: 1 << 20}
	filler := strings.Repeat("x", 1000)
	tests := []struct {
		name   string
		answer func(io.Writer, *http.Request, int) bool
		phase  string
		size   int64
	}{
		{"endless headers", endlessly("HTTP/1.1 200 OK\r\n", "X-A: "+filler+"\r\n", 0), "head", 0},
		{"endless header line", endlessly("HTTP/1.1 200 OK\r\nX-A: ", filler, 0), "head", 0},
		{"endless interim heads", endlessly("", "HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n", 0), "head", 0},
		{"endless body", endlessly(jsonHead, filler, 0), "body", 10 << 10},
		{"endless stream", endlessly(sseHead, ":"+filler+"\n\n", 0), "body", 20 << 10},
		{"endless event", endlessly(sseHead, "data: "+filler+"\n", 0), "body", -1},
		{"endless events", endlessly(sseHead, "data: 1\n\n", 0), "body", -1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, Config{Limits: limits}, test.answer, func(g *WithT, v *Conversation) {
				x := v.Call("x", "ping")
				g.Expect(x.EndedBy).To(Equal(wire.ByLimit), "%+v", x.Error)
				g.Expect(x.Error.Kind).To(Equal(wire.ErrLimit))
				g.Expect(x.Error.Phase).To(Equal(test.phase))
				if test.phase == "head" {
					g.Expect(len(x.Unparsed)).To(BeNumerically("<=", 5<<10))
				}
				if test.size > 0 {
					g.Expect(x.Response.Body.Size()).To(Equal(test.size))
				}
				v.Finish()
			})
		})
	}
	t.Run("all bodies together", func(t *testing.T) {
		small := limits
		small.Total = 15 << 10
		bubble(t, Config{Limits: small}, always("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n"+strings.Repeat("x", 10000)), func(g *WithT, v *Conversation) {
			g.Expect(v.Call("a", "ping").EndedBy).To(Equal(wire.ByServer))
			g.Expect(v.Call("b", "ping").EndedBy).To(Equal(wire.ByLimit))
		})
	})
}

func TestSlowAndSilentServers(t *testing.T) {
	type answering = func(io.Writer, *http.Request, int) bool
	silent := func(prefix string) answering {
		return func(w io.Writer, r *http.Request, conn int) bool {
			io.WriteString(w, prefix)
			w.(net.Conn).Read(make([]byte, 1)) // until the client hangs up
			return false
		}
	}
	answer := `data: {"jsonrpc":"2.0","id":1,"result":{}}` + "\n\n"
	tests := []struct {
		name   string
		answer answering
		by     wire.EndedBy
		phase  string
		took   time.Duration
		served bool
	}{
		{"before the head", silent(""), wire.ByTimeout, "head", 10 * time.Second, false},
		{"within the head", silent("HTTP/1.1 200 OK\r\nContent-"), wire.ByTimeout, "head", 10 * time.Second, false},
		{"after an interim head", silent("HTTP/1.1 103 Early Hints\r\n\r\n"), wire.ByTimeout, "head", 10 * time.Second, false},
		{"after the head", silent(jsonHead), wire.ByTimeout, "body", 10 * time.Second, false},
		{"within the body", silent(jsonHead + `{"json`), wire.ByTimeout, "body", 10 * time.Second, false},
		{"before the answer on a stream", silent(sseHead + ": hello\n\n"), wire.ByTimeout, "body", 10 * time.Second, false},
		{"within an event", silent(sseHead + strings.TrimSuffix(answer, "\n")), wire.ByTimeout, "body", 10 * time.Second, false},
		{"after the answer on a stream", silent(sseHead + answer), wire.ByClient, "", 300 * time.Millisecond, true},
		{"slow head", endlessly("HTTP/1.1 200 OK\r\nX-A: ", "a", 100*time.Millisecond), wire.ByTimeout, "head", 10 * time.Second, false},
		{"slow body", endlessly(jsonHead, "1", 100*time.Millisecond), wire.ByTimeout, "body", 10 * time.Second, false},
		{"answered and goes on", endlessly(sseHead+answer, ": more\n\n", 100*time.Millisecond), wire.ByClient, "", 300 * time.Millisecond, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, Config{}, test.answer, func(g *WithT, v *Conversation) {
				x := v.Call("x", "ping")
				g.Expect(x.EndedBy).To(Equal(test.by))
				g.Expect(x.End - x.Sent).To(Equal(test.took))
				g.Expect(x.Served()).To(Equal(test.served))
				if test.by == wire.ByClient {
					g.Expect(x.Error).To(BeNil())
				} else {
					g.Expect(x.Error.Kind).To(Equal(wire.ErrTimeout))
					g.Expect(x.Error.Phase).To(Equal(test.phase))
				}
			})
		})
	}
}

func TestHangsWhileConnecting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		c, err := New(Config{URL: "http://server.test/", Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		g.Expect(err).NotTo(HaveOccurred())
		x := c.Start(t.Context(), Script{Name: "x", Dialect: dated}).Call("x", "ping")
		g.Expect(x.EndedBy).To(Equal(wire.ByTimeout))
		g.Expect(x.Error).To(Equal(&wire.NetError{Kind: wire.ErrTimeout, Message: errHeadTimeout.Error(), Phase: "dial"}))
		c.Close()
	})
	// A server that takes the connection and says nothing to the TLS handshake.
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		var peers []net.Conn
		c, err := New(Config{URL: "https://server.test/", Dial: func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			peers = append(peers, there)
			go io.Copy(io.Discard, there)
			return here, nil
		}})
		g.Expect(err).NotTo(HaveOccurred())
		x := c.Start(t.Context(), Script{Name: "x", Dialect: dated}).Call("x", "ping")
		g.Expect(x.Error).To(HaveField("Kind", wire.ErrTimeout))
		g.Expect(x.Error.Phase).To(Equal("tls"))
		c.Close()
	})
	// A request that nobody reads.
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		c, err := New(Config{URL: "http://server.test/", Dial: func(context.Context, string, string) (net.Conn, error) {
			here, _ := net.Pipe()
			return here, nil
		}})
		g.Expect(err).NotTo(HaveOccurred())
		x := c.Start(t.Context(), Script{Name: "x", Dialect: dated}).Call("x", "ping")
		g.Expect(x.Error).To(HaveField("Kind", wire.ErrTimeout))
		g.Expect(x.Error.Phase).To(Equal("write"))
		c.Close()
	})
}

func TestNetErrors(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := "http://" + listener.Addr().String()
	listener.Close()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = discardLog
	secure.StartTLS()
	defer secure.Close()
	plain := httptest.NewUnstartedServer(http.NotFoundHandler())
	plain.Config.ErrorLog = discardLog
	plain.Start()
	defer plain.Close()
	reset, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer reset.Close()
	go func() {
		for {
			conn, err := reset.Accept()
			if err != nil {
				return
			}
			bufio.NewReader(conn).ReadByte()
			conn.(*net.TCPConn).SetLinger(0)
			conn.Close()
		}
	}()
	tests := []struct {
		name, url string
		kind      wire.ErrorKind
		phase     string
	}{
		{"refused", refused, wire.ErrRefused, "dial"},
		{"unknown certificate", secure.URL, wire.ErrTLS, "tls"},
		{"TLS to a plain server", strings.Replace(plain.URL, "http", "https", 1), wire.ErrTLS, "tls"},
		{"reset", "http://" + reset.Addr().String(), wire.ErrReset, "head"},
	}
	for _, test := range tests {
		for _, h2 := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/http2=%v", test.name, h2), func(t *testing.T) {
				g := NewWithT(t)
				c := newClient(t, Config{URL: test.url, HTTP2: h2, Timeout: 5 * time.Second})
				x := c.Start(t.Context(), Script{Name: "x", Dialect: dated}).Call("x", "ping")
				g.Expect(x.EndedBy).To(Equal(wire.ByError))
				g.Expect(x.Error.Kind).To(Equal(test.kind), x.Error.Message)
				g.Expect(x.Error.Phase).To(Equal(test.phase), x.Error.Message)
			})
		}
	}
	t.Run("dns", func(t *testing.T) {
		c := newClient(t, Config{URL: "http://server.test/", Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "server.test", IsNotFound: true}}
		}})
		x := c.Start(t.Context(), Script{Name: "x", Dialect: dated}).Call("x", "ping")
		if x.Error == nil || x.Error.Kind != wire.ErrDNS || x.Error.Phase != "dial" {
			t.Errorf("got %+v", x.Error)
		}
	})
}

func TestTLSAndHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer((&echo{}).handler(t))
	server.Config.ErrorLog = discardLog
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	config := Config{URL: server.URL + "/mcp", TLS: server.Client().Transport.(*http.Transport).TLSClientConfig}
	for _, h2 := range []bool{false, true} {
		t.Run(fmt.Sprintf("http2=%v", h2), func(t *testing.T) {
			g := NewWithT(t)
			c := newClient(t, config)
			v := c.Start(t.Context(), Script{Name: "x", Dialect: dated, Revision: "2025-06-18", HTTP2: h2})
			g.Expect(v.Open()).To(BeTrue())
			s := v.Get("get")
			g.Expect(s.Opened()).To(BeTrue())
			g.Expect(v.Call("ping", "ping").Served()).To(BeTrue())
			tr := v.Finish()
			x := tr.Exchange("ping")
			if h2 {
				g.Expect(x.Response.Proto).To(Equal("HTTP/2.0"))
				g.Expect(x.Response.RawHead).To(BeEmpty())
			} else {
				g.Expect(x.Response.Proto).To(Equal("HTTP/1.1"))
				g.Expect(x.Response.RawHead.String()).To(HavePrefix("HTTP/1.1 200 OK\r\n"))
			}
			g.Expect(tr.Exchange("auto/delete").Status()).To(Equal(204))
		})
	}
}

func TestProxies(t *testing.T) {
	plain := httptest.NewServer((&echo{}).handler(t))
	defer plain.Close()
	secure := httptest.NewUnstartedServer((&echo{}).handler(t))
	secure.Config.ErrorLog = discardLog
	secure.StartTLS()
	defer secure.Close()
	var methods []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		methods = append(methods, r.Method+" "+r.Host)
		if r.Method != http.MethodConnect {
			req := r.Clone(r.Context())
			req.RequestURI = ""
			res, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			defer res.Body.Close()
			for k, v := range res.Header {
				w.Header()[k] = v
			}
			w.WriteHeader(res.StatusCode)
			io.Copy(w, res.Body)
			return
		}
		there, err := net.Dial("tcp", r.Host)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		here, _, _ := w.(http.Hijacker).Hijack()
		io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n")
		go func() { io.Copy(there, here); there.Close() }()
		go func() { io.Copy(here, there); here.Close() }()
	}))
	defer proxy.Close()
	for _, server := range []*httptest.Server{plain, secure} {
		for _, h2 := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/http2=%v", strings.Split(server.URL, ":")[0], h2), func(t *testing.T) {
				g := NewWithT(t)
				methods = nil
				u := mustURL(proxy.URL)
				config := Config{URL: server.URL + "/mcp", Proxy: http.ProxyURL(u), HTTP2: h2, TLS: &tls.Config{InsecureSkipVerify: true}}
				c := newClient(t, config)
				v := c.Start(t.Context(), Script{Name: "x", Dialect: dated, Revision: "2025-06-18"})
				x := v.Initialize("initialize", "2025-06-18")
				g.Expect(x.Served()).To(BeTrue(), "%+v", x.Error)
				g.Expect(methods).NotTo(BeEmpty())
				if !h2 {
					g.Expect(x.Response.RawHead.String()).To(HavePrefix("HTTP/1.1 200 OK\r\n"))
				}
			})
		}
	}
}

func TestNothingIsLeftRunning(t *testing.T) {
	before := runtime.NumGoroutine()
	server := httptest.NewServer((&echo{sse: true}).handler(t))
	c, err := New(Config{URL: server.URL + "/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	v := c.Start(ctx, Script{Name: "left", Dialect: dated, Revision: "2025-06-18"})
	v.Open()
	v.Get("one")
	v.Get("two")
	cancel()
	g := NewWithT(t)
	x := v.Call("late", "ping")
	g.Expect(x.Error.Kind).To(Equal(wire.ErrCancelled))
	tr := v.Finish()
	g.Expect(tr.Aborted).NotTo(BeEmpty())
	g.Expect(tr.Exchange("one").Error.Kind).To(Equal(wire.ErrCancelled))
	g.Expect(v.Call("after", "ping").Error.Kind).To(Equal(wire.ErrCancelled))
	g.Expect(v.Finish()).To(BeIdenticalTo(tr))
	g.Expect(tr.Exchange("after")).To(BeNil())
	g.Expect(c.Sessions()).To(Equal([]string{"s-1"}))
	c.CleanUp(context.WithoutCancel(ctx))
	g.Expect(c.Sessions()).To(BeEmpty())
	c.Close()
	server.Close()
	g.Eventually(runtime.NumGoroutine).WithTimeout(3 * time.Second).Should(BeNumerically("<=", before))
}

func TestCloseEndsWhatIsUnderWay(t *testing.T) {
	never := func(w io.Writer, r *http.Request, conn int) bool {
		w.(net.Conn).Read(make([]byte, 1))
		return false
	}
	bubble(t, Config{}, never, func(g *WithT, v *Conversation) {
		done := make(chan *wire.Exchange)
		go func() { done <- v.Call("x", "ping") }()
		synctest.Wait()
		v.Client().Close()
		g.Expect((<-done).Error.Kind).To(Equal(wire.ErrCancelled))
	})
}
