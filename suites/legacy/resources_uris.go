package legacy

import (
	"fmt"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// resourcesURIs is about what identifies resources.
func resourcesURIs(s *kit.Section) {
	s.Check("resources.list.uri-valid", inventory, func(t *kit.T) {
		const expected = "URIs after RFC 3986"
		t.Says(expected)
		var strict, soft badURIs
		good := 0
		var shown *wire.Exchange
		for _, page := range resourcePages(t, resourceList) {
			for _, raw := range page.Items {
				uri, ok := kit.Text(raw, resourceList.Key)
				if !ok {
					continue // resources.list.shape
				}
				switch why := kit.URIFault(uri); {
				case why == "":
					if good++; shown == nil {
						shown = page.Exchange
					}
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
		if strict.n+soft.n == 0 && good > 0 {
			t.OK(shown, "%d valid URIs", good)
		}
		if strict.n+soft.n+good == 0 {
			t.Blocked("resources.list.shape", "no resource has a URI that could be read")
		}
	}, kit.Resources)

	s.Check("resources.list.unique-uris", inventory, func(t *kit.T) {
		judges.Unique(t, resourcePages(t, resourceList), resourceList)
	}, kit.Resources)
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
