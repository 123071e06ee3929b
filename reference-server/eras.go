package refserver

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"

	"github.com/mcpcheck/mcpcheck/reference-server/modern"
	"github.com/mcpcheck/mcpcheck/reference-server/profile"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// isModern tells which era an HTTP request is of. A server of one era takes them all for its own. One of both goes by how the client opens
// (2026-07-28: basic/versioning#backward-compatibility-with-initialization-based-versions): a request that names its version in _meta stands
// on its own, and so does one whose header names a modern revision; initialize and what follows it have neither.
func (s *Server) isModern(r *http.Request) bool {
	switch s.profile.Era {
	case profile.EraModern:
		return true
	case profile.EraLegacy:
		return false
	}
	if r.Method != http.MethodPost || s.profile.Auth && slices.Contains(web.AuthPaths(), r.URL.Path) {
		return false
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, web.MaxBody+1))
	r.Body = peeked{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
	if err != nil {
		return false
	}
	var message struct {
		Method string `json:"method"`
		Params struct {
			Meta map[string]json.RawMessage `json:"_meta"`
		} `json:"params"`
	}
	_ = json.Unmarshal(body, &message) // what cannot be read has no _meta
	header := revision.IsModern(r.Header.Get(modern.HeaderVersion))
	if raw, there := message.Params.Meta[modern.KeyVersion]; there {
		var version string
		return json.Unmarshal(raw, &version) != nil || header || !s.profile.Supports(version)
	}
	return header && message.Method != "initialize"
}

// A peeked body is one of which the beginning was read before.
type peeked struct {
	io.Reader
	io.Closer
}
