package refserver

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

func (v *deviator) way(identity string) string {
	if v == nil {
		return ""
	}
	return v.Generate[identity]
}

// sessionID makes the id of the nth session.
func (v *deviator) sessionID(n int) string {
	switch v.way("session") {
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
	}
	return cursor
}
