package kit

import (
	"strings"
	"testing"
)

func TestTemplateFault(t *testing.T) {
	for _, s := range []string{
		"", "ref://about", "ref://{name}", "file:///{+path}", "x://{a,b,c}", "x://a{?b,c*}", "x://{/a*}{#b:3}", "x://{a.b}", "x://{%41b}",
		"x://{name:9999}", "x://{=later}", "x://{a_1}", "x://{a%01b}", "x://{a%10b}", "a b/{c}", "ä/{c}",
	} {
		if why := TemplateFault(s); why != "" {
			t.Errorf("%q is a template: %s", s, why)
		}
	}
	for s, want := range map[string]string{
		"x://{":            "{ without }",
		"x://{name":        "{ without }",
		"x://name}":        "} without {",
		"x://{a}}":         "} without {",
		"x://{{a}}":        "{ within an expression",
		"x://{a{b}}":       "{ within an expression",
		"x://{}":           "no name",
		"x://{?}":          "no name",
		"x://{a,}":         "no name",
		"x://{,,a}":        "no name",
		"x://{*}":          "no name",
		"x://{user-id}":    "not -",
		"x://{user id}":    "not space",
		"x://{ä}":          "not ä",
		"x://{path:path}":  "prefix length",
		"x://{path:0}":     "prefix length",
		"x://{path:}":      "prefix length",
		"x://{path:10000}": "prefix length",
		"x://{path:3*}":    "prefix length",
		"x://{path**}":     "not *",
		"x://{.}":          "no name",
		"x://{a.}":         "a dot",
		"x://{a..b}":       "a dot",
		"x://{%4}":         "not %",
		"x://{$a}":         "not $",
		"x://{$41}":        "not $",
		"x://{a,.b}":       "a dot",
		"x://{%z1}":        "not %",
		"x://{%1z}":        "not %",
	} {
		if why := TemplateFault(s); !strings.Contains(why, want) {
			t.Errorf("%q: got %q, want it to say %q", s, why, want)
		}
	}
}

func FuzzTemplateFault(f *testing.F) {
	for _, s := range []string{"", "{", "}", "{a}", "{+a,b*}{?c:3}", "{%41}", "{a.b}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if TemplateFault(s) == "" && strings.Count(s, "{") != strings.Count(s, "}") {
			t.Errorf("the braces of %q do not match", s)
		}
	})
}
