package client

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"
)

// idleTimeout closes connections before servers usually do (Node: 5 s), so that a request seldom meets a stale one.
const idleTimeout = 4 * time.Second

// makeTransports builds the tapped HTTP/1.1 transport and the untapped one that prefers HTTP/2.
//
// Neither follows redirects or decompresses, and neither repeats a request: the recorder calls RoundTrip itself, with a body
// that cannot be read twice.
func (c *Client) makeTransports() {
	var only1, both http.Protocols
	only1.SetHTTP1(true)
	both.SetHTTP1(true)
	both.SetHTTP2(true)
	base := http.Transport{
		Proxy:                  c.transportProxy,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    2 * (c.gate.slots.width() + c.gate.spare),
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: c.config.Limits.Header,
		ExpectContinueTimeout:  time.Second,
	}
	tapped := base.Clone()
	tapped.Protocols = &only1
	tapped.DialContext = c.dialTapped
	tapped.DialTLSContext = c.dialTLS
	tapped.TLSClientConfig = c.tlsConfig("http/1.1")
	c.tapped = tapped

	fresh := tapped.Clone()
	fresh.DisableKeepAlives = true
	c.fresh = fresh

	plain := base.Clone()
	plain.Protocols = &both
	plain.ForceAttemptHTTP2 = true
	plain.DialContext = c.dialCounted
	plain.TLSClientConfig = c.tlsConfig()
	plain.Proxy = c.chooseProxy
	c.plain = plain
}

func (c *Client) transport(http2, fresh bool) *http.Transport {
	switch {
	case http2 || c.config.HTTP2:
		return c.plain
	case fresh:
		return c.fresh
	}
	return c.tapped
}

func (c *Client) tlsConfig(protocols ...string) *tls.Config {
	config := c.config.TLS.Clone()
	if config == nil {
		config = &tls.Config{}
	}
	config.NextProtos = protocols
	return config
}

// chooseProxy returns the proxy for a request, nil for none, and remembers its address.
func (c *Client) chooseProxy(req *http.Request) (*url.URL, error) {
	choose := c.config.Proxy
	if choose == nil {
		if c.config.Dial != nil {
			return nil, nil
		}
		choose = http.ProxyFromEnvironment
	}
	proxy, err := choose(req)
	if err == nil && proxy != nil {
		c.mu.Lock()
		c.proxy[proxyAddress(proxy)] = true
		c.mu.Unlock()
	}
	return proxy, err
}

func proxyAddress(proxy *url.URL) string {
	port := proxy.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[proxy.Scheme]
	}
	return net.JoinHostPort(proxy.Hostname(), port)
}

// transportProxy is the proxy that net/http may handle itself. A tunnel for TLS through an HTTP proxy is not among them: there the
// tap would lie under TLS. dialTLS digs it.
func (c *Client) transportProxy(req *http.Request) (*url.URL, error) {
	proxy, err := c.chooseProxy(req)
	if err != nil || proxy == nil {
		return nil, err
	}
	if req.URL.Scheme == "https" && (proxy.Scheme == "http" || proxy.Scheme == "https") {
		return nil, nil
	}
	return proxy, nil
}

// isProxy tells that addr is a proxy that was chosen, and not the target.
func (c *Client) isProxy(addr string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.proxy[addr]
}

// dialRaw makes a connection that ends with the client.
func (c *Client) dialRaw(ctx context.Context, network, addr string) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)()
	dial := c.config.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: c.config.Timeout}).DialContext
	}
	conn, err := dial(ctx, network, addr)
	switch {
	case err != nil && c.isProxy(addr):
		return nil, &phaseError{"proxy", fmt.Errorf("the proxy %s cannot be reached: %w", addr, err)}
	case err != nil:
		return nil, &phaseError{"dial", err}
	}
	return conn, nil
}

func (c *Client) dialCounted(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := c.dialRaw(ctx, network, addr)
	if err == nil {
		c.connections.Add(1)
	}
	return conn, err
}

// dialTapped serves plain http. Connections to a SOCKS proxy stay untapped: net/http shakes hands on them before the first
// request.
func (c *Client) dialTapped(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := c.dialRaw(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	if c.isProxy(addr) {
		if proxy, _ := c.chooseProxy(&http.Request{URL: c.target}); proxy != nil && proxy.Scheme != "http" {
			c.connections.Add(1)
			return conn, nil
		}
	}
	return c.tap(conn)
}

// dialTLS makes the TLS connection, through a tunnel where a proxy is to be used, and puts the tap above it.
func (c *Client) dialTLS(ctx context.Context, network, addr string) (net.Conn, error) {
	var proxy *url.URL
	if !c.isProxy(addr) {
		var err error
		if proxy, err = c.chooseProxy(&http.Request{URL: &url.URL{Scheme: "https", Host: addr}}); err != nil {
			return nil, &phaseError{"dial", err}
		}
	}
	var conn net.Conn
	var err error
	if proxy == nil {
		conn, err = c.dialRaw(ctx, network, addr)
	} else {
		conn, err = c.tunnel(ctx, network, proxy, addr)
	}
	if err != nil {
		return nil, err
	}
	secure, err := c.secure(ctx, conn, addr)
	if err != nil {
		return nil, err
	}
	return c.tap(secure)
}

func (c *Client) secure(ctx context.Context, conn net.Conn, addr string) (net.Conn, error) {
	config := c.tlsConfig("http/1.1")
	if config.ServerName == "" {
		config.ServerName, _, _ = net.SplitHostPort(addr)
	}
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)()
	if trace := httptrace.ContextClientTrace(ctx); trace != nil && trace.TLSHandshakeStart != nil {
		trace.TLSHandshakeStart() // net/http leaves it to a DialTLSContext
	}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, &phaseError{"tls", err}
	}
	return secure, nil
}

// tunnel asks a proxy to connect us to addr.
func (c *Client) tunnel(ctx context.Context, network string, proxy *url.URL, addr string) (net.Conn, error) {
	conn, err := c.dialRaw(ctx, network, proxyAddress(proxy))
	if err != nil {
		return nil, err
	}
	if proxy.Scheme == "https" {
		if conn, err = c.secure(ctx, conn, proxyAddress(proxy)); err != nil {
			return nil, err
		}
	}
	conn.SetDeadline(time.Now().Add(c.config.Timeout))
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })()
	request := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: addr}, Host: addr, Header: http.Header{}}
	if user := proxy.User; user != nil {
		password, _ := user.Password()
		request.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)))
	}
	err = request.Write(conn)
	if err == nil {
		// TLS speaks first on our side, so nothing of the tunnel can be in the reader's buffer.
		var res *http.Response
		if res, err = http.ReadResponse(bufio.NewReader(conn), request); err == nil && res.StatusCode != http.StatusOK {
			err = fmt.Errorf("the proxy %s answered CONNECT with %s", proxyAddress(proxy), res.Status)
		}
	}
	if err != nil {
		conn.Close()
		return nil, &phaseError{"proxy", err}
	}
	conn.SetDeadline(time.Time{})
	return conn, nil
}

// tap wraps a connection and remembers it until it is closed.
func (c *Client) tap(conn net.Conn) (net.Conn, error) {
	tapped := newTapConn(conn, int(c.connections.Add(1)), &c.bytes, func(t *tapConn) {
		c.mu.Lock()
		delete(c.conns, t)
		c.mu.Unlock()
	})
	c.mu.Lock()
	done := c.done
	if !done {
		c.conns[tapped] = true
	}
	c.mu.Unlock()
	if done {
		conn.Close()
		return nil, errClientClosed
	}
	return tapped, nil
}
