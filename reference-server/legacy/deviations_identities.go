package legacy

import (
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// What can be generated in other ways.
var (
	identities deviation.Identities

	sessionIDs       = identities.Add("session", "constant", "counter", "short", "clock", "space", "non-ascii", "control")
	eventIDs         = identities.Add("event", "constant", "per-stream", "non-ascii")
	serverRequestIDs = identities.Add("server-request", "constant", "null", "fraction", "boolean", "object")
	linkIDs          = identities.Add("sse-session", "constant", "counter", "short", "clock")
	endpoints        = identities.Add("endpoint", "absolute", "relative", "foreign", "other-host", "other-port", "other-scheme", "quoted", "object",
		"two-lines", "no-session", "not-found", "no-post")
)

// sessionID makes the id of the nth session.
func (s *Server) sessionID(n int) string { return s.nthID(sessionIDs, n) }

// linkID makes the session id of the nth client of HTTP+SSE.
func (s *Server) linkID(n int) string { return s.nthID(linkIDs, n) }

func (s *Server) nthID(identity deviation.Identity, n int) string {
	switch s.dev.Way(identity) {
	case "constant":
		return "session"
	case "counter":
		return fmt.Sprintf("session-%08d", n)
	case "short":
		return core.RandomID()[:4]
	case "clock":
		return strconv.FormatInt(time.Now().UnixNano()+int64(n), 10) // unique also where no time passes
	case "space":
		return core.RandomID() + " " + strconv.Itoa(n)
	case "non-ascii":
		return core.RandomID() + "-é" + strconv.Itoa(n)
	case "control":
		return core.RandomID() + "\x7f" + strconv.Itoa(n)
	}
	return core.RandomID()
}

// eventID makes the id of the nth event of a stream.
func (s *Server) eventID(stream string, n int) string {
	switch s.dev.Way(eventIDs) {
	case "constant":
		return "0"
	case "per-stream":
		return strconv.Itoa(n)
	case "non-ascii":
		return stream + "→" + strconv.Itoa(n)
	}
	return defaultEventID(stream, n)
}

// requestID makes the id of a request of the server from the one that it would have.
func (s *Server) requestID(id string) any {
	switch s.dev.Way(serverRequestIDs) {
	case "constant":
		return "ref"
	case "null":
		return json.RawMessage("null")
	case "fraction":
		return json.RawMessage("1.5")
	case "boolean":
		return true
	case "object":
		return map[string]any{"id": id}
	}
	return id
}

// endpoint makes the data of the endpoint event from the session id. The condition of the deviation applies here too, for it
// breaks nothing when one client is told otherwise than the next.
func (x *exchange) endpoint(id string) string {
	reference := MessagePath + "?" + (url.Values{queryID: {id}}).Encode()
	way := x.s.dev.Way(endpoints)
	if way != "" && !x.s.dev.Applies(x.Scene()) {
		way = ""
	}
	switch way {
	case "absolute":
		scheme := "http://"
		if x.R.TLS != nil {
			scheme = "https://"
		}
		return scheme + x.R.Host + reference
	case "relative":
		return strings.TrimPrefix(reference, "/") // works where the stream lies at the root, as ours does
	case "foreign":
		return "http://mcpcheck.invalid" + reference
	case "other-host":
		return "http://" + otherHost(x.R.Host) + reference
	case "other-port":
		return "http://" + net.JoinHostPort(web.Hostname(x.R.Host), "9") + reference
	case "other-scheme":
		return "ftp://" + x.R.Host + reference
	case "quoted":
		return string(jsonrpc.Encode(reference))
	case "object":
		return string(jsonrpc.Encode(map[string]string{"uri": reference}))
	case "two-lines":
		return strings.Replace(reference, "?", "\ndata: ?", 1)
	case "no-session":
		return MessagePath
	case "not-found":
		return "/no-such" + reference
	case "no-post":
		return x.R.URL.Path + "?" + (url.Values{queryID: {id}}).Encode()
	}
	return reference
}

// otherHost is another name of this machine, at the same port: another origin that leads to the same place.
func otherHost(hostport string) string {
	host := "localhost"
	if web.Hostname(hostport) == host {
		host = "127.0.0.1"
	}
	_, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return host
	}
	return net.JoinHostPort(host, port)
}
