package kit

import (
	"fmt"
	"net/netip"
	"strings"
	"unicode/utf8"

	"github.com/mcpcheck/mcpcheck/client"
)

// URIFault says in a phrase what keeps a string from being a URI after RFC 3986 (section 3, with a scheme); "" where nothing does. The
// phrase goes on after "which".
func URIFault(uri string) string {
	scheme, rest, ok := strings.Cut(uri, ":")
	if !ok || strings.ContainsAny(scheme, "/?#") {
		return "has no scheme"
	}
	if why := schemeFault(scheme); why != "" {
		return why
	}
	rest, fragment, _ := strings.Cut(rest, "#")
	path, query, _ := strings.Cut(rest, "?")
	if hier, found := strings.CutPrefix(path, "//"); found {
		authority := hier
		path = ""
		if slash := strings.IndexByte(hier, '/'); slash >= 0 {
			authority, path = hier[:slash], hier[slash:]
		}
		if why := authorityFault(authority); why != "" {
			return why
		}
	}
	if why := charFault(path, ":@/"); why != "" {
		return why
	}
	if why := charFault(query, ":@/?"); why != "" {
		return why
	}
	return charFault(fragment, ":@/?")
}

// schemeFault: section 3.1.
func schemeFault(scheme string) string {
	if scheme == "" {
		return "has no scheme"
	}
	for i := range len(scheme) {
		switch c := scheme[i]; {
		case isLetter(c), i > 0 && (isDigit(c) || strings.IndexByte("+-.", c) >= 0):
		case isDigit(c) || strings.IndexByte("+-.", c) >= 0:
			return "has a scheme that does not start with a letter"
		default:
			return "has " + character(scheme[i:]) + " in its scheme"
		}
	}
	return ""
}

// authorityFault: section 3.2.
func authorityFault(authority string) string {
	userinfo, host, ok := cutLast(authority, "@")
	if !ok {
		userinfo, host = "", authority
	}
	if why := charFault(userinfo, ":"); why != "" {
		return why
	}
	port := ""
	if literal, found := strings.CutPrefix(host, "["); found {
		address, after, closed := strings.Cut(literal, "]")
		if !closed || !addressLiteral(address) || after != "" && after[0] != ':' {
			return "has no valid IP address in brackets"
		}
		host, port = "", strings.TrimPrefix(after, ":")
	} else {
		host, port, _ = cutLast(host, ":")
	}
	for i := range len(port) {
		if !isDigit(port[i]) {
			return "has a port that is no number"
		}
	}
	return charFault(host, "")
}

// addressLiteral: IPv6address or IPvFuture, and the zone of RFC 6874.
func addressLiteral(s string) bool {
	if strings.HasPrefix(s, "v") || strings.HasPrefix(s, "V") {
		version, rest, ok := strings.Cut(s[1:], ".")
		return ok && version != "" && strings.Trim(version, hexDigits) == "" && rest != "" && !strings.Contains(rest, "%") && charFault(rest, ":") == ""
	}
	address, zone, zoned := strings.Cut(s, "%25")
	if zoned && (zone == "" || charFault(zone, "") != "") {
		return false
	}
	a, _ := netip.ParseAddr(address)
	return a.Is6() && a.Zone() == ""
}

const hexDigits = "0123456789abcdefABCDEF"

// charFault finds the first character that may not stand as it is: allowed are unreserved, sub-delims, percent-encoded bytes (section 2)
// and those given.
func charFault(s, also string) string {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isLetter(c), isDigit(c), strings.IndexByte("-._~!$&'()*+,;=", c) >= 0, strings.IndexByte(also, c) >= 0:
		case c != '%':
			return "has " + character(s[i:])
		case i+2 >= len(s) || strings.IndexByte(hexDigits, s[i+1]) < 0 || strings.IndexByte(hexDigits, s[i+2]) < 0:
			return "has % without two hexadecimal digits"
		default:
			i += 2
		}
	}
	return ""
}

// character names the first character of a string in a phrase.
func character(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == ' ':
		return "a space"
	case r == utf8.RuneError && size <= 1, r < ' ', r == 0x7f:
		return fmt.Sprintf("the byte 0x%02x", s[0])
	case r > 0x7f:
		return fmt.Sprintf("the character %c beyond ASCII", r)
	}
	return fmt.Sprintf("the character %c", r)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// IsLoopback tells that a host is this machine, by its name.
func IsLoopback(host string) bool { return client.IsLoopback(host) }
