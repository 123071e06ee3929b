package kit

import "testing"

func TestURIFault(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///etc/hosts":                    "",
		"ref://about":                          "",
		"a:":                                   "",
		"urn:isbn:0451450523":                  "",
		"mailto:a@b.example":                   "",
		"x-y+z.1://host:8080/a;b=c?d=/?#e?/":   "",
		"http://[2001:db8::7]/c=GB?one?two":    "",
		"http://[::ffff:192.0.2.1]:80":         "",
		"http://[fe80::1%25en0]/":              "",
		"http://[v7.a:b]/":                     "",
		"http://[V7.a:b]/":                     "",
		"http://h:9/":                          "",
		"http://:80/":                          "",
		"a:-%00":                               "",
		"+a:b":                                 "has a scheme that does not start with a letter",
		"-a:b":                                 "has a scheme that does not start with a letter",
		"_a:b":                                 "has the character _ in its scheme",
		"a:%a":                                 "has % without two hexadecimal digits",
		"a:%z0":                                "has % without two hexadecimal digits",
		"a:%0z":                                "has % without two hexadecimal digits",
		"note:///a\x7f":                        "has the byte 0x7f",
		"note:///\uFFFD":                       "has the character \uFFFD beyond ASCII",
		"http://[v7]/":                         "has no valid IP address in brackets",
		"http://[vz.a]/":                       "has no valid IP address in brackets",
		"http://[v7.]/":                        "has no valid IP address in brackets",
		"http://[v7.a%20]/":                    "has no valid IP address in brackets",
		"http://[v7.a b]/":                     "has no valid IP address in brackets",
		"http://[fe80::1%25]/":                 "has no valid IP address in brackets",
		"http://[fe80::1%25a b]/":              "has no valid IP address in brackets",
		"http://u:p@host:/":                    "",
		"db://%C3%A4/%20":                      "",
		"data:text/plain;base64,aGVsbG8=":      "",
		"mcp:a:b/c@d":                          "",
		"":                                     "has no scheme",
		"about":                                "has no scheme",
		"/etc/hosts":                           "has no scheme",
		"//host/a:b":                           "has no scheme",
		"./a:b":                                "has no scheme",
		":a":                                   "has no scheme",
		"1a:b":                                 "has a scheme that does not start with a letter",
		"my_app://x":                           "has the character _ in its scheme",
		"not a uri:x":                          "has a space in its scheme",
		"note://my note":                       "has a space",
		"note:///my note":                      "has a space",
		"note:///a\x00":                        "has the byte 0x00",
		"note:///a\xff":                        "has the byte 0xff",
		"note:///ä":                            "has the character ä beyond ASCII",
		"note://ä/":                            "has the character ä beyond ASCII",
		"note:///{id}":                         "has the character {",
		"note:///a[1]":                         "has the character [",
		"note:///a?b=[1]":                      "has the character [",
		`file:///C:\x`:                         `has the character \`,
		"note:///a#b#c":                        "has the character #",
		"note:///100%":                         "has % without two hexadecimal digits",
		"note:///%zz":                          "has % without two hexadecimal digits",
		"note://host:port/":                    "has a port that is no number",
		"http://[::1/":                         "has no valid IP address in brackets",
		"http://[::1]x/":                       "has no valid IP address in brackets",
		"http://[1.2.3.4]/":                    "has no valid IP address in brackets",
		"http://[fe80::1%en0]/":                "has no valid IP address in brackets",
		"http://[v.a]/":                        "has no valid IP address in brackets",
		"http://[]/":                           "has no valid IP address in brackets",
		"http://a@b@c/":                        "has the character @",
		"http://u[@h/":                         "has the character [",
		"http://h]/":                           "has the character ]",
		"note:///\"a\"":                        `has the character "`,
		"postgres://a:b@c:5432/d?sslmode=a|b^": "has the character |",
	} {
		if got := URIFault(uri); got != want {
			t.Errorf("%q: got %q, want %q", uri, got, want)
		}
	}
}

func FuzzURIFault(f *testing.F) {
	for _, s := range []string{"", "a:", "http://[::1%25x]:1/?#", "%", "a://%", "a://[v1.", "ä:ö"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if URIFault(s) != "" {
			return
		}
		for i := range len(s) {
			if s[i] <= ' ' || s[i] >= 0x7f {
				t.Errorf("%q is no URI", s)
			}
		}
	})
}
