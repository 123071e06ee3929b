package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"

	. "github.com/onsi/gomega"
)

// echo is a small MCP server with sessions; answers come as JSON or, with sse, as event streams.
type echo struct {
	sse bool
}

func (e *echo) handler(t *testing.T) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /mcp", func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		m := wire.ReadMessage(data)
		switch {
		case m.Kind == wire.KindNotification, m.Kind == wire.KindResult, m.Kind == wire.KindError:
			w.WriteHeader(http.StatusAccepted)
			return
		case m.Method == "initialize":
			w.Header().Set("Mcp-Session-Id", "s-1")
		}
		result := `{}`
		if m.Method == "initialize" {
			result = `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"echo","version":"1"}}`
		}
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
		if e.sse {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "id: 1\ndata: %s\n\n", answer)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, answer)
	})
	mux.HandleFunc("GET /mcp", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":\"p\"}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("DELETE /mcp", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return mux
}

func newClient(t testing.TB, config Config) *Client {
	t.Helper()
	c, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestConversation(t *testing.T) {
	for _, sse := range []bool{false, true} {
		t.Run(fmt.Sprintf("sse=%v", sse), func(t *testing.T) {
			g := NewWithT(t)
			server := httptest.NewServer((&echo{sse: sse}).handler(t))
			defer server.Close()
			c := newClient(t, Config{URL: server.URL + "/mcp", Timeout: 2 * time.Second, Window: 20 * time.Millisecond})
			v := c.Start(context.Background(), Script{Name: "test/echo", Dialect: dated, Revision: "2025-06-18"})
			g.Expect(v.Open()).To(BeTrue())
			ping := v.Call("ping", "ping")
			g.Expect(ping.Served()).To(BeTrue())
			stream := v.Get("stream")
			g.Expect(stream.Opened()).To(BeTrue())
			_, ok := stream.Next(time.Second, func(e wire.Event) bool { return e.Message().Method == "ping" })
			g.Expect(ok).To(BeTrue())
			v.Watch(stream, v.Call("marker", "ping"))
			tr := v.Finish()

			var labels []string
			for _, x := range tr.Exchanges {
				labels = append(labels, x.Label)
			}
			g.Expect(labels).To(ConsistOf("initialize", "initialized", "ping", "stream", "auto/answer/1", "marker", "auto/delete"))
			g.Expect(tr.Windows).To(HaveLen(1))
			g.Expect(tr.Windows[0].Long()).To(BeTrue())
			g.Expect(tr.Exchange("stream").EndedBy).To(Equal(wire.ByClient))
			g.Expect(tr.Exchange("stream").Messages()).To(HaveLen(1))
			g.Expect(tr.Exchange("ping").EndedBy).To(Equal(wire.ByServer))
			g.Expect(tr.Exchange("ping").Request.Header).To(HaveKeyWithValue("Mcp-Session-Id", []string{"s-1"}))
			g.Expect(tr.Exchange("ping").Request.Header).To(HaveKeyWithValue("MCP-Protocol-Version", []string{"2025-06-18"}))
			g.Expect(string(tr.Exchange("ping").Response.RawHead)).To(HavePrefix("HTTP/1.1 200 OK\r\n"))
			g.Expect(string(tr.Exchange("ping").Request.Body.Bytes())).To(Equal(`{"jsonrpc":"2.0","id":2,"method":"ping"}`))
			g.Expect(c.Sessions()).To(BeEmpty())
			_, err := json.Marshal(tr)
			g.Expect(err).NotTo(HaveOccurred())
		})
	}
}

var discardLog = log.New(io.Discard, "", 0)

func mustURL(raw string) *url.URL {
	u, err := url.Parse(raw)
	if err != nil {
		panic(err)
	}
	return u
}

// A large body lives in a file, which is gone with the client.
func TestLargeBodiesAreKeptUntilClose(t *testing.T) {
	body := `{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("x", 1<<20) + `"}`
	answer := func(w io.Writer, r *http.Request, conn int) bool {
		respond(w, 200, "Content-Type: application/json\r\n", body)
		return true
	}
	bubble(t, Config{}, answer, func(g *WithT, v *Conversation) {
		x := v.Call("x", "ping")
		v.Finish()
		g.Expect(x.Served()).To(BeTrue())
		g.Expect(string(x.Response.Body.Bytes())).To(Equal(body))
		g.Expect(v.Client().Close()).To(Succeed())
		g.Expect(x.Response.Body.Truncated()).To(BeTrue())
		g.Expect(x.Response.Body.Size()).To(BeEquivalentTo(len(body)))
	})
}

func TestOriginsAreRecorded(t *testing.T) {
	answer := func(w io.Writer, r *http.Request, conn int) bool {
		respond(w, 202, "", "")
		return true
	}
	bubble(t, Config{}, answer, func(g *WithT, v *Conversation) {
		for range 3 {
			v.Notify("a", "notifications/a")
		}
		next := wire.PageOf("a", 2)
		v.Notify(next.Label(), "notifications/a", From(next))
		v.Notify(next.Label(), "notifications/a", From(next))
		tr := v.Finish()
		got := map[string]wire.Origin{}
		for _, x := range tr.Exchanges {
			got[x.Label] = x.Origin
		}
		g.Expect(got).To(Equal(map[string]wire.Origin{
			"a": {Kind: wire.FromScript}, "a#2": {Kind: wire.FromScript, Repeat: 2}, "a#3": {Kind: wire.FromScript, Repeat: 3},
			"a page 2": next, "a page 2#2": {Kind: wire.FromPage, Of: "a", Number: 2, Repeat: 2},
		}))
		g.Expect(saved(t, tr).From(next)).To(HaveField("Label", "a page 2"))
	})
}
