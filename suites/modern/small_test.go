package modern_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

const revision = "2026-07-28"

// small is a server of 2026-07-28 with two methods, which can do one thing wrong.
type small struct {
	wrong string
	// handshake: it answers initialize with 2025-11-25 too. courtesy: only that is served, and server/discover says so.
	handshake, courtesy bool
	// rich: there are tools, prompts and resources; edit changes the bytes of what it lists.
	rich bool
	edit [2]string
	// stream: results come on event streams.
	stream    bool
	remembers atomic.Bool
	used      atomic.Int64
}

type answer struct {
	status int
	id     json.RawMessage
	body   map[string]any
}

func (s *small) is(wrong string) bool { return s.wrong == wrong }

func (s *small) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.is("mints sessions") {
		w.Header().Set("Mcp-Session-Id", "small-session")
	}
	if s.refusesOrigin(w, r) {
		return
	}
	if r.Method != http.MethodPost {
		if s.is("get served") && r.Method == http.MethodGet || s.is("delete served") && r.Method == http.MethodDelete {
			return
		}
		if s.is("endpoint named") && r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte("event: endpoint\ndata: /messages\n\n"))
			return
		}
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Meta      map[string]json.RawMessage `json:"_meta"`
			Cursor    string
			Name, URI string
		}
	}
	broken := json.Unmarshal(body, &m) != nil
	a := &answer{id: m.ID}
	switch {
	case broken && s.is("no JSON taken"), !broken && m.Method == "" && s.is("no method taken"):
		w.WriteHeader(http.StatusAccepted)
		return
	case strings.HasPrefix(m.Method, "notifications/"), m.ID == nil && m.Method != "" && !s.is("answers without id"):
		s.notified(w)
		return
	case strings.Contains(string(body), `"result":{}`) && s.is("response answered"):
		a.id, a.status, a.body = json.RawMessage(`"x"`), 200, map[string]any{"result": s.result()}
	case broken, m.Method == "", !strings.Contains(string(body), `"jsonrpc":"2.0"`):
		code := -32600
		if a.id = json.RawMessage("null"); broken {
			code = -32700
		}
		a.refuse(400, code, nil)
	case s.is("session refused") && r.Header.Get("Mcp-Session-Id") != "", s.is("event id refused") && r.Header.Get("Last-Event-ID") != "":
		a.refuse(400, -32600, nil)
	case s.is("mixed up") && strings.Contains(string(m.Params.Meta[key+"clientInfo"]), "mcpcheck-2"):
		a.id, a.status, a.body = json.RawMessage(`"another"`), 200, map[string]any{"result": s.result()}
	case s.is("one method only") && m.Method == "tools/list":
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case !s.older(a, r, m.Method):
		s.answer(a, r, m.Method, m.Params.Cursor, m.Params.Name+m.Params.URI, m.Params.Meta)
	}
	s.write(w, a, r)
}

