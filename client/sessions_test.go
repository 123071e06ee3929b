package client

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"

	. "github.com/onsi/gomega"
)

// shop is an MCP server by hand: a new session for each initialize, and a list of what was deleted.
type shop struct {
	mu       sync.Mutex
	opened   int
	deletes  []string
	replies  []string
	versions map[string]string // by method
	negotiated,
	extra string // written before each answer on a stream
	refuse map[string]int // status of DELETE by session
	sick   bool           // every request but initialize is refused
}

func (s *shop) answer(w io.Writer, r *http.Request, conn int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, _ := io.ReadAll(r.Body)
	m := wire.ReadMessage(data)
	if s.versions == nil {
		s.versions = map[string]string{}
	}
	if r.Method == http.MethodDelete {
		id := r.Header.Get("Mcp-Session-Id")
		s.deletes = append(s.deletes, id+" "+r.Header.Get("MCP-Protocol-Version"))
		status := s.refuse[id]
		if status == 0 {
			status = 200
		}
		respond(w, status, "", "")
		return true
	}
	s.versions[m.Method] = r.Header.Get("Mcp-Session-Id") + "/" + r.Header.Get("MCP-Protocol-Version")
	switch {
	case m.Kind == wire.KindResult || m.Kind == wire.KindError:
		s.replies = append(s.replies, string(data))
		respond(w, 202, "", "")
	case m.Kind == wire.KindNotification:
		respond(w, 202, "", "")
	case m.Method == "initialize":
		s.opened++
		respond(w, 200, fmt.Sprintf("Content-Type: application/json\r\nMcp-Session-Id: s%d\r\n", s.opened),
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q}}`, m.ID, s.negotiated))
	case s.sick:
		respond(w, 400, "", "")
	case m.Method == "odd":
		respond(w, 500, "Mcp-Session-Id: odd\r\n", "")
	default:
		respond(w, 200, "Content-Type: text/event-stream\r\n", s.extra+fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n", m.ID))
	}
	return true
}

// dated is a dialect that sends dates from 2025-06-18 on as MCP-Protocol-Version.
var dated = Legacy{HasVersionHeader: func(negotiated string) bool { return len(negotiated) == 10 && negotiated >= "2025-06-18" }}

func TestVersionHeader(t *testing.T) {
	for negotiated, want := range map[string]string{
		"2024-11-05": "s1/", "2025-03-26": "s1/", "2025-06-18": "s1/2025-06-18", "2025-11-25": "s1/2025-11-25", "1.0": "s1/", "9999-12-31": "s1/9999-12-31",
	} {
		t.Run(negotiated, func(t *testing.T) {
			s := &shop{negotiated: negotiated}
			bubble(t, Config{}, s.answer, func(g *WithT, v *Conversation) {
				g.Expect(v.Open()).To(BeTrue())
				v.Call("x", "ping")
				tr := v.Finish()
				g.Expect(s.versions["initialize"]).To(Equal("/"))
				g.Expect(s.versions["notifications/initialized"]).To(Equal(want))
				g.Expect(s.versions["ping"]).To(Equal(want))
				g.Expect(s.deletes).To(Equal([]string{strings.Replace(want, "/", " ", 1)}))
				g.Expect(tr.Session).To(Equal(wire.SessionInfo{ID: "s1", Negotiated: negotiated, Opened: true}))
			})
		})
	}
}

func TestSessionsAreDeleted(t *testing.T) {
	s := &shop{negotiated: "2025-06-18", refuse: map[string]int{"s3": 400, "s4": 405}}
	bubble(t, Config{}, s.answer, func(g *WithT, v *Conversation) {
		c := v.Client()
		keeper := c.Start(context.Background(), Script{Name: "keeper", Dialect: dated, Revision: "2025-06-18", KeepSession: true})
		g.Expect(keeper.Open()).To(BeTrue())
		keeper.Finish()
		shared := keeper.Session()
		g.Expect(c.Sessions()).To(Equal([]string{"s1"}))

		guest := c.Start(context.Background(), Script{Name: "guest", Dialect: dated, Revision: "2025-06-18", Shared: shared})
		g.Expect(guest.Open()).To(BeTrue())
		guest.Call("x", "ping")
		g.Expect(guest.Finish().Shared).To(BeTrue())
		g.Expect(s.versions["ping"]).To(Equal("s1/2025-06-18"))
		g.Expect(s.deletes).To(BeEmpty())

		v.Open()                                  // s2
		v.Initialize("another", "2025-06-18")     // s3, DELETE answers 400
		v.Initialize("and another", "2025-06-18") // s4, DELETE answers 405
		g.Expect(v.Session().ID()).To(Equal("s2"))
		v.Call("odd", "odd")
		v.Delete("delete")
		tr := v.Finish()
		g.Expect(s.deletes).To(ConsistOf("s2 2025-06-18", "s3 2025-06-18", "s4 2025-06-18"))
		g.Expect(tr.Exchange("auto/delete")).NotTo(BeNil())
		g.Expect(tr.Exchange("auto/delete#2").Origin).To(Equal(wire.Origin{Kind: wire.FromCleanUp, Repeat: 2}))
		g.Expect(c.Sessions()).To(Equal([]string{"s1", "s3", "odd"}))

		s.deletes = nil
		c.EndSession(context.Background(), shared)
		g.Expect(s.deletes).To(Equal([]string{"s1 2025-06-18"}))
		c.CleanUp(context.Background())
		sort.Strings(s.deletes)
		g.Expect(s.deletes).To(Equal([]string{"odd ", "s1 2025-06-18", "s3 2025-06-18"}))
		g.Expect(c.Sessions()).To(Equal([]string{"s3"}))
	})
}

func TestServerRequestsAreAnswered(t *testing.T) {
	s := &shop{negotiated: "2025-06-18", extra: `data: {"jsonrpc":"2.0","id":"p","method":"ping"}` + "\n\n" +
		`data: {"jsonrpc":"2.0","id":7.0,"method":"roots/list"}` + "\n\n" + `data: {"jsonrpc":"2.0","id":8,"method":"elicitation/create"}` + "\n\n" +
		`data: {"jsonrpc":"2.0","id":9,"method":"sampling/createMessage"}` + "\n\n" + `data: {"jsonrpc":"2.0","method":"notifications/message"}` + "\n\n"}
	bubble(t, Config{Concurrency: 1}, s.answer, func(g *WithT, v *Conversation) {
		v.OnRequest(func(m wire.Message) (any, bool) {
			switch m.Method {
			case "roots/list":
				return map[string]any{"roots": []any{}}, true
			case "sampling/createMessage":
				return nil, true // the script will
			}
			return nil, false
		})
		v.Open()
		g.Expect(v.Call("x", "tools/list").Served()).To(BeTrue())
		v.Respond("mine", json.RawMessage("9"), &RPCError{Code: -1, Message: "rejected"})
		tr := v.Finish()
		g.Expect(s.replies).To(ConsistOf(
			`{"jsonrpc":"2.0","id":"p","result":{}}`,
			`{"jsonrpc":"2.0","id":7.0,"result":{"roots":[]}}`,
			`{"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"Method not found"}}`,
			`{"jsonrpc":"2.0","id":9,"error":{"code":-1,"message":"rejected"}}`,
		))
		answer := tr.Exchange("auto/answer/1")
		g.Expect(answer.Origin).To(Equal(wire.Origin{Kind: wire.FromAnswer, Number: 1}))
		g.Expect(answer.Request.Header).To(HaveKeyWithValue("Mcp-Session-Id", []string{"s1"}))
		g.Expect(answer.Request.Header).To(HaveKeyWithValue("MCP-Protocol-Version", []string{"2025-06-18"}))
		g.Expect(tr.Exchange("x").Messages()).To(HaveLen(6))
	})
}

