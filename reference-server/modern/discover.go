package modern

import "github.com/mcpcheck/mcpcheck/reference-server/core"

const methodDiscover = "server/discover"

type discoverResult struct {
	Versions     []string          `json:"supportedVersions"`
	Capabilities core.Capabilities `json:"capabilities"`
	Instructions string            `json:"instructions,omitempty"`
}

// discover presents the server (server/discover). Who it is stands in _meta, as in every result.
func (s *Server) discover(c *request) discoverResult {
	return discoverResult{
		Versions:     s.profile.Versions(),
		Capabilities: s.core.Capabilities(c.Caller),
		Instructions: core.Instructions,
	}
}

// cacheable are the methods whose results may be kept, with the hints on them (server/utilities/caching#cacheable-results). The lists are the
// same for everybody; what a resource holds may change at any time.
var cacheable = map[string]map[string]any{
	methodDiscover:             {"ttlMs": 3600000, "cacheScope": "public"},
	"tools/list":               {"ttlMs": 60000, "cacheScope": "public"},
	"prompts/list":             {"ttlMs": 60000, "cacheScope": "public"},
	"resources/list":           {"ttlMs": 60000, "cacheScope": "public"},
	"resources/templates/list": {"ttlMs": 60000, "cacheScope": "public"},
	"resources/read":           {"ttlMs": 0, "cacheScope": "private"},
}