// refusesOrigin answers a page of another site.
func (s *small) refusesOrigin(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	foreign := origin != "" && !strings.HasPrefix(origin, "http://127.0.0.1:")
	switch {
	case foreign && s.is("any origin"), foreign && s.is("origin of the host") && origin == "http://"+r.Host:
		return false
	case foreign && s.is("origin 404"):
		w.WriteHeader(http.StatusNotFound)
	case foreign && s.is("origin refused with id"):
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"refused"}}`))
	case foreign:
		w.WriteHeader(http.StatusForbidden)
	case origin == "" && s.is("origin wanted") && r.Header.Get("Mcp-Method") == "tools/list":
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte("missing Origin"))
	default:
		return false
	}
	return true
}

// older answers as the older era does; false where the request is none of it.
func (s *small) older(a *answer, r *http.Request, method string) bool {
	switch {
	case !s.handshake:
	case method == "initialize":
		a.status, a.body = 200, map[string]any{"result": map[string]any{
			"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "serverInfo": map[string]any{"name": "small", "version": "1"}}}
		return true
	case s.courtesy && method == "server/discover":
		a.status, a.body = 200, map[string]any{"result": map[string]any{"supportedVersions": []string{"2025-11-25"}, "capabilities": map[string]any{}}}
		return true
	case r.Header.Get("MCP-Protocol-Version") == "" && method != "ping" && method != "initialize":
		a.refuse(400, -32600, nil)
		a.id = json.RawMessage("null")
		return true
	case s.courtesy, method == "ping" && r.Header.Get("MCP-Protocol-Version") != revision:
		a.status, a.body = 200, map[string]any{"result": map[string]any{}}
		return true
	}
	return false
}

func (a *answer) refuse(status, code int, data any) {
	e := map[string]any{"code": code, "message": "refused"}
	if data != nil {
		e["data"] = data
	}
	a.status, a.body = status, map[string]any{"error": e}
}

func (s *small) mismatch(a *answer) {
	if a.refuse(400, -32020, nil); s.is("mismatch under 200") {
		a.status = 200
	}
	if s.is("mismatch bare") {
		a.body = nil
	}
}

func (s *small) unsupported(a *answer, requested string) {
	supported := []string{revision}
	if s.is("another list") {
		supported = []string{"2027-01-01"}
	}
	data := map[string]any{"supported": supported, "requested": requested}
	if s.is("no requested") {
		delete(data, "requested")
	}
	if a.refuse(400, -32022, data); s.is("version under 200") {
		a.status = 200
	}
	if s.is("another code for versions") {
		a.refuse(400, -32600, nil)
	}
}

const key = "io.modelcontextprotocol/"

func (s *small) answer(a *answer, r *http.Request, method, cursor, name string, meta map[string]json.RawMessage) {
	header, headerMethod := r.Header.Get("MCP-Protocol-Version"), r.Header.Get("Mcp-Method")
	var version string
	typed := json.Unmarshal(meta[key+"protocolVersion"], &version) == nil
	capabilities, declared := meta[key+"clientCapabilities"]
	if declared {
		s.remembers.Store(true)
	}
	_, named := meta[key+"clientInfo"]
	_, vendor := meta["com.example.mcpcheck/probe"]
	switch {
	case method == "initialize" && s.is("handshake unknown"):
		a.refuse(400, -32601, map[string]any{"supported": []string{revision}})
	case method == "initialize" && s.is("handshake refused without versions"):
		a.refuse(400, -32602, nil)
	case method == "initialize":
		s.unsupported(a, "")
	case meta == nil && !s.is("no meta needed"):
		a.refuse(400, -32602, nil)
	case meta["io.modelcontextprotocol/protocolVersion"] == nil && !s.is("no meta version needed") && !(meta == nil && s.is("no meta needed")),
		!typed && meta[key+"protocolVersion"] != nil:
		a.refuse(400, -32602, nil)
	case header == "" && !s.is("no version header"):
		s.mismatch(a)
	case header != version && header != "" && version != "" && !s.is("version header only") && !s.is("any version"):
		s.mismatch(a)
	case header != "" && header != revision && !s.is("any version") && !(s.is("past version served") && header == "1900-01-01"):
		s.unsupported(a, version)
	case !declared && !s.is("no capabilities needed") && !(meta == nil && s.is("no meta needed")) && !(s.is("capabilities remembered") && s.remembers.Load() && strings.Contains(r.UserAgent(), "memory")):
		a.refuse(400, -32602, nil)
	case declared && !strings.HasPrefix(string(capabilities), "{") && !s.is("capabilities of any type"):
		a.refuse(400, -32602, nil)
	case !named && s.is("clientInfo needed"), vendor && s.is("unknown keys refused"):
		a.refuse(400, -32602, nil)
	case headerMethod == "" && !s.is("no method header"),
		headerMethod != "" && headerMethod != method && !s.is("any method header") && !(s.is("method folded") && strings.EqualFold(headerMethod, method)):
		s.mismatch(a)
	case s.is("Mcp-Param refused") && r.Header.Get("Mcp-Param-Mcpcheck") != "":
		a.refuse(400, -32600, nil)
	case s.is("lists refused for headers") && method == "tools/list":
		s.mismatch(a)
	case method == "server/discover":
		s.discover(a)
	case s.rich && strings.HasSuffix(method, "/list"):
		s.list(a, r, method, cursor)
	case s.is("no tools") && strings.HasPrefix(method, "tools/"):
		a.refuse(404, -32601, nil)
	case s.rich && (method == "resources/read" || method == "prompts/get") || method == "tools/call":
		s.named(a, r, method, name)
	case method == "tools/list" && cursor != "":
		a.refuse(400, -32602, nil)
	case method == "tools/list":
		result := s.result()
		result["tools"], result["ttlMs"], result["cacheScope"] = []any{}, 0, "public"
		if s.is("no serverInfo in lists") {
			delete(result, "_meta")
		}
		a.status, a.body = 200, map[string]any{"result": result}
		if s.is("result of a list is an array") {
			a.body["result"] = []any{}
		}
	case method == "ping" && s.is("ping served"):
		a.status, a.body = 200, map[string]any{"result": s.result()}
	default:
		if a.refuse(404, -32601, nil); s.is("unknown under 200") || s.is("prompts under 200") && method == "prompts/list" {
			a.status = 200
		}
	}
}

func (s *small) discover(a *answer) {
	result := s.result()
	result["supportedVersions"], result["capabilities"] = []string{revision}, map[string]any{"tools": map[string]any{}}
	result["ttlMs"], result["cacheScope"] = 0, "public"
	if s.rich {
		result["capabilities"] = map[string]any{"tools": map[string]any{}, "prompts": map[string]any{}, "resources": map[string]any{}}
	}
	switch s.wrong {
	case "no tools":
		result["capabilities"] = map[string]any{}
	case "no supportedVersions":
		delete(result, "supportedVersions")
	case "flag as text":
		result["capabilities"] = map[string]any{"tools": map[string]any{"listChanged": "yes"}}
	case "no serverInfo":
		delete(result, "_meta")
	case "lists legacy":
		result["supportedVersions"] = []string{revision, "2025-06-18"}
	}
	a.status, a.body = 200, map[string]any{"result": result}
	switch s.wrong {
	case "no discover":
		a.refuse(404, -32601, nil)
	case "params of discover":
		a.refuse(400, -32602, nil)
	}
}

// list answers a list of the rich server; tools come on two pages.
func (s *small) list(a *answer, r *http.Request, method, cursor string) {
	result := s.result()
	result["ttlMs"], result["cacheScope"] = 60000, "private"
	switch {
	case s.is("cursor 500") && cursor == "mcpcheck-invalid-cursor":
		a.refuse(500, -32603, nil)
		return
	case s.is("a cursor for one use") && cursor == "second" && strings.Contains(r.UserAgent(), "same-cursor") && s.used.Add(1)%2 == 0:
		a.refuse(400, -32602, nil)
		return
	case cursor != "" && cursor != "second" || cursor != "" && method != "tools/list":
		a.refuse(400, -32602, nil)
		return
	case method == "tools/list" && cursor == "":
		result["nextCursor"], result["tools"] = "second", json.RawMessage(`[{"name":"read","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"zone":{"type":"integer","x-mcp-header":"Zone"}}}}]`)
	case method == "tools/list":
		result["tools"] = json.RawMessage(`[{"name":"write","inputSchema":{"type":"object"}}]`)
	case method == "prompts/list":
		result["prompts"] = json.RawMessage(`[{"name":"greet","icons":[{"src":"data:,"}]}]`)
	case method == "resources/list":
		result["resources"] = json.RawMessage(`[{"name":"a","uri":"file:///a"}]`)
	default:
		result["resourceTemplates"] = []any{}
	}
	a.status, a.body = 200, map[string]any{"result": result}
}

