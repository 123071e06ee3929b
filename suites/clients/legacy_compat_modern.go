package clients

import (
	"net/http"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func legacyCompatModern(s *kit.Section) {
	s.Passive("modern.client.legacy.deprecated-features", deprecatedFeatures)
	s.Passive("modern.client.legacy.surfaces-error", endsAtLegacy)
}

// deprecatedFeatures tells of what a new client would not take up: one that has it may keep it.
func deprecatedFeatures(t *kit.T) {
	t.Says("neither roots nor sampling")
	told := map[string]bool{}
	eachModern(t, func(x *wire.Exchange, m wire.Message) {
		t.Saw()
		for _, capability := range []string{"roots", "sampling"} {
			if _, declared := m.Pointer(keyMeta + "clientCapabilities/" + capability); declared && !told[capability] {
				told[capability] = true
				t.Note(x, "the client declares %s, which is deprecated", capability)
			}
		}
	})
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			if x.Request.Method == http.MethodGet && x.Request.URL == tr.Exchanges[0].Request.URL && !told["get"] && servedModern(tr) == nil && has(x, "Accept") && !has(x, headerSession) && len(tr.Exchanges) > 0 && isModern(tr.Exchanges[0].RequestMessage()) {
				told["get"] = true
				t.Note(x, "the client looks for HTTP+SSE, which is deprecated")
			}
		}
	}
}

// endsAtLegacy: a client of this era alone has nothing to do with a server of the other, and comes to its end.
func endsAtLegacy(t *kit.T) {
	const expected = "an end, where the server is of the other era"
	t.Says(expected)
	var hung []*wire.Exchange
	for _, p := range probes(t) {
		switch {
		case p.x.Status() < 400 || modernCode(p.x) != 0:
		case p.initialized != nil:
			t.NotApplicable("the client speaks the other era too")
		case p.tr.Aborted != "":
			hung = append(hung, p.x)
		default:
			t.Saw()
		}
	}
	if len(hung) > 1 && !t.Observed() {
		t.Warn(hung[0], expected, "neither another request nor an end, on two tries")
	}
}
