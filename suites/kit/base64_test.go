package kit

import "testing"

func TestBase64(t *testing.T) {
	for s, want := range map[string]Base64Form{
		"":                     Base64Standard,
		"aGVsbG8=":             Base64Standard,
		"+/+/":                 Base64Standard,
		"aGVsbG8":              Base64Loose,
		"aGVs\nbG8=":           Base64Loose,
		"aGVs\r\nbG8=\r\n":     Base64Loose,
		"aGVs\nbA==":           Base64Loose,
		"-_-_":                 Base64URL,
		"-_-_aA":               Base64URL,
		"a":                    NotBase64,
		"hello, world":         NotBase64,
		"data:;base64,aGVs":    NotBase64,
		"aGVsbG8====":          NotBase64,
		"+/-_":                 NotBase64,
		"\xff\xfe\x00":         NotBase64,
		"<svg></svg>":          NotBase64,
		"aGVsbG8=aGVsbG8=":     NotBase64,
		"aGVsbG8=\x00":         NotBase64,
		"a GVs bG8= ":          Base64Loose,
		"YWJjZA==\nYWJjZA==\n": NotBase64,
	} {
		if got := Base64(s); got != want {
			t.Errorf("Base64(%q) is %v, want %v", s, got, want)
		}
	}
}
