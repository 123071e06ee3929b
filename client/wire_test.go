package client

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"

	. "github.com/onsi/gomega"
)

// A raw server reads requests with net/http and writes its answers by hand, byte for byte, over net.Pipe or a socket. The script
// gets the connection, what number it has, and each request; it returns false to close.
type rawServer struct {
	answer func(w io.Writer, r *http.Request, conn int) bool
	conns  atomic.Int64
	wg     sync.WaitGroup
}

func (s *rawServer) serve(conn net.Conn) {
	number := int(s.conns.Add(1))
	s.wg.Go(func() {
		defer conn.Close()
		in := bufio.NewReader(conn)
		for {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			if !s.answer(conn, r, number) {
				return
			}
		}
	})
}

func (s *rawServer) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	s.serve(there)
	return here, nil
}

// bubble runs a test in a synctest bubble against a raw server over net.Pipe, and waits for every goroutine.
func bubble(t *testing.T, config Config, answer func(w io.Writer, r *http.Request, conn int) bool, test func(g *WithT, v *Conversation)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server := &rawServer{answer: answer}
		if config.URL == "" {
			config.URL = "http://server.test/mcp"
		}
		config.Dial = server.dial
		c, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		test(NewWithT(t), c.Start(t.Context(), Script{Name: "wire", Dialect: dated, Revision: "2025-06-18"}))
		c.Close()
		server.wg.Wait()
	})
}

// always answers with these bytes.
func always(bytes string) func(io.Writer, *http.Request, int) bool {
	return func(w io.Writer, r *http.Request, conn int) bool {
		_, err := io.WriteString(w, bytes)
		return err == nil
	}
}

const pong = `{"jsonrpc":"2.0","id":1,"result":{}}`

