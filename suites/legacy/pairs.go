package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

// A pair are two oddities of different parts of a request, under their labels, that a server should put up with. They are sent together first:
// a request that is served shows that neither is in its way, and after one that is not each is sent without the other, so that a finding is about
// one of them.
type pair struct{ label, one, other string }

// shownBy is the label of the request that shows what becomes of an oddity: the one with it alone, or else the one that was served with both.
func shownBy(t *kit.T, script *kit.Script, label string, pairs []pair) string {
	look := t.In(script)
	for _, p := range pairs {
		if (p.one == label || p.other == label) && look.IfSent(label) == nil {
			if x := look.IfSent(p.label); x != nil && x.Served() {
				return p.label
			}
		}
	}
	return label
}
