package mock

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/mcpcheck/mcpcheck/wire"
)

// canonical are the fields of a head by their usual names.
func canonical(h http.Header) http.Header {
	all := http.Header{}
	for name, values := range h {
		if values != nil { // nil keeps net/http from adding one
			all[http.CanonicalHeaderKey(name)] = slices.Clone(values)
		}
	}
	return all
}

// oddHead is the head as a persona wrote it, where it spelt a name in another way than usual; nil elsewhere.
func oddHead(status int, h http.Header) wire.Bytes {
	head, odd := fmt.Sprintf("HTTP/1.1 %d %s\r\n", status, http.StatusText(status)), false
	for name, values := range h {
		odd = odd || name != http.CanonicalHeaderKey(name)
		for _, v := range values {
			head += name + ": " + v + "\r\n"
		}
	}
	if !odd {
		return nil
	}
	return wire.Bytes(head + "\r\n")
}