func TestRawBytes(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 36\r\n\r\n" + pong
	tests := []struct {
		name, wire string
		close      bool
		check      func(g *WithT, x *wire.Exchange)
	}{
		{"raw head", "HTTP/1.1 200 Fine  by me\r\ncontent-TYPE: application/json\r\nContent-Length: 36\r\nX-A: 1\r\nX-A:  2 \r\n\r\n" + pong, false, func(g *WithT, x *wire.Exchange) {
			g.Expect(string(x.Response.RawHead)).To(Equal("HTTP/1.1 200 Fine  by me\r\ncontent-TYPE: application/json\r\nContent-Length: 36\r\nX-A: 1\r\nX-A:  2 \r\n\r\n"))
			g.Expect(x.Served()).To(BeTrue())
			g.Expect(x.EndedBy).To(Equal(wire.ByServer))
		}},
		{"bare LF", strings.ReplaceAll(ok, "\r\n", "\n"), false, func(g *WithT, x *wire.Exchange) {
			g.Expect(string(x.Response.RawHead)).To(HavePrefix("HTTP/1.1 200 OK\n"))
			g.Expect(x.Served()).To(BeTrue())
		}},
		{"interim heads", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + ok, false, func(g *WithT, x *wire.Exchange) {
			g.Expect(x.Response.Interim).To(HaveLen(2))
			g.Expect(string(x.Response.Interim[1])).To(Equal("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"))
			g.Expect(x.Served()).To(BeTrue())
		}},
		{"body after 204", "HTTP/1.1 204 No Content\r\n\r\nsurprise", false, func(g *WithT, x *wire.Exchange) {
			g.Expect(x.Status()).To(Equal(204))
			g.Expect(x.Response.Surplus.String()).To(Equal("surprise"))
			g.Expect(x.Response.Body.IsZero()).To(BeTrue())
			g.Expect(x.Error).To(BeNil())
		}},
		{"body after 202 of length 0", "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n{}", false, func(g *WithT, x *wire.Exchange) {
			g.Expect(x.Response.Surplus.String()).To(Equal("{}"))
		}},
		{"more than Content-Length", ok + "xyz", false, func(g *WithT, x *wire.Exchange) {
			g.Expect(x.Served()).To(BeTrue())
			g.Expect(x.Response.Surplus.String()).To(Equal("xyz"))
		}},
		{"after the last chunk", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n24;x=y\r\n" + pong + "\r\n0\r\nX-T: 1\r\n\r\nmore", false, func(g *WithT, x *wire.Exchange) {
			g.Expect(x.Served()).To(BeTrue())
			g.Expect(x.Response.Surplus.String()).To(Equal("more"))
		}},
		{"a 408 is no surplus", ok + "HTTP/1.1 408 Request Timeout\r\n\r\n", false, func(g *WithT, x *wire.Exchange) {
			// Written at once with the answer it cannot be told from a surplus body.
			g.Expect(x.Served()).To(BeTrue())
		}},
		{"until close", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + pong, true, func(g *WithT, x *wire.Exchange) {
			g.Expect(x.Served()).To(BeTrue())
			g.Expect(x.EndedBy).To(Equal(wire.ByServer))
		}},
		{"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 36\r\nContent-Length: 7\r\n\r\n" + pong, false, func(g *WithT, x *wire.Exchange) {
			g.Expect(x.Response).To(BeNil())
			g.Expect(x.EndedBy).To(Equal(wire.ByError))
			g.Expect(x.Error.Kind).To(Equal(wire.ErrProtocol))
			g.Expect(x.Unparsed.String()).To(ContainSubstring("Content-Length: 7"))
		}},
		{"two equal lengths", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 36\r\nContent-Length: 36\r\n\r\n" + pong, false, func(g *WithT, x *wire.Exchange) {
			g.Expect(x.Served()).To(BeTrue())
			g.Expect(strings.Count(x.Response.RawHead.String(), "Content-Length: 36")).To(Equal(2))
		}},
		{"bad chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", false, func(g *WithT, x *wire.Exchange) {
			g.Expect(x.EndedBy).To(Equal(wire.ByError))
			g.Expect(x.Error).To(HaveField("Kind", wire.ErrProtocol))
			g.Expect(x.Error.Phase).To(Equal("body"))
		}},
		{"short body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", true, func(g *WithT, x *wire.Exchange) {
			g.Expect(x.EndedBy).To(Equal(wire.ByError))
			g.Expect(x.Error.Kind).To(Equal(wire.ErrClosed))
			g.Expect(string(x.Response.Body.Bytes())).To(Equal("short"))
		}},
		{"not HTTP", "SSH-2.0-OpenSSH_9.7\r\n", true, func(g *WithT, x *wire.Exchange) {
			g.Expect(x.Error.Kind).To(Equal(wire.ErrProtocol))
			g.Expect(x.Error.Phase).To(Equal("head"))
			g.Expect(x.Unparsed.String()).To(Equal("SSH-2.0-OpenSSH_9.7\r\n"))
		}},
		{"closed at once", "", true, func(g *WithT, x *wire.Exchange) {
			g.Expect(x.Error.Kind).To(Equal(wire.ErrClosed))
			g.Expect(x.EndedBy).To(Equal(wire.ByError))
			g.Expect(x.Unparsed).To(BeEmpty())
		}},
		{"not decompressed", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: deflate\r\nContent-Length: 2\r\n\r\n\x03\x00", false, func(g *WithT, x *wire.Exchange) {
			g.Expect(string(x.Response.Body.Bytes())).To(Equal("\x03\x00"))
			g.Expect(x.Messages()).To(BeEmpty())
		}},
		{"redirect is not followed", "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://elsewhere.test/\r\nContent-Length: 0\r\n\r\n", false, func(g *WithT, x *wire.Exchange) {
			g.Expect(x.Status()).To(Equal(307))
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			answer := func(w io.Writer, r *http.Request, conn int) bool {
				_, err := io.WriteString(w, test.wire)
				return err == nil && !test.close
			}
			bubble(t, Config{Timeout: time.Second}, answer, func(g *WithT, v *Conversation) {
				v.Call("x", "ping")
				synctest.Wait()
				test.check(g, v.Finish().Exchange("x"))
			})
		})
		// The same over a real socket, where reads are cut as the kernel likes.
		t.Run(test.name+"/socket", func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			server := &rawServer{answer: func(w io.Writer, r *http.Request, conn int) bool {
				_, err := io.WriteString(w, test.wire)
				return err == nil && !test.close
			}}
			go func() {
				for {
					conn, err := listener.Accept()
					if err != nil {
						return
					}
					server.serve(conn)
				}
			}()
			defer listener.Close()
			c := newClient(t, Config{URL: "http://" + listener.Addr().String() + "/", Timeout: time.Minute})
			v := c.Start(t.Context(), Script{Name: "wire", Dialect: dated, Revision: "2025-06-18"})
			v.Call("x", "ping")
			test.check(NewWithT(t), v.Finish().Exchange("x"))
		})
	}
}

func TestLateSurplusBelongsToItsResponse(t *testing.T) {
	for sent, want := range map[string]string{"late": "late", "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n": ""} {
		t.Run(sent, func(t *testing.T) { lateSurplus(t, sent, want) })
	}
}

func lateSurplus(t *testing.T, sent, want string) {
	release := make(chan func(), 1)
	answer := func(w io.Writer, r *http.Request, conn int) bool {
		io.WriteString(w, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
		select {
		case release <- func() { io.WriteString(w, sent) }:
		default:
		}
		return true
	}
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		release = make(chan func(), 1)
		server := &rawServer{answer: answer}
		c, err := New(Config{URL: "http://server.test/mcp", Dial: server.dial})
		g.Expect(err).NotTo(HaveOccurred())
		v := c.Start(t.Context(), Script{Name: "late", Dialect: dated, Revision: "2025-06-18"})
		v.Notify("first", "notifications/initialized")
		(<-release)()
		synctest.Wait()
		v.Notify("second", "notifications/initialized")
		tr := v.Finish()
		g.Expect(tr.Exchange("first").Response.Surplus.String()).To(Equal(want))
		g.Expect(tr.Exchange("second").Status()).To(Equal(202))
		g.Expect(tr.Exchange("second").Conn).To(Equal(2))
		c.Close()
		server.wg.Wait()
	})
}

