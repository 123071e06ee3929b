package legacy

import (
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// lifecycleVersion is about version negotiation: what initialize answers to the versions that clients ask for.
func lifecycleVersion(s *kit.Section) {
	s.Add(versions)

	s.Check("lifecycle.version.echo-supported", versions, func(t *kit.T) {
		const expected = "a version that the server offers, when a client asks for it"
		t.Says(expected)
		offers := offeredVersions(t)
		echoed := 0
		for _, x := range t.Transcript().Exchanges {
			asked := askedVersion(x)
			// That an unknown version is repeated is the business of lifecycle.version.alternative, and what is done about the header that
			// of others.
			if !offers[asked] || x.Broken != "" {
				continue
			}
			if offered := offeredVersion(x); offered == asked {
				echoed++
				t.OK(x, "each version that the server offers is answered with itself, such as %s", asked)
				continue
			} else if offered != "" {
				t.Breach(x, expected, fmt.Sprintf("%q in answer to %q, although the server offers that elsewhere", offered, asked))
				continue
			}
			refusedVersion(t, x, expected, asked)
		}
		if echoed == 0 {
			t.NotObserved(kit.Unprovoked, "no initialize was answered with the version that it asked for")
		}
	})

	s.Check("lifecycle.version.alternative", versions, func(t *kit.T) {
		t.Says(expectedAlternative)
		t.Control("control", "control after")
		for _, v := range versionsNobodySpeaks {
			judgeAlternative(t, t.Sent(v), v)
		}
		// A version that the specification knows and the server does not is no other case.
		offers := offeredVersions(t)
		for _, v := range negotiableVersions {
			if x := t.IfSent(v); x != nil && !offers[v] && x.Response != nil {
				judgeAlternative(t, x, v)
			}
		}
	})

	s.Check("lifecycle.version.latest", versions, func(t *kit.T) {
		asked := versionsNobodySpeaks[0]
		x := t.Conclusive(asked)
		offered := offeredVersion(x)
		switch {
		case offered == "":
			t.NotApplicable("initialize with an unknown version is not answered with another one: %s", kit.Describe(x))
		case offered == asked:
			t.Blocked("lifecycle.version.alternative", "the unknown version is repeated, so none was offered in its place")
		case revision.Before(revision.Newest(negotiableVersions), offered), revision.Before(offered, revision.Oldest(negotiableVersions)):
			t.NotObservedAt(kit.Inconclusive, x, "%q, offered in place of an unknown version, is none that can be compared", offered)
		}
		var echoed []string
		for _, x := range t.Transcript().Exchanges {
			if v := askedVersion(x); v == offeredVersion(x) && x.Broken == "" && slices.Contains(negotiableVersions, v) {
				echoed = append(echoed, v)
			}
		}
		if len(echoed) == 0 {
			t.NotObserved(kit.Unprovoked, "no version was echoed that the offer could be compared with")
		}
		const expected = "the newest version that the server supports"
		t.Says(expected)
		if newest := slices.Max(echoed); offered < newest {
			t.Breach(x, fmt.Sprintf("%s (%s)", expected, newest), fmt.Sprintf("%q in place of an unknown version", offered))
			return
		}
		t.OK(x, "in place of an unknown version %s is offered, the newest of those that the server echoes", offered)
	})
}

// offeredVersions is every version that the server was seen to answer initialize with, in the survey or later.
func offeredVersions(t *kit.T) map[string]bool {
	offers := map[string]bool{}
	for _, v := range t.Facts().Echoed {
		offers[v] = true
	}
	for _, x := range t.Exchanges() {
		if v := offeredVersion(x); v != "" {
			offers[v] = true
		}
	}
	return offers
}

// refusedVersion judges an initialize for an offered version that was not answered with a result. A server that takes no further
// client at all says nothing about versions by refusing one.
func refusedVersion(t *kit.T, x *wire.Exchange, expected, asked string) {
	after := t.IfSent("control after")
	answer, _ := x.Answer()
	refusal := x.Status()/100 == 4 || answer.Kind == wire.KindError
	if !refusal || after == nil || !after.Served() {
		return
	}
	t.MustConclude(x)
	t.Breach(x, expected, fmt.Sprintf("%s in answer to %q, although the server offers that elsewhere", kit.Describe(x), asked))
}

// causeRepeated is the cause of findings where whatever version a client names is named in return.
const causeRepeated = "any version is repeated"

const expectedAlternative = "a result that names a revision the server supports"

// judgeAlternative judges the answer to an initialize that names a revision which does not exist.
func judgeAlternative(t *kit.T, x *wire.Exchange, asked string) {
	answer, _ := x.Answer()
	var version string
	switch {
	case answer.Decode("/result/protocolVersion", &version) == nil && version != asked:
		t.OK(x, "asked for %s, it offers %q", asked, version)
	case namesVersions(answer):
		t.Warn(x, expectedAlternative, kit.Describe(x)+", which lists the supported ones")
	case answer.Kind == wire.KindResult && version == "":
		t.Breach(x, expectedAlternative, "a result that names none")
	case answer.Kind == wire.KindResult:
		t.Cause(causeRepeated)
		t.Breach(x, expectedAlternative, "a result that names "+asked+" itself")
	default:
		t.MustConclude(x)
		t.Breach(x, expectedAlternative, kit.Describe(x))
	}
}

// namesVersions tells whether an error carries a list of versions in its data, whatever the member is called.
func namesVersions(m wire.Message) bool {
	var data map[string]any
	_ = m.Decode("/error/data", &data)
	for _, v := range data {
		if list, _ := v.([]any); len(list) > 0 {
			return true
		}
	}
	return false
}
