// Package web has the HTTP of the server that is the same in every era: one exchange with its answer, the guards of hosts,
// origins, media types and tokens, and what a deviation may do to all of that. What an era refuses or keeps is not known here.
package web

import (
	"context"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
)

// Path is where the endpoint of the server is mounted.
const Path = "/mcp"

// A Site is what all exchanges of a server have in common, whatever the era of the client.
type Site struct {
	Ctx     context.Context     // done when the server is closed
	Dev     *deviation.Deviator // nil: the server conforms
	Hosts   []string            // host names accepted beside the loopback ones
	Origins []string            // origins accepted beside loopback and the server's own
	Auth    bool                // wants a token, see CheckToken

	throttle throttle
	tokens   tokens
}

// NewSite makes a site that lasts as long as a context.
func NewSite(ctx context.Context, dev *deviation.Deviator, hosts, origins []string, auth bool) *Site {
	return &Site{Ctx: ctx, Dev: dev, Hosts: hosts, Origins: origins, Auth: auth, throttle: throttle{worker: make(chan struct{}, 1)}}
}
