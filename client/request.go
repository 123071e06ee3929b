package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/wire"
)

// compose writes the body of a JSON-RPC message, members in the order jsonrpc, id, method, params.
func (o *outgoing) compose(c *Conversation) {
	if !o.rpc {
		return
	}
	o.dialect.fill(o, c)
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0"`)
	if o.id != nil {
		fmt.Fprintf(&b, `,"id":%s`, o.id)
	}
	fmt.Fprintf(&b, `,"method":%s`, rawJSON("method", o.method))
	if params := withMeta(o.params, o.meta); params != nil {
		fmt.Fprintf(&b, `,"params":%s`, params)
	}
	b.WriteByte('}')
	o.body = b.Bytes()
}

// withMeta merges meta into params._meta; params that are no object stay as they are.
func withMeta(params json.RawMessage, meta map[string]any) json.RawMessage {
	if len(meta) == 0 || params != nil && wire.TypeOf(params) != "object" {
		return params
	}
	members := map[string]json.RawMessage{}
	merged := map[string]any{}
	if params != nil {
		if json.Unmarshal(params, &members) != nil {
			return params
		}
		if own, ok := members["_meta"]; ok {
			var fields map[string]json.RawMessage
			if json.Unmarshal(own, &fields) != nil {
				return params
			}
			for k, v := range fields {
				merged[k] = v
			}
		}
	}
	for k, v := range meta {
		if _, set := merged[k]; set && strings.HasPrefix(k, "io.modelcontextprotocol/") && params != nil {
			continue // what the script wrote into params itself counts
		}
		if v == nil {
			delete(merged, k)
			continue
		}
		merged[k] = v
	}
	if len(merged) > 0 || params != nil && members["_meta"] != nil {
		members["_meta"] = rawJSON("_meta", merged)
	}
	if len(members) == 0 {
		return params
	}
	return rawJSON("params", members)
}

func (c *Client) info() map[string]string {
	return map[string]string{"name": c.config.ClientName, "version": c.config.ClientVersion}
}

// headers are the fields of a request that options have not touched yet.
func (o *outgoing) headers(c *Conversation) http.Header {
	h := http.Header{}
	h["User-Agent"] = []string{c.client.userAgent(c.script.Name)}
	switch o.httpMethod {
	case http.MethodPost:
		h["Accept"] = []string{c.client.accept()}
		h["Content-Type"] = []string{"application/json"}
	case http.MethodGet:
		h["Accept"] = []string{"text/event-stream"}
	default:
		if len(o.body) > 0 {
			h["Content-Type"] = []string{"application/json"}
		}
	}
	o.dialect.header(o, c, h)
	return h
}

// request makes the HTTP request, and the form in which it is recorded.
func (o *outgoing) request(ctx context.Context, c *Conversation) (*http.Request, wire.Request, error) {
	req, err := http.NewRequestWithContext(ctx, o.httpMethod, o.url, nil)
	if err != nil {
		return nil, wire.Request{Method: o.httpMethod, URL: wire.Text(o.url), Body: wire.NewBody(o.body)}, err
	}
	if !o.noCredentials {
		c.client.credentials(req)
	}
	for name, values := range o.headers(c) {
		dropHeader(req.Header, name)
		req.Header[name] = values
	}
	for _, edit := range o.edits {
		edit(req.Header)
	}
	if o.host != "" {
		req.Host = o.host
	}
	if o.fresh && !o.http2 && !c.script.HTTP2 && !c.client.config.HTTP2 {
		req.Header.Set("Connection", "close") // net/http would send it, and nobody would see it in the record
	}
	if req.Header["User-Agent"] == nil {
		req.Header["User-Agent"] = []string{""} // or net/http would send its own
	}
	// The body cannot be read twice, so that net/http cannot repeat a request behind our back.
	switch {
	case len(o.body) > 0:
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(o.body)), int64(len(o.body))
	case !o.http2 && slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodDelete, http.MethodOptions}, o.httpMethod):
		req.Body = io.NopCloser(strings.NewReader(""))
	default:
		req.Body = http.NoBody
	}
	recorded := wire.Request{Method: o.httpMethod, URL: req.URL.String(), Body: wire.NewBody(o.body)}
	if req.Host != req.URL.Host {
		recorded.Host = wire.Text(req.Host)
	}
	sent := req.Header.Clone()
	if v := sent["User-Agent"]; len(v) == 1 && v[0] == "" {
		delete(sent, "User-Agent")
	}
	for _, line := range o.lines {
		name, value, _ := strings.Cut(line, ":")
		sent[name] = append(sent[name], value)
	}
	recorded.Header = c.client.redact.Request(sent)
	if o.bogus != "" {
		recorded.Header["Authorization"] = []string{o.bogus}
	}
	return req, recorded, nil
}