// named answers a request for something by its name, which is in a header too.
func (s *small) named(a *answer, r *http.Request, method, name string) {
	header, equal := r.Header.Get("Mcp-Name"), func(a, b string) bool { return a == b }
	if s.is("name folded") {
		equal = strings.EqualFold
	}
	folded := header
	if s.is("sentinel folded") {
		folded = strings.Replace(header, "BASE64", "base64", 1)
	}
	valid := strings.IndexFunc(header, func(r rune) bool { return r > '~' }) < 0 || s.is("raw bytes taken")
	if text, ok := strings.CutPrefix(folded, "=?base64?"); ok && strings.HasSuffix(text, "?=") && !s.is("no Base64") {
		if s.is("lenient Base64") {
			text = strings.Replace(text, "!!!", "", 1)
		}
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(text, "?="))
		valid, header = err == nil, string(raw)
	}
	switch {
	case method == "tools/call" && name == "":
		if a.refuse(200, -32602, nil); s.is("any call") {
			a.body = map[string]any{"result": s.result()}
			a.body["result"].(map[string]any)["content"] = []any{}
		}
	case header == "" && !s.is("no name header"), header != "" && (!valid || !equal(header, name)) && !s.is("any name header"):
		s.mismatch(a)
	case method == "resources/read" && name == "file:///a":
		result := s.result()
		result["contents"], result["ttlMs"], result["cacheScope"] = json.RawMessage(`[{"uri":"file:///a","text":"a"}]`), 0, "public"
		a.status, a.body = 200, map[string]any{"result": result}
	case s.is("nothing in place of a resource") && method == "resources/read":
		result := s.result()
		result["contents"], result["ttlMs"], result["cacheScope"] = []any{}, 0, "public"
		a.status, a.body = 200, map[string]any{"result": result}
	case s.is("missing resource -32002") && method == "resources/read":
		a.refuse(200, -32002, nil)
	case s.is("any tool") && method == "tools/call", s.is("any prompt") && method == "prompts/get":
		result := s.result()
		result["content"], result["messages"] = []any{}, []any{}
		a.status, a.body = 200, map[string]any{"result": result}
	case s.is("tool -32601") && method == "tools/call":
		a.refuse(200, -32601, nil)
	default:
		a.refuse(200, -32602, nil)
	}
}

func (s *small) result() map[string]any {
	info := map[string]any{"name": "small", "version": "1"}
	meta := map[string]any{key + "serverInfo": info}
	result := map[string]any{"resultType": "complete", "_meta": meta}
	switch s.wrong {
	case "serverInfo without version":
		delete(info, "version")
	case "bad key":
		meta["-bad-/name"] = 1
	case "no resultType":
		delete(result, "resultType")
	case "odd resultType":
		result["resultType"] = "odd"
	}
	return result
}
