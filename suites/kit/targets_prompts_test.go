package kit

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
