package client

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"time"
)

// Listens tells that connections to the target are not refused: asked three times, since one may be an accident.
func (c *Client) Listens() bool {
	for range 3 {
		if err := c.knock(); err == nil || !isRefused(err) {
			return true
		}
		time.Sleep(knockPause)
	}
	return false
}

// knockPause is how long to wait before another look whether anybody listens.
const knockPause = 50 * time.Millisecond

// knock connects to the target and hangs up.
func (c *Client) knock() error {
	ctx, cancel := context.WithTimeout(c.ctx, time.Second)
	defer cancel()
	dial := c.config.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	conn, err := dial(ctx, "tcp", hostPort(c.target))
	if err != nil {
		return fmt.Errorf("connecting to %s: %w", c.target.Host, err)
	}
	return conn.Close()
}

// hostPort is the address that a URL is dialled at.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}