// TestFreshConnections: a request that wants a connection of its own gets one, and leaves none behind that another could use.
func TestFreshConnections(t *testing.T) {
	bubble(t, Config{}, always("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), func(g *WithT, v *Conversation) {
		v.Notify("usual", "notifications/initialized")
		v.Notify("fresh", "notifications/initialized", Fresh())
		v.Notify("fresh again", "notifications/initialized", Fresh())
		v.Notify("usual again", "notifications/initialized")
		tr := v.Finish()
		for label, conn := range map[string]int{"usual": 1, "fresh": 2, "fresh again": 3, "usual again": 1} {
			g.Expect(tr.Exchange(label).Conn).To(Equal(conn), label)
			g.Expect(tr.Exchange(label).Reused).To(Equal(label == "usual again"), label)
		}
	})
}

func TestStaleConnectionIsRecorded(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		t.Run(method, func(t *testing.T) {
			requests := map[int]int{}
			answer := func(w io.Writer, r *http.Request, conn int) bool {
				requests[conn]++
				if conn == 1 && requests[conn] == 2 {
					return false // it was read, and the connection closes without an answer
				}
				io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
				return true
			}
			bubble(t, Config{}, answer, func(g *WithT, v *Conversation) {
				v.Do("a", method, nil)
				x := v.Do("b", method, nil)
				g.Expect(x.Status()).To(Equal(200))
				tr := v.Finish()
				stale := tr.Exchange("auto/stale/b/1")
				g.Expect(stale.Origin).To(Equal(wire.Origin{Kind: wire.FromStale, Of: "b", Number: 1}))
				g.Expect(tr.Exchange("b").Origin).To(Equal(wire.Origin{Kind: wire.FromScript}))
				g.Expect(stale).NotTo(BeNil())
				g.Expect(stale.Reused).To(BeTrue())
				g.Expect(stale.Error.Kind).To(Equal(wire.ErrClosed))
				g.Expect(tr.Exchange("b").Conn).To(Equal(2))
				g.Expect(requests).To(Equal(map[int]int{1: 2, 2: 1}), "net/http repeated a request behind our back")
			})
		})
	}
}

func TestRequestsAsGiven(t *testing.T) {
	var mu sync.Mutex
	var heads []string
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for {
					var head strings.Builder
					length := 0
					for {
						line, err := in.ReadString('\n')
						if err != nil {
							return
						}
						head.WriteString(line)
						if v, ok := strings.CutPrefix(line, "Content-Length: "); ok {
							for _, d := range strings.TrimSpace(v) {
								length = 10*length + int(d-'0')
							}
						}
						if line == "\r\n" {
							break
						}
					}
					io.CopyN(io.Discard, in, int64(length))
					mu.Lock()
					heads = append(heads, head.String())
					mu.Unlock()
					io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
				}
			}()
		}
	}()
	g := NewWithT(t)
	c := newClient(t, Config{URL: "http://" + listener.Addr().String() + "/mcp", ClientVersion: "1.2"})
	v := c.Start(t.Context(), Script{Name: "as/given", Dialect: dated, Revision: "2025-06-18"})
	v.Call("plain", "ping")
	v.Do("get", http.MethodGet, nil, WithoutHeader("User-Agent"))
	v.Call("odd", "ping", WithHeader("aCCept", "x"), AddHeader("Accept", "y"), WithHost("evil.test"), WithSession("s"), WithVersion("v"),
		WithLine("Mcp-Method:   ping \t"), WithLine("X-Raw: \xe9"))
	v.Post("empty", nil)
	tr := v.Finish()
	host := listener.Addr().String()
	g.Expect(heads).To(Equal([]string{
		"POST /mcp HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: mcpcheck/1.2 (as/given)\r\nContent-Length: 40\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n\r\n",
		"GET /mcp HTTP/1.1\r\nHost: " + host + "\r\nAccept: text/event-stream\r\n\r\n",
		"POST /mcp HTTP/1.1\r\nMcp-Method:   ping \t\r\nX-Raw: \xe9\r\nHost: evil.test\r\nUser-Agent: mcpcheck/1.2 (as/given)\r\nContent-Length: 40\r\nContent-Type: application/json\r\nMCP-Protocol-Version: v\r\nMcp-Session-Id: s\r\naCCept: x\r\naCCept: y\r\n\r\n",
		"POST /mcp HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: mcpcheck/1.2 (as/given)\r\nContent-Length: 0\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n\r\n",
	}))
	odd := tr.Exchange("odd").Request
	g.Expect(odd.Host).To(Equal("evil.test"))
	g.Expect(odd.Header).To(HaveKeyWithValue("Mcp-Method", []string{"   ping \t"}))
	g.Expect(odd.Header).To(HaveKeyWithValue("aCCept", []string{"x", "y"}))
	g.Expect(tr.Exchange("get").Request.Header).NotTo(HaveKey("User-Agent"))
}
