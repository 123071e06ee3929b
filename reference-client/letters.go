package refclient

import (
	"bytes"
	"context"
	"net"
	"net/http"
)

// readByLetter has the client overlook a Content-Type whose name is not written as usual, as one that compares names letter by letter
// does. It returns what closes its connections.
func (c *Client) readByLetter() func() {
	transport := c.HTTP.Transport.(*http.Transport).Clone()
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return strictConn{conn}, err
	}
	c.HTTP = &http.Client{Transport: transport}
	return transport.CloseIdleConnections
}

type strictConn struct{ net.Conn }

func (s strictConn) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p)
	copy(p[:n], bytes.ReplaceAll(p[:n], []byte("cOnTeNt-TyPe"), []byte("x-other-name")))
	return n, err
}
