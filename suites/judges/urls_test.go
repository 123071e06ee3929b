package judges

import (
	"testing"
)

// TestURLs: what has no host is no absolute URL, and a port that goes without saying does not matter.
func TestURLs(t *testing.T) {
	for raw, want := range map[string][2]bool{
		"https://h/x": {true, true}, "http://h": {true, true}, "ftp://h/": {false, true}, "//h/x": {false, false}, "http:///x": {false, false}, "http://:80/": {false, true},
		"http://%zz": {false, false}, "/x": {false, false}, "": {false, false},
	} {
		_, absolute := AbsoluteURL(raw)
		_, any := anyAbsolute(raw)
		if got := [2]bool{absolute, any}; got != want {
			t.Errorf("%q: %v, want %v", raw, got, want)
		}
	}
	for raw, want := range map[string]string{
		"http://h:80/x": "http://h", "https://h:443": "https://h", "https://h:80/": "https://h:80", "http://h:443/": "http://h:443", "http://h:8080/x": "http://h:8080", "http://%zz": "http://%zz",
	} {
		if got := OriginOf(raw); got != want {
			t.Errorf("the origin of %q is %q, want %q", raw, got, want)
		}
	}
	for _, row := range []struct {
		a, b         string
		origin, same bool
	}{
		{"http://h/a", "http://H:80/a", true, true}, {"http://h/a", "http://h/b", true, false}, {"http://h/a", "https://h/a", false, false},
		{"http://h/a?x", "http://h/a", true, true}, {"http://h/a", "http://h/a?x", true, true}, {"http://h/a?x", "http://h/a?x", true, true}, {"http://h/a?x", "http://h/a?y", true, false},
		{"http://%zz", "http://%zz", false, false}, {"http://h", "http://%zz", false, false}, {"http://%zz", "http://h", false, false},
	} {
		if SameOrigin(row.a, row.b) != row.origin || sameResource(row.a, row.b) != row.same {
			t.Errorf("%q and %q: the origin %v, the resource %v", row.a, row.b, SameOrigin(row.a, row.b), sameResource(row.a, row.b))
		}
	}
	if got := AtOrigin("https://h:1/x?y", "/z"); got != "https://h:1/z" {
		t.Errorf("at the origin: %q", got)
	}
	if got := AtOrigin("http://%zz", "/z"); got != "http://%zz" {
		t.Errorf("at no origin: %q", got)
	}
}
