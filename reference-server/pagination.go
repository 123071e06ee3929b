package refserver

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// page cuts a list (server/utilities/pagination). A cursor names the list and the first item of the page, so it stays good
// as long as the list does.
func page[T any](c *request, items []T) (_ []T, next string, _ *rpcError) {
	var params struct {
		Cursor *string `json:"cursor"`
	}
	if err := decodeParams(c.message, &params); err != nil {
		return nil, "", err
	}
	start := 0
	if params.Cursor != nil {
		var ok bool
		if start, ok = readCursor(c.message.method, c.s.dev.takeCursor(*params.Cursor)); !ok || start > len(items) {
			c.s.dev.badCursor(c)
			return nil, "", invalidParams("no such cursor")
		}
	}
	end := len(items)
	if size := c.s.profile.PageSize; size > 0 && start+size < end {
		end = start + size
		next = c.s.dev.cursor(writeCursor(c.message.method, end), c)
	}
	return append([]T{}, items[start:end]...), next, nil
}

func writeCursor(list string, start int) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s@%d", list, start))
}

func readCursor(list, cursor string) (start int, ok bool) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return 0, false
	}
	of, number, found := strings.Cut(string(text), "@")
	start, err = strconv.Atoi(number)
	return start, found && of == list && err == nil && start > 0
}
