package judges

import (
	"net/url"
	"strings"
)

// IsURL tells that a text is an absolute http(s) URL.
func IsURL(s string) bool {
	_, ok := AbsoluteURL(s)
	return ok
}

// AbsoluteURL reads an absolute http(s) URL.
func AbsoluteURL(raw string) (*url.URL, bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, false
	}
	return u, true
}

// anyAbsolute reads a URI with a scheme and a host.
func anyAbsolute(raw string) (*url.URL, bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return nil, false
	}
	return u, true
}

// sameResource compares two URLs: the case of scheme and host and a port that goes without saying do not matter, nor does a query.
func sameResource(a, b string) bool {
	u, _ := url.Parse(a)
	v, _ := url.Parse(b)
	return SameOrigin(a, b) && u.EscapedPath() == v.EscapedPath() &&
		(u.RawQuery == v.RawQuery || u.RawQuery == "" || v.RawQuery == "")
}

// AtOrigin is a path at the origin of the endpoint.
func AtOrigin(endpoint, path string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return endpoint
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}).String()
}

// OriginOf is what a browser sends as Origin from a page at that URL.
func OriginOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	host, port := u.Host, u.Port()
	if u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		host = host[:len(host)-len(port)-1]
	}
	return u.Scheme + "://" + host
}

// SameOrigin tells whether two URLs share scheme, host and port.
func SameOrigin(a, b string) bool {
	_, err := url.Parse(a) // of what is no URL there is no origin, and no other's is that
	return err == nil && strings.EqualFold(OriginOf(a), OriginOf(b))
}
