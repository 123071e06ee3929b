package kit

import (
	"encoding/json"
	"strings"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A Resource is a listed resource, as far as reading it asks for.
type Resource struct {
	URI      string
	MimeType string
	// Size in bytes; 0: not said.
	Size int64
}

func readResource(raw json.RawMessage) (Resource, bool) {
	m := wire.ReadMessage(raw)
	var r Resource
	if _ = m.Decode("/uri", &r.URI); r.URI == "" {
		return Resource{}, false
	}
	// What is mistyped counts as absent: resources.list.shape says so.
	_ = m.Decode("/mimeType", &r.MimeType)
	_ = m.Decode("/size", &r.Size)
	return r, true
}

const (
	// maxURI is how long a URI may be that a run sends back.
	maxURI = 8 << 10
	// maxSize is what a run reads of its own accord where the server says how much it is.
	maxSize = 1 << 20
)

// harmless resources may be read by a run of its own accord.
func (r Resource) harmless() bool { return len(r.URI) <= maxURI && r.Size <= maxSize }

func (r Resource) text() bool {
	return strings.HasPrefix(r.MimeType, "text/") || strings.HasPrefix(r.MimeType, "application/json")
}

// Read picks at most two listed resources to read: one that should be text and one that should not, or else the first ones.
func (f *Facts) Read() []Resource {
	first := func(may func(Resource) bool, but ...Resource) []Resource {
		for _, r := range f.Resources {
			if r.harmless() && may(r) && (len(but) == 0 || but[0].URI != r.URI) {
				return []Resource{r}
			}
		}
		return nil
	}
	anyOf := func(Resource) bool { return true }
	one := first(Resource.text)
	if one == nil {
		one = first(anyOf)
	}
	for _, may := range []func(Resource) bool{
		func(r Resource) bool { return r.MimeType != "" && !r.text() },
		func(r Resource) bool { return r.MimeType == "" },
		anyOf,
	} {
		if other := first(may, one...); other != nil {
			return append(one, other...)
		}
	}
	return one
}

// Watch picks the listed resources that a run subscribes to and reads again and again, at most n.
func (f *Facts) Watch(n int) []Resource {
	var all []Resource
	seen := map[string]bool{}
	for _, r := range f.Resources {
		if len(all) < n && r.harmless() && !seen[r.URI] {
			seen[r.URI] = true
			all = append(all, r)
		}
	}
	return all
}