func TestPingsCanBeLeftUnanswered(t *testing.T) {
	s := &shop{negotiated: "2025-06-18", extra: `data: {"jsonrpc":"2.0","id":"p","method":"ping"}` + "\n\n"}
	bubble(t, Config{}, s.answer, func(g *WithT, v *Conversation) {
		v.Open()
		v.IgnorePings(true)
		v.Call("ignored", "tools/list")
		synctest.Wait()
		g.Expect(s.replies).To(BeEmpty())
		v.IgnorePings(false)
		v.Call("answered", "tools/list")
		v.Finish()
		g.Expect(s.replies).To(HaveLen(1))
	})
}

func TestModernRequests(t *testing.T) {
	var got []string
	answer := func(w io.Writer, r *http.Request, conn int) bool {
		data, _ := io.ReadAll(r.Body)
		names := strings.Join([]string{r.Header.Get("MCP-Protocol-Version"), r.Header.Get("Mcp-Method"), r.Header.Get("Mcp-Name")}, "|")
		got = append(got, names+strings.Join(r.Header.Values("Mcp-Param-Region"), "|")+" "+string(data))
		respond(w, 200, "Content-Type: text/event-stream\r\n", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":"+string(wire.ReadMessage(data).ID)+",\"result\":{}}\n\n")
		return true
	}
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		server := &rawServer{answer: answer}
		c, err := New(Config{URL: "http://server.test/mcp", Dial: server.dial, ClientVersion: "1"})
		g.Expect(err).NotTo(HaveOccurred())
		v := c.Start(context.Background(), Script{Name: "modern", Revision: "2026-07-28", Dialect: Modern{"2026-07-28"}})
		g.Expect(v.Open()).To(BeTrue())
		v.Call("a", "server/discover")
		v.Call("b", "tools/call", WithParams(map[string]any{"name": "é", "_meta": map[string]any{"own": 1}}),
			WithMeta(map[string]any{"io.modelcontextprotocol/clientInfo": nil, "x": 2}))
		v.Call("c", "resources/read", WithParams(map[string]any{"uri": "file:///a"}), Speaking(dated))
		v.Use(Mirroring(func(tool string, arguments json.RawMessage) map[string]string {
			return map[string]string{"Region": tool + string(arguments) + "é"}
		}))
		v.Call("e", "tools/call", WithParams(map[string]any{"name": "n", "arguments": 1}))
		v.Call("f", "tools/call", WithParams(map[string]any{"name": "n"}), WithHeader("mcp-param-region", "own"))
		v.Call("d", "ping", WithCapabilities(map[string]any{"roots": struct{}{}}), WithoutID())
		tr := v.Finish()
		const meta = `"io.modelcontextprotocol/clientCapabilities":{},`
		const version = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
		const info = `"io.modelcontextprotocol/clientInfo":{"name":"mcpcheck","version":"1"},`
		g.Expect(got).To(Equal([]string{
			`2026-07-28|server/discover| {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{` + meta + info + version + `}}}`,
			`2026-07-28|tools/call|=?base64?w6k=?= {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{` + meta + version + `,"own":1,"x":2},"name":"é"}}`,
			`|| {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"file:///a"}}`,
			`2026-07-28|tools/call|n=?base64?bjHDqQ==?= {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"_meta":{` + meta + info + version + `},"arguments":1,"name":"n"}}`,
			`2026-07-28|tools/call|nown {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"_meta":{` + meta + info + version + `},"name":"n"}}`,
			`2026-07-28|ping| {"jsonrpc":"2.0","method":"ping","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{"roots":{}},` + info + version + `}}}`,
		}))
		for _, x := range tr.Exchanges {
			g.Expect(x.Label).NotTo(HavePrefix("auto/"), "requests of the server are recorded, never answered")
		}
		c.Close()
		server.wg.Wait()
	})
}

