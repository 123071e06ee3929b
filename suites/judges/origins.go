package judges

import (
	"net/url"
	"strings"
)

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
	_, err1 := url.Parse(a)
	_, err2 := url.Parse(b)
	return err1 == nil && err2 == nil && strings.EqualFold(OriginOf(a), OriginOf(b))
}
