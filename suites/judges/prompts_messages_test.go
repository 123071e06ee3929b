package judges

import "testing"

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
