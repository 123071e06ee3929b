package client

import "net/http"

// transport carries a request: the one that all conversations share, or that of a connection with a name.
func (c *Conversation) transport(o *outgoing) *http.Transport {
	shared := c.client.transport(o.http2 || c.script.HTTP2, o.fresh)
	if o.connection == "" {
		return shared
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	line := c.lines[o.connection]
	if line == nil {
		line = shared.Clone()
		line.MaxConnsPerHost = 1
		if c.lines == nil {
			c.lines = map[string]*http.Transport{}
		}
		c.lines[o.connection] = line
	}
	return line
}

// hangUp closes the connections with names, which nobody else may use.
func (c *Conversation) hangUp() {
	for _, line := range c.lines {
		line.CloseIdleConnections()
	}
}
