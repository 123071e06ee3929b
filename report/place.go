package report

import (
	"crypto/sha256"
	"fmt"
	"net"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// firstEphemeralPort is where the ports begin that systems hand out by themselves: nobody chose one of those, and the next run has another.
const firstEphemeralPort = 32768

// A targetPlace is a target as code scanning can hold it: the same text for the same target in every run.
type targetPlace struct {
	// path is host and path without a scheme, a legal relative URI: "example.com/mcp", "127.0.0.1%3A3000/mcp". GitHub refuses a whole
	// file for one location with a scheme, and "localhost:3000/mcp" has one to whoever reads it by the letter.
	path string
	// key is path, with a short hash where more than host and path tell this target from another.
	key string
}

// placeOf names the target of a report. The query is a part of what it is. On this machine a port that the system handed out is not; the
// name that the server gives itself then stands for it.
func placeOf(t Target) targetPlace {
	u, err := url.Parse(t.URL)
	if err != nil || u.Host == "" {
		return newPlace(path.Clean(strings.TrimLeft(relativeSegments(oneLine(t.URL)), "/")), "")
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	more := u.RawQuery
	switch number, _ := strconv.Atoi(port); {
	case port == "", u.Scheme == "http" && port == "80", u.Scheme == "https" && port == "443":
	case isLoopback(host) && number >= firstEphemeralPort:
		more += "\n" + oneLine(t.Server.Name)
	default:
		host += ":" + port
	}
	return newPlace(relativeSegments(host)+path.Clean("/"+u.EscapedPath()), more)
}

func newPlace(where, more string) targetPlace {
	where = strings.TrimRight(where, "/")
	if where == "" || where == "." {
		where = "target"
	}
	p := targetPlace{path: where, key: where}
	if more != "" {
		p.key += fmt.Sprintf("~%x", sha256.Sum256([]byte(more)))[:9]
	}
	return p
}

// relativeSegments escapes text for a path whose first segment must not look like a scheme.
func relativeSegments(text string) string {
	segments := strings.Split(text, "/")
	for i, s := range segments {
		segments[i] = strings.ReplaceAll(url.PathEscape(s), ":", "%3A")
	}
	return strings.Join(segments, "/")
}

func isLoopback(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
}
