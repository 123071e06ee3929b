package judges

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Icons judges icons wherever they are listed. Where softly, a member of the right type that says something else than it may is no more
// than a warning.
func Icons(t *kit.T, holders []IconHolder, softly bool) {
	t.Says("icons with an https: or data: src and members of the right types")
	j := iconJudge{t: t, softly: softly, told: map[string]bool{}}
	looked := false
	for _, x := range t.Exchanges() {
		for _, h := range holders {
			if x.RequestMessage().Method == h.Method && x.Served() {
				looked = true
				j.result(x, h)
			}
		}
	}
	switch {
	case !looked:
		t.NotObserved(kit.Unprovoked, "nothing was listed that could have icons")
	case j.icons == 0:
		t.NotApplicable("the server offers no icons")
	}
	t.OK(j.first, "icons are well-formed, %d looked at", j.icons)
}

// iconSize is a size as the specification writes them.
var iconSize = regexp.MustCompile(`^(any|[1-9][0-9]*[xX][1-9][0-9]*)$`)

// An IconHolder is a place where a server puts icons: in the answer to a request, an object with the member icons or an
// array of such.
type IconHolder struct {
	// Method is that of the request, Pointer leads from its answer.
	Method, Pointer string
	// JudgedElsewhere: that icons are an array there is the business of another requirement.
	JudgedElsewhere bool
}

// An iconJudge looks at icons wherever they are listed, and tells each thing once however often a list was read.
type iconJudge struct {
	t      *kit.T
	softly bool
	told   map[string]bool
	icons  int
	first  *wire.Exchange
}

func (j *iconJudge) result(x *wire.Exchange, place IconHolder) {
	answer, _ := x.Answer()
	raw, _ := answer.Pointer(place.Pointer)
	holders, list := wire.Elements(raw)
	if !list {
		holders = []json.RawMessage{raw}
	}
	for _, h := range holders {
		given, ok := wire.Lookup(h, "/icons")
		if !ok {
			continue
		}
		icons, list := wire.Elements(given)
		if !list {
			if !place.JudgedElsewhere {
				j.breach(x, "icons, an array", "icons "+kit.JSON(given))
			}
			continue
		}
		for _, icon := range icons {
			j.icon(x, icon)
		}
	}
}

func (j *iconJudge) icon(x *wire.Exchange, raw json.RawMessage) {
	j.icons++
	if j.first == nil {
		j.first = x
	}
	m := wire.ReadMessage(raw)
	if kit.JSONType(raw) != "object" {
		j.breach(x, "an icon, an object", kit.JSON(raw))
		return
	}
	for _, member := range []struct{ name, kind string }{{"mimeType", "string"}, {"sizes", "array"}, {"theme", "string"}} {
		if value, present := m.Pointer("/" + member.name); present && kit.JSONType(value) != member.kind {
			j.breach(x, fmt.Sprintf("%s of an icon, of type %s", member.name, member.kind), kit.JSON(value))
		}
	}
	var sizes []json.RawMessage
	_ = m.Decode("/sizes", &sizes)
	for _, size := range sizes {
		switch text := wire.Unquote(size); {
		case kit.JSONType(size) != "string":
			j.breach(x, "sizes of an icon, an array of strings", kit.JSON(size))
		case j.softly && !iconSize.MatchString(text):
			j.warn(x, `a size of an icon, such as "48x48" or "any"`, fmt.Sprintf("%q", text))
		}
	}
	var theme string
	if m.Decode("/theme", &theme) == nil && theme != "light" && theme != "dark" {
		find := j.breach
		if j.softly {
			find = j.warn
		}
		find(x, `theme of an icon, "light" or "dark"`, fmt.Sprintf("%q", theme))
	}
	j.source(x, m)
}

func (j *iconJudge) source(x *wire.Exchange, icon wire.Message) {
	const expected = "src of an icon, an http(s) URL or a data: URI"
	raw, _ := icon.Pointer("/src")
	src, ok := kit.Text(icon.Raw(), "src")
	if !ok {
		j.breach(x, expected, "src "+kit.JSON(raw))
		return
	}
	server := OriginOf(j.t.Environment().URL)
	scheme, _, _ := strings.Cut(strings.ToLower(src), ":")
	u, err := url.Parse(src)
	if scheme != "data" && scheme != "http" && scheme != "https" {
		j.breach(x, expected, "src "+kit.JSON(raw))
		return
	}
	if why := kit.URIFault(src); why != "" {
		// Browsers make do with it; a client that validates refuses the whole answer.
		j.warn(x, "src of an icon, a URI after RFC 3986", fmt.Sprintf("%s, which %s", kit.Quote([]byte(src)), why))
	}
	switch {
	case scheme == "data" || err != nil:
	case u.Scheme == "http" && strings.HasPrefix(server, "https:"):
		j.warn(x, "src of an icon with https: or data:, on a server with https:", "src "+kit.JSON(raw))
	case !SameOrigin(src, server):
		if j.once("elsewhere " + u.Host) {
			j.t.Note(x, "icons come from another origin than the server: %s://%s", u.Scheme, u.Host)
		}
	}
}

func (j *iconJudge) breach(x *wire.Exchange, expected, got string) {
	if j.once(expected + got) {
		j.t.Breach(x, expected, got)
	}
}

func (j *iconJudge) warn(x *wire.Exchange, expected, got string) {
	if j.once(expected + got) {
		j.t.Warn(x, expected, got)
	}
}

func (j *iconJudge) once(what string) bool {
	if j.told[what] {
		return false
	}
	j.told[what] = true
	return true
}
