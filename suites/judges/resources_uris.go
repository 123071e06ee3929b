package judges

import (
	"fmt"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// ResourceURIs judges the URIs of listed resources. The shape is the requirement that reports what is no URI at all.
func ResourceURIs(t *kit.T, list Listing, shape string) {
	const expected = "URIs after RFC 3986"
	t.Says(expected)
	var strict, soft badURIs
	good := 0
	pages := ResourcePages(t, list)
	for _, page := range pages {
		for _, raw := range page.Items {
			uri, ok := kit.Text(raw, list.Key)
			if !ok {
				continue // ResourceShapes says so
			}
			switch why := kit.URIFault(uri); {
			case why == "":
				good++
			case softScheme(uri) || t.Before("2025-06-18"):
				soft.add(page.Exchange, uri, why)
			default:
				strict.add(page.Exchange, uri, why)
			}
		}
	}
	if strict.n > 0 {
		t.Breach(strict.x, expected, strict.String())
	}
	if soft.n > 0 {
		t.Warn(soft.x, expected, soft.String())
	}
	if good == 0 {
		t.Blocked(shape, "no resource has a URI that could be read") // unless what is wrong was told
	}
	t.OK(pages[0].Exchange, "%d valid URIs", good)
}

// URITemplates judges the URI templates that are listed; write is how one is written down that is none.
func URITemplates(t *kit.T, list Listing, write func(x *wire.Exchange, expected, got string)) {
	const expected = "URI templates after RFC 6570"
	t.Says(expected)
	var bad badURIs
	good := 0
	pages := templatePages(t, list)
	for _, page := range pages {
		for _, raw := range page.Items {
			template, ok := kit.Text(raw, list.Key)
			if !ok {
				continue // TemplatesListed says so
			}
			if why := kit.TemplateFault(template); why != "" {
				bad.add(page.Exchange, template, why)
				continue
			}
			good++
		}
	}
	switch {
	case bad.n > 0:
		write(bad.x, expected, bad.String())
	case good > 0:
		t.OK(pages[0].Exchange, "%d valid URI templates", good)
	default:
		t.Blocked(list.Answered, "no template has a uriTemplate that could be read")
	}
}

// badURIs are several URIs with something wrong in them: the first, and how many.
type badURIs struct {
	n        int
	x        *wire.Exchange
	uri, why string
}

func (b *badURIs) add(x *wire.Exchange, uri, why string) {
	if b.n++; b.n == 1 {
		b.x, b.uri, b.why = x, uri, why
	}
}

func (b *badURIs) String() string {
	got := fmt.Sprintf("%s, which %s", kit.Quote([]byte(b.uri)), b.why)
	if b.n > 1 {
		got += fmt.Sprintf(", and %d more", b.n-1)
	}
	return got
}

// softScheme: the MUST of 2025-06-18 stands under custom schemes (server/resources#custom-uri-schemes). Those of the page itself, and
// http beside https, are none; raw letters beyond ASCII are frequent in file: URIs.
func softScheme(uri string) bool {
	scheme, _, _ := strings.Cut(uri, ":")
	switch strings.ToLower(scheme) {
	case "file", "http", "https", "git":
		return true
	}
	return false
}
