package client

// Insists are what a server wants of every client although the specification does not: a run that gives it to the server can look at the
// rest.
type Insists struct {
	// VersionHeader: initialize is served only with MCP-Protocol-Version, which is that of a later request.
	VersionHeader bool `json:"versionHeader,omitempty"`
	// Accept is the form of that header which is served; empty for the usual one.
	Accept string `json:"accept,omitempty"`
}

// Indulge gives the server what it insists on, in all conversations that start from now on. A request that says otherwise itself does as
// it says.
func (c *Client) Indulge(i Insists) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.insists = i
}

// opening are the options of an initialize that names a revision.
func (c *Client) opening(revision string) []Option {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.insists.VersionHeader {
		return nil
	}
	return []Option{WithVersion(revision)}
}

// usualAccept is what clients are to send with each POST.
const usualAccept = "application/json, text/event-stream"

func (c *Client) accept() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.insists.Accept != "" {
		return c.insists.Accept
	}
	return usualAccept
}