func TestHTTPWithSSE(t *testing.T) {
	lines := make(chan string, 10)
	for _, endpoint := range []string{"/messages?s=1", "http://server.test:80/messages?s=1"} {
		t.Run(endpoint, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := NewWithT(t)
				lines = make(chan string, 10)
				gone := make(chan struct{})
				server := &rawServer{answer: func(w io.Writer, r *http.Request, conn int) bool {
					if r.Method == http.MethodGet {
						io.WriteString(w, sseHead+"event: endpoint\ndata: "+endpoint+"\n\n")
						for {
							select {
							case line := <-lines:
								io.WriteString(w, "event: message\ndata: "+line+"\n\n")
							case <-gone:
								return false
							}
						}
					}
					data, _ := io.ReadAll(r.Body)
					m := wire.ReadMessage(data)
					respond(w, 202, "", "Accepted")
					if m.Method == "silent" || r.URL.String() != "/messages?s=1" {
						return true
					}
					if m.Kind == wire.KindRequest {
						time.Sleep(50 * time.Millisecond)
						lines <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2024-11-05"}}`, m.ID)
					}
					return true
				}}
				c, err := New(Config{URL: "http://server.test/sse", Dial: server.dial, Timeout: time.Second})
				g.Expect(err).NotTo(HaveOccurred())
				v := c.Start(context.Background(), Script{Name: "old", Dialect: dated, Revision: "2024-11-05", Transport: "http-sse"})
				g.Expect(v.Open()).To(BeTrue())
				g.Expect(v.Endpoint()).To(HaveSuffix("server.test" + strings.TrimPrefix(endpoint, "http://server.test")))
				x := v.Call("ping", "ping")
				g.Expect(x.Served()).To(BeTrue())
				g.Expect(x.Stream).To(Equal("stream"))
				v.Parallel(func() { g.Expect(v.Call("a", "ping").Served()).To(BeTrue()) }, func() { g.Expect(v.Call("b", "ping").Served()).To(BeTrue()) })
				g.Expect(v.Call("silent", "silent").Served()).To(BeFalse())
				tr := v.Finish()
				close(gone)
				for label, served := range map[string]bool{"initialize": true, "ping": true, "a": true, "b": true, "silent": false} {
					g.Expect(tr.Exchange(label).Served()).To(Equal(served), label)
				}
				read := saved(t, tr)
				for label, served := range map[string]bool{"initialize": true, "ping": true, "a": true, "b": true, "silent": false} {
					g.Expect(read.Exchange(label).Served()).To(Equal(served), label)
				}
				c.Close()
				server.wg.Wait()
			})
		})
	}
}

