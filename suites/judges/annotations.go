package judges

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// AnnotationValues judges the annotations of contents, resources and templates.
func AnnotationValues(t *kit.T) {
	const expected = "audience an array of user and assistant, priority a number from 0 to 1, lastModified an ISO 8601 time stamp"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "nothing that was seen carried annotations: no content, resource or template")
	reported := map[string]bool{} // by the method: the same list is read many times
	for _, m := range t.Messages() {
		method := m.Exchange.RequestMessage().Method
		place := annotated[method]
		if m.Kind != wire.KindResult || m.Exchange.Broken != "" || !bytes.Contains(m.Result, []byte(`"annotations"`)) {
			continue
		}
		all := annotationsIn(m.Message, place)
		if len(all) == 0 {
			continue
		}
		shape := t.ResultShape(method, m.Result)
		if found := kit.Within(shape, place.pattern); len(found) > 0 {
			if want, got := kit.Wording(found); !reported[method] {
				t.BreachAt(m, want, got+", in the result of "+method)
				reported[method] = true
			}
			continue
		}
		if odd := oddTime(all, t.Revision()); odd != "" {
			switch {
			case reported[method]:
			case t.Since(stateless):
				t.WarnAt(m, expected, fmt.Sprintf("lastModified %s, in the result of %s", odd, method))
			default:
				t.NoteAt(m, "lastModified is %s, which is no ISO 8601 time stamp, in the result of %s", odd, method)
			}
			reported[method] = true
			continue
		}
		t.OK(m.Exchange, "annotations have valid values, such as those in the result of %s", method)
	}
}

// An annotatedPlace is where a result holds items with annotations: in an array at a pointer, each directly or in a member that a pointer names.
type annotatedPlace struct{ items, within, pattern string }

var annotated = map[string]annotatedPlace{
	"tools/call":               {"/result/content", "", "/result/content/*/annotations"},
	"resources/list":           {"/result/resources", "", "/result/resources/*/annotations"},
	"resources/templates/list": {"/result/resourceTemplates", "", "/result/resourceTemplates/*/annotations"},
	"prompts/get":              {"/result/messages", "/content", "/result/messages/*/content/annotations"},
}

// annotationsIn returns the annotations in a result, as far as they are there.
func annotationsIn(m wire.Message, place annotatedPlace) []json.RawMessage {
	list, _ := m.Pointer(place.items)
	items, _ := wire.Elements(list)
	var all []json.RawMessage
	for _, item := range items {
		if a, ok := wire.Lookup(item, place.within+"/annotations"); ok {
			all = append(all, a)
		}
	}
	return all
}

// oddTime returns the first lastModified that does not parse, as JSON. The member came with 2025-06-18.
func oddTime(all []json.RawMessage, spoken string) string {
	if revision.Before(spoken, "2025-06-18") {
		return ""
	}
	for _, a := range all {
		if at, ok := kit.Text(a, "lastModified"); ok && !isoTime.MatchString(at) {
			return kit.Quote([]byte(at))
		}
	}
	return ""
}

// isoTime are the dates of ISO 8601 with or without a time of day, in the extended and the basic form.
var isoTime = regexp.MustCompile(`^\d{4}(-?(0[1-9]|1[0-2])(-?(0[1-9]|[12]\d|3[01]))?|-?W\d\d(-?[1-7])?|-?[0-3]\d\d)?` +
	`([T ]([01]\d|2[0-4])(:?[0-5]\d(:?([0-5]\d|60))?)?([.,]\d+)?(Z|z|[+-]\d\d(:?\d\d)?)?)?$`)
