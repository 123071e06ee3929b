package mock

import (
	"net/url"
	"strings"
	"testing"
)

// TestWithoutRoots: of roots their number and the schemes of their URIs are left, and whether they are URIs, in as many bytes.
func TestWithoutRoots(t *testing.T) {
	for name, row := range map[string]struct{ in, want string }{
		"a file":                  {`{"id":1,"result":{"roots":[{"uri":"file:///home/me/secret","name":"my things"}]}}`, `{"id":1,"result":{"roots":[{"uri":"file:[redacted]*******","name":"[redacted"}]}}`},
		"another scheme":          {`{"id":1,"result":{"roots":[{"uri":"https://me.example/"}]}}`, `{"id":1,"result":{"roots":[{"uri":"https:[redacted]***"}]}}`},
		"escaped":                 {`{"id":1,"result":{"roots":[{"uri":"file:\/\/\/home\/me\/\u0061"}]}}`, `{"id":1,"result":{"roots":[{"uri":"file:[redacted]************"}]}}`},
		"several, in an array":    {`[{"id":1,"result":{"roots":[{"uri":"file:///a/b/c/d"},{"uri":"file:///e/f/g/h"}]}}]`, `[{"id":1,"result":{"roots":[{"uri":"file:[redacted]"},{"uri":"file:[redacted]"}]}}]`},
		"in 2026-07-28":           {`{"id":1,"method":"tools/call","params":{"inputResponses":{"a/b":{"roots":[{"uri":"file:///home/me"}]}}}}`, `{"id":1,"method":"tools/call","params":{"inputResponses":{"a/b":{"roots":[{"uri":"file:[redacted]"}]}}}}`},
		"a member of their own":   {`{"id":1,"result":{"roots":[{"uri":"file:///home/me","_meta":{"x":["/home/me/secret"]}}]}}`, `{"id":1,"result":{"roots":[{"uri":"file:[redacted]","_meta":{"x":["[redacted]*****"]}}]}}`},
		"no text":                 {`{"id":1,"result":{"roots":[{"uri":7}]}}`, `{"id":1,"result":{"roots":[{"uri":7}]}}`},
		"no roots":                {`{"id":1,"result":{"roots":[]}}`, `{"id":1,"result":{"roots":[]}}`},
		"a tool of that name":     {`{"id":1,"method":"tools/call","params":{"name":"roots"}}`, `{"id":1,"method":"tools/call","params":{"name":"roots"}}`},
		"no JSON":                 {`{"roots"`, `{"roots"`},
		"no scheme":               {`{"id":1,"result":{"roots":[{"uri":"/home/me/secret"}]}}`, `{"id":1,"result":{"roots":[{"uri":"[redacted]*****"}]}}`},
		"shorter than its scheme": {`{"id":1,"result":{"roots":[{"uri":"file:"}]}}`, `{"id":1,"result":{"roots":[{"uri":"file:"}]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			got := string(withoutRoots([]byte(row.in)))
			if got != row.want {
				t.Errorf("got %s\nwant %s", got, row.want)
			}
			if len(got) != len(row.in) {
				t.Errorf("%d bytes became %d", len(row.in), len(got))
			}
		})
	}
	broken := string(withoutRoots([]byte(`{"id":1,"result":{"roots":[{"uri":"file:///home/%zz"}]}}`)))
	_, rest, _ := strings.Cut(broken, `"uri":"`)
	uri, _, _ := strings.Cut(rest, `"`)
	if _, err := url.Parse(uri); err == nil || strings.Contains(broken, "home") {
		t.Errorf("what was no URI became one, or was kept: %s", broken)
	}
}
