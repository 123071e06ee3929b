package refserver

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"
)

func (v *deviator) way(identity string) string {
	if v == nil {
		return ""
	}
	return v.Generate[identity]
}

// sessionID makes the id of the nth session.
func (v *deviator) sessionID(n int) string { return v.nthID("session", n) }

// linkID makes the session id of the nth client of HTTP+SSE.
func (v *deviator) linkID(n int) string { return v.nthID("sse-session", n) }

func (v *deviator) nthID(identity string, n int) string {
	switch v.way(identity) {
	case "constant":
		return "session"
	case "counter":
		return fmt.Sprintf("session-%08d", n)
	case "short":
		return randomID()[:4]
	case "clock":
		return strconv.FormatInt(time.Now().UnixNano()+int64(n), 10) // unique also where no time passes
	case "space":
		return randomID() + " " + strconv.Itoa(n)
	case "non-ascii":
		return randomID() + "-é" + strconv.Itoa(n)
	case "control":
		return randomID() + "\x7f" + strconv.Itoa(n)
	}
	return randomID()
}

// eventID makes the id of the nth event of a stream.
func (v *deviator) eventID(stream string, n int) string {
	switch v.way("event") {
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
func (v *deviator) requestID(id string) any {
	switch v.way("server-request") {
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

// cursor makes the cursor of the next page from the one that it would have.
func (v *deviator) cursor(cursor string, c *request) string {
	switch v.way("cursor") {
	case "constant":
		return writeCursor(c.message.method, c.s.profile.PageSize)
	case "empty":
		return "" // leaves nextCursor out, and the rest of the list with it
	case "one-use", "forgetful":
		return cursor + "." + randomID()
	}
	return cursor
}

// takeCursor reads a cursor of those that are good for one use; used again they are no
// cursors any more, or lead to another page.
func (v *deviator) takeCursor(cursor string) string {
	way := v.way("cursor")
	if way != "one-use" && way != "forgetful" {
		return cursor
	}
	position, _, _ := strings.Cut(cursor, ".")
	switch _, used := v.usedCursors.LoadOrStore(cursor, true); {
	case !used:
		return position
	case way == "forgetful":
		text, _ := base64.RawURLEncoding.DecodeString(position)
		list, _, _ := strings.Cut(string(text), "@")
		return writeCursor(list, 1)
	}
	return ""
}

// badCursor does what is due after a cursor that is none.
func (v *deviator) badCursor(c *request) {
	if v.has(switchDieOnCursor, c.scene) {
		c.s.sessions.end(c.session, expired)
	}
}

// endpoint makes the data of the endpoint event from the session id. The condition of the deviation applies here too, for it
// breaks nothing when one client is told otherwise than the next.
func (v *deviator) endpoint(id string, x *exchange) string {
	reference := MessagePath + "?" + (url.Values{queryID: {id}}).Encode()
	way := v.way("endpoint")
	if v != nil && !v.applies(x.scene()) {
		way = ""
	}
	switch way {
	case "absolute":
		scheme := "http://"
		if x.r.TLS != nil {
			scheme = "https://"
		}
		return scheme + x.r.Host + reference
	case "relative":
		return strings.TrimPrefix(reference, "/") // works where the stream lies at the root, as ours does
	case "foreign":
		return "http://mcpcheck.invalid" + reference
	case "other-port":
		return "http://" + net.JoinHostPort(hostname(x.r.Host), "9") + reference
	case "other-scheme":
		return "ftp://" + x.r.Host + reference
	case "quoted":
		return string(encode(reference))
	case "object":
		return string(encode(map[string]string{"uri": reference}))
	case "two-lines":
		return strings.Replace(reference, "?", "\ndata: ?", 1)
	case "no-session":
		return MessagePath
	case "not-found":
		return "/no-such" + reference
	case "no-post":
		return x.r.URL.Path + "?" + (url.Values{queryID: {id}}).Encode()
	}
	return reference
}
