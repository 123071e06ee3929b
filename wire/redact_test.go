package wire

import (
	"net/http"
	"strings"
	"testing"
)

func TestMaskerOverPieces(t *testing.T) {
	r := NewRedactor(http.Header{"A": {"aaaabbbb"}, "B": {"bbbbcccccccc"}})
	for _, in := range []string{"", "aaaabbbb", "xaaaabbbbx", "aaaaaaaabbbb", "aaaabbbbaaaabbbb", "aaaabbb", "aaaabbbbcccccccc", "bbbbbbbbcccccccc", "bbbbccccaaaabbbb"} {
		whole := string(r.All([]byte(in)))
		if len(whole) != len(in) {
			t.Errorf("%q became %q", in, whole)
		}
		for size := 1; size <= 5; size++ {
			m := r.Masker()
			var out strings.Builder
			for i := 0; i < len(in); i += size {
				out.Write(m.Next([]byte(in[i:min(i+size, len(in))])))
			}
			out.Write(m.Rest())
			for _, secret := range r.secrets {
				if strings.Contains(out.String(), secret) || strings.Contains(whole, secret) {
					t.Errorf("%q by %d bytes became %q", in, size, out.String())
				}
			}
			if out.Len() != len(in) {
				t.Errorf("%q by %d bytes became %q", in, size, out.String())
			}
		}
	}
}
