package client

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/mcpcheck/mcpcheck/wire"
)

// Modern is the dialect without handshake and sessions: each request says in its headers and its _meta who speaks which revision.
type Modern struct {
	// Revision is the one that is spoken.
	Revision string
}

// Keys of params._meta in the modern era.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaInfo         = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

func (Modern) open(*Conversation, []Option) bool { return true }

func (d Modern) fill(o *outgoing, c *Conversation) {
	capabilities := o.capabilities
	if capabilities == nil {
		capabilities = struct{}{}
	}
	meta := map[string]any{metaVersion: d.Revision, metaInfo: c.client.info(), metaCapabilities: capabilities}
	for k, v := range o.meta {
		meta[k] = v
	}
	o.meta = meta
}

func (d Modern) header(o *outgoing, _ *Conversation, h http.Header) {
	if o.httpMethod != http.MethodPost {
		return
	}
	if !o.noVersion {
		h["MCP-Protocol-Version"] = []string{d.Revision}
	}
	if !o.rpc {
		return
	}
	h["Mcp-Method"] = []string{o.method}
	name, ok := o.named()
	if ok {
		h["Mcp-Name"] = []string{HeaderValue(name)}
	}
	if o.mirror == nil || o.method != "tools/call" {
		return
	}
	arguments, _ := wire.Lookup(o.params, "/arguments")
	for header, value := range o.mirror(name, arguments) {
		h["Mcp-Param-"+header] = []string{HeaderValue(value)}
	}
}

func (Modern) sendsVersion(string) bool { return false }

// answers: servers send no requests; what comes all the same is recorded only.
func (Modern) answers() bool { return false }

// named returns what Mcp-Name mirrors.
func (o *outgoing) named() (string, bool) {
	pointer := map[string]string{"tools/call": "/name", "prompts/get": "/name", "resources/read": "/uri"}[o.method]
	if pointer == "" {
		return "", false
	}
	raw, ok := wire.Lookup(o.params, pointer)
	if !ok || wire.TypeOf(raw) != "string" {
		return "", false
	}
	return wire.Unquote(raw), true
}

// HeaderValue encodes a value for Mcp-Name and Mcp-Param: as it is where that is unambiguous, else as =?base64?…?=
// (basic/transports/streamable-http#value-encoding).
func HeaderValue(v string) string {
	plain := v == strings.TrimSpace(v) && !(strings.HasPrefix(v, "=?base64?") && strings.HasSuffix(v, "?="))
	for i := range len(v) {
		plain = plain && v[i] >= ' ' && v[i] <= '~'
	}
	if plain {
		return v
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(v)) + "?="
}
