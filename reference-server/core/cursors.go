package core

import (
	"encoding/base64"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
)

// cursors can be generated in other ways.
var (
	identities deviation.Identities
	cursors    = identities.Add("cursor", "constant", "empty", "one-use", "forgetful")
)

// Words are what deviations can name of the methods.
func Words() deviation.Vocabulary {
	return deviation.Vocabulary{Identities: identities.All()}
}

// cursor makes the cursor of the next page from the one that it would have.
func (c *Request) cursor(cursor string) string {
	switch c.Server.Dev.Way(cursors) {
	case "constant":
		return writeCursor(c.Message.Method, c.Server.PageSize)
	case "empty":
		return "" // leaves nextCursor out, and the rest of the list with it
	case "one-use", "forgetful":
		return cursor + "." + RandomID()
	}
	return cursor
}

// takeCursor reads a cursor of those that are good for one use; used again they are no
// cursors any more, or lead to another page.
func (c *Request) takeCursor(cursor string) string {
	way := c.Server.Dev.Way(cursors)
	if way != "one-use" && way != "forgetful" {
		return cursor
	}
	position, _, _ := strings.Cut(cursor, ".")
	switch _, used := c.Server.usedCursors.LoadOrStore(cursor, true); {
	case !used:
		return position
	case way == "forgetful":
		text, _ := base64.RawURLEncoding.DecodeString(position)
		list, _, _ := strings.Cut(string(text), "@")
		return writeCursor(list, 1)
	}
	return ""
}
