package legacy

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"testing"

	"github.com/mcpcheck/mcpcheck/wire"
)

// TestBadGzip: a body that was compressed under the length of the plain one is cut off there, or has bytes behind it that never came.
func TestBadGzip(t *testing.T) {
	pack := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write([]byte(text))
		_ = w.Close()
		return b.Bytes()
	}
	whole := pack(responseOne)
	for name, row := range map[string]struct {
		body []byte
		want string
	}{
		"whole":                              {whole, ""},
		"cut at the length of the plain one": {whole[:min(len(responseOne), len(whole)-1)], "breaks off"},
		"without its last byte":              {whole[:len(whole)-1], "breaks off"},
		"nothing":                            {nil, "does not begin as one"},
		"plain":                              {[]byte(responseOne), "does not begin as one"},
		"text":                               {pack("It works!"), "holds no JSON"},
	} {
		x := &wire.Exchange{Response: &wire.Response{Status: 200, Header: http.Header{}, Body: wire.NewBody(row.body)}}
		if got := badGzip(x); got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}
