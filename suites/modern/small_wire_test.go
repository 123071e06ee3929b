package modern_test

import (
	"bytes"
	"net"
	"net/http"
	"strings"
)

// A bent listener changes bytes of requests before HTTP is read: Go's server hides how names are spelt and what surrounds values.
type bent struct {
	net.Listener
	from, to string // of the same length
}

func (b bent) Accept() (net.Conn, error) {
	c, err := b.Listener.Accept()
	return bentConn{c, b}, err
}

type bentConn struct {
	net.Conn
	bent
}

func (c bentConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	copy(p, bytes.ReplaceAll(p[:n], []byte(c.from), []byte(c.to)))
	return n, err
}

func (c bentConn) Close() error   { return c.Conn.Close() }
func (c bentConn) Addr() net.Addr { return c.LocalAddr() }

// bends are the wrongs that need it.
var bends = map[string]bent{
	"names by letter":   {from: "MCP-METHOD", to: "XCP-METHOD"},
	"spaces are values": {from: "Mcp-Method:   ", to: "Mcp-Method: . "},
}

// write sends an answer, and does wrong what concerns every message.
func (s *small) write(w http.ResponseWriter, a *answer, r *http.Request) {
	if a.body == nil {
		w.WriteHeader(a.status)
		return
	}
	a.body["jsonrpc"], a.body["id"] = "2.0", a.id
	failure, refused := a.body["error"].(map[string]any)
	switch s.wrong {
	case "jsonrpc 1.0":
		a.body["jsonrpc"] = "1.0"
	case "result and error":
		if !refused && r.Header.Get("Mcp-Method") == "tools/list" {
			a.body["error"] = nil
		}
	case "ids as text":
		if strings.Contains(r.UserAgent(), "jsonrpc") && !strings.HasPrefix(string(a.id), `"`) {
			a.body["id"] = string(a.id)
		}
	case "errors with another id":
		if refused {
			a.body["id"] = "another"
		}
	case "no message in errors":
		delete(failure, "message")
	case "codes as text":
		if refused {
			failure["code"] = "refused"
		}
	case "reserved code":
		if refused && failure["code"] == -32602 {
			failure["code"] = -32050
		}
	case "code -32042":
		if refused && failure["code"] == -32602 {
			failure["code"] = -32042
		}
	}
	list := r.Header.Get("Mcp-Method") == "tools/list" && !refused
	codes := map[string]int{"code -32002": -32002, "code -32000": -32000, "code -32500": -32500}
	if code, ok := codes[s.wrong]; ok && refused && failure["code"] == -32602 {
		failure["code"] = code
	}
	body := asJSON(a.body)
	if s.rich {
		body = bytes.Replace(body, []byte(s.edit[0]), []byte(s.edit[1]), 1)
	}
	switch {
	case s.is("array") && list:
		body = []byte("[" + string(body) + "]")
	case s.is("latin-1") && list:
		body = bytes.Replace(body, []byte("small"), []byte("sm\xe4ll"), 1)
	case s.is("201"):
		a.status = max(a.status, 201)
	case s.is("result under 404") && list:
		a.status = 404
	}
	if s.stream && !refused {
		s.writeStream(w, body, list)
		return
	}
	if s.is("notification with id") && !refused {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte("data: {\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"notifications/message\",\"params\":{}}\n\ndata: " + string(asJSON(a.body)) + "\n\n"))
		return
	}
	if w.Header().Set("Content-Type", "application/json"); s.is("text") {
		w.Header().Set("Content-Type", "text/plain")
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(body)
}

// notified answers a notification.
func (s *small) notified(w http.ResponseWriter) {
	const refusal = `{"jsonrpc":"2.0","error":{"code":-32600,"message":"refused"}`
	switch s.wrong {
	case "notification 200":
		w.WriteHeader(http.StatusOK)
	case "notification with a body":
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write([]byte("OK"))
	case "notification refused under 200", "notification refused", "notification refused with id":
		w.Header().Set("Content-Type", "application/json")
		if s.wrong != "notification refused under 200" {
			w.WriteHeader(http.StatusBadRequest)
		}
		id := ""
		if s.is("notification refused with id") {
			id = `,"id":"x"`
		}
		_, _ = w.Write([]byte(refusal + id + "}"))
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

// writeStream sends an answer as an event stream.
func (s *small) writeStream(w http.ResponseWriter, body []byte, list bool) {
	w.Header().Set("Content-Type", "text/event-stream")
	if !s.is("no X-Accel-Buffering") {
		w.Header().Set("X-Accel-Buffering", "no")
	}
	event := func(data string) { _, _ = w.Write([]byte("data: " + data + "\n\n")) }
	switch s.wrong {
	case "asks":
		event(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
	case "list changed on the stream of a request":
		event(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	case "text on streams":
		event("hello")
	case "nothing on the stream":
		if list {
			return
		}
	default:
		event(`{"jsonrpc":"2.0","method":"notifications/com.example.small","params":{"level":"info","data":"x"}}`)
	}
	event(string(body))
	if s.is("twice on the stream") {
		event(string(body))
	}
}
