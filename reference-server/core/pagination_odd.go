package core

import (
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// oddCursor is what stands around the number of a page: characters that a client which takes a cursor for more than a string would change.
const oddCursor = ` {"é":"a+b/%2F&=?\\u0041","page":`

// pageOf is the page that a cursor leads to, where each page has a size of its own. The last takes what is left. Where cursors are empty
// there are two pages, and the empty one leads to the second.
func pageOf[T any](items []T, sizes []int, cursor *string, empty bool) (_ []T, next string, _ *jsonrpc.Error) {
	number := 0
	switch {
	case cursor == nil:
	case *cursor == "" && empty:
		number = 1
	default:
		text, odd := strings.CutPrefix(*cursor, oddCursor)
		n, err := strconv.Atoi(strings.TrimSuffix(text, "} "))
		if !odd || err != nil || n < 1 || n >= len(sizes) {
			return nil, "", NoSuchCursor
		}
		number = n
	}
	start := 0
	for _, size := range sizes[:number] {
		start += size
	}
	start = min(start, len(items))
	if number == len(sizes)-1 {
		return append([]T{}, items[start:]...), "", nil
	}
	if empty {
		return append([]T{}, items[:sizes[0]]...), "", nil
	}
	return append([]T{}, items[start:min(start+sizes[number], len(items))]...), oddCursor + strconv.Itoa(number+1) + "} ", nil
}
