package legacy

import "testing"

func TestFirstVariable(t *testing.T) {
	for template, want := range map[string]string{
		"file:///{path}":          "path",
		"file:///{+path}":         "path",
		"x://{?q,page*}":          "q",
		"x://{name:3}/{other}":    "name",
		"x://{list*}":             "list",
		"x://nothing":             "",
		"x://{":                   "",
		"x://{}":                  "",
		"x://}{a}":                "a",
		"x://{;a,b}{/c}":          "a",
		"x://" + string(rune(0)):  "",
		"ref://greeting/{name}/x": "name",
	} {
		if got := firstVariable(template); got != want {
			t.Errorf("%q: %q, want %q", template, got, want)
		}
	}
}

func TestPromptContentForms(t *testing.T) {
	for name, want := range map[string]bool{
		"image/png": true, "image/svg+xml": true, "audio/L16; rate=8000": true, "application/vnd.x-y.z": true,
		"": false, "png": false, "image/": false, "/png": false, ".png": false, "image/p ng": false, "image": false,
	} {
		if got := mimeType.MatchString(name); got != want {
			t.Errorf("MIME type %q: %v", name, got)
		}
	}
	for uri, want := range map[string]bool{
		"file:///a/b": true, "urn:x:y": true, "x+y://h": true, "file:///tmp/ä.txt": true, "https://example.com/?q=%20": true,
		"": false, "/about": false, "about": false, "file:": false, "my file:///x": false, "x://a b": false, "1x://a": false,
	} {
		if got := schemedURI.MatchString(uri); got != want {
			t.Errorf("URI %q: %v", uri, got)
		}
	}
}
