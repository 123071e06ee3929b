package client

import "net/http"

// A Dialect is how clients of an era speak over HTTP: what comes before the first request of a script, and what each request carries
// beside what the script says. Legacy and Modern are all there are.
type Dialect interface {
	// open does what comes before the first request; false: the script cannot begin.
	open(c *Conversation, opts []Option) bool
	// fill adds to a JSON-RPC message what the era wants in it.
	fill(o *outgoing, c *Conversation)
	// header adds the fields of the era to a request.
	header(o *outgoing, c *Conversation, h http.Header)
	// sendsVersion tells that the requests of a session which negotiated this carry MCP-Protocol-Version.
	sendsVersion(negotiated string) bool
	// answers tells that servers may send requests, which clients answer.
	answers() bool
}

// Speaking sends one request in another dialect than the conversation's.
func Speaking(d Dialect) Option { return func(o *outgoing) { o.dialect = d } }

// Open does what the era does before the first request: the handshake, on HTTP+SSE after the stream. It is true when the script can go
// on. In a shared session it does nothing.
//
// The options apply to initialize. The exchanges are labelled "initialize" and "initialized", the stream of HTTP+SSE "stream".
func (c *Conversation) Open(opts ...Option) bool {
	return c.Session().Opened() || c.script.Dialect.open(c, opts)
}
