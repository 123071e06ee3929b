package core

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// NoSuchCursor is the one error of every cursor that is none, so that whoever cares can tell it from others.
var NoSuchCursor = jsonrpc.InvalidParams("no such cursor")

// page cuts a list (server/utilities/pagination). A cursor names the list and the first item of the page, so it stays good
// as long as the list does.
func page[T any](c *Request, items []T) (_ []T, next string, _ *jsonrpc.Error) {
	var params struct {
		Cursor *string `json:"cursor"`
	}
	if err := jsonrpc.DecodeParams(c.Message, &params); err != nil {
		return nil, "", err
	}
	if sizes := c.Server.Pages; len(sizes) > 0 {
		return pageOf(items, sizes, params.Cursor, c.Server.Dev.Way(cursors) == "empty")
	}
	start := 0
	if params.Cursor != nil {
		var ok bool
		if start, ok = readCursor(c.Message.Method, c.takeCursor(*params.Cursor)); !ok || start > len(items) {
			return nil, "", NoSuchCursor
		}
	}
	end := len(items)
	if size := c.Server.PageSize; size > 0 && start+size < end {
		end = start + size
		next = c.cursor(writeCursor(c.Message.Method, end))
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
