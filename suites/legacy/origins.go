package legacy

import (
	"net/url"
	"strings"
)

// originOf is what a browser sends as Origin from a page at that URL.
func originOf(raw string) string {
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

// sameOrigin tells whether two URLs share scheme, host and port.
func sameOrigin(a, b string) bool {
	_, err1 := url.Parse(a)
	_, err2 := url.Parse(b)
	return err1 == nil && err2 == nil && strings.EqualFold(originOf(a), originOf(b))
}