func TestCompressedAnswerIsReadAsWell(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	io.WriteString(w, pong)
	w.Close()
	bubble(t, Config{}, always(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", zipped.Len(), zipped.Bytes())), func(g *WithT, v *Conversation) {
		x := v.Call("x", "ping")
		g.Expect(x.Served()).To(BeTrue())
		g.Expect(x.Response.Body.Bytes()).To(Equal(zipped.Bytes()))
	})
}

func TestInterruptedInitialize(t *testing.T) {
	for _, test := range []struct {
		name  string
		delay time.Duration
		left  []string
	}{
		{"finishes", 300 * time.Millisecond, []string{"s1"}},
		{"takes too long", 3 * time.Second, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &shop{negotiated: "2025-06-18"}
			synctest.Test(t, func(t *testing.T) {
				g := NewWithT(t)
				server := &rawServer{answer: func(w io.Writer, r *http.Request, conn int) bool {
					time.Sleep(test.delay)
					return s.answer(w, r, conn)
				}}
				c, err := New(Config{URL: "http://server.test/mcp", Dial: server.dial})
				g.Expect(err).NotTo(HaveOccurred())
				ctx, cancel := context.WithCancel(t.Context())
				v := c.Start(ctx, Script{Name: "x", Dialect: dated, Revision: "2025-06-18"})
				time.AfterFunc(100*time.Millisecond, cancel)
				v.Open()
				tr := v.Finish()
				g.Expect(tr.Duration).To(BeNumerically("<=", 600*time.Millisecond))
				g.Expect(tr.Aborted).NotTo(BeEmpty())
				g.Expect(c.Sessions()).To(Equal(test.left))
				c.CleanUp(context.WithoutCancel(ctx))
				g.Expect(c.Sessions()).To(BeEmpty())
				g.Expect(s.deletes).To(HaveLen(len(test.left)))
				c.Close()
				server.wg.Wait()
			})
		})
	}
}

// saved writes a transcript to a file and reads it back.
func saved(t *testing.T, tr *wire.Transcript) *wire.Transcript {
	t.Helper()
	var file bytes.Buffer
	w, err := wire.NewWriter(&file, struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(tr), w.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := wire.NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	read, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	return read
}
