package modern

import (
	"encoding/json"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

func versioning(s *kit.Section) {
	s.Check("modern.version.unsupported-error", altered, func(t *kit.T) {
		const expected = "JSON-RPC error -32022"
		t.Says(expected)
		t.Control("control", "control after")
		unsupported(t, t.Conclusive("future version", gatewayless...), expected, false)
	})
	s.Check("modern.version.unsupported-past-version-error", altered, func(t *kit.T) {
		const expected = "JSON-RPC error -32022"
		t.Says(expected)
		// modern.version.unsupported-error, on which it rests, looks at the controls.
		// Without knowing better the server may be of both eras, whose older half answers old versions.
		unsupported(t, t.Conclusive("past version", gatewayless...), expected, t.Facts().DualEra != kit.No)
	})
	s.Check("modern.version.unsupported-http-400", altered, func(t *kit.T) {
		t.Says("HTTP 400")
		eachUnsupported(t, func(x *wire.Exchange) { t.Expect(x, kit.HTTP(400)) })
	})
	s.Check("modern.version.unsupported-data-shape", altered, func(t *kit.T) {
		const expected = "data.supported with the versions that are served, and data.requested with the one that was asked for"
		t.Says(expected)
		eachUnsupported(t, func(x *wire.Exchange) {
			answer, _ := x.Answer()
			supported, _ := answer.Pointer("/error/data/supported")
			var list []string
			_ = json.Unmarshal(supported, &list)
			var requested, sent string
			_ = answer.Decode("/error/data/requested", &requested)
			_ = json.Unmarshal(sentVersion(x), &sent)
			switch {
			case !allStrings(supported) || len(list) == 0:
				t.Breach(x, expected, "data.supported "+kit.JSON(supported))
			case requested != sent:
				raw, _ := answer.Pointer("/error/data/requested")
				t.Breach(x, expected, "data.requested "+kit.JSON(raw)+" for "+sent)
			default:
				t.OK(x, "both are there")
			}
		})
	})
	s.CheckAcross("modern.version.supported-lists-agree", []*kit.Script{altered, inventory}, func(t *kit.T) {
		expected := spoken + " in every list of versions"
		t.Says(expected)
		if t.Facts().List == "" {
			t.NotObserved(kit.Unprovoked, "no request but server/discover was served under %s", spoken)
		}
		var lists [][]string // of those that can be read
		x := t.In(inventory).Answered(methodDiscover)
		answer, _ := x.Answer()
		lists = listed(lists, t, x, answer, "/result/supportedVersions", expected)
		for _, x := range refusedVersions(t) {
			answer, _ := x.Answer()
			lists = listed(lists, t, x, answer, "/error/data/supported", expected)
		}
		for _, l := range lists[min(1, len(lists)):] {
			if !slices.Equal(onlyModern(lists[0]), onlyModern(l)) {
				t.Warn(x, "the same versions of the era in every list", "different ones")
			}
		}
	})
	s.Check("modern.version.listed-legacy-versions-answer-initialize", inventory, func(t *kit.T) {
		const expected = "initialize answered with a result, since versions are listed that begin with it"
		t.Says(expected)
		x, answer := discovered(t)
		var versions []string
		_ = answer.Decode("/result/supportedVersions", &versions)
		old := slices.DeleteFunc(versions, func(v string) bool { return !revision.IsDate(v) || revision.MayBeModern(v) })
		switch {
		case len(old) == 0:
			t.NotApplicable("no version of the older era is listed")
		case t.Facts().DualEra == kit.Unknown:
			t.NotObserved(kit.Inconclusive, "whether initialize is served could not be told")
		case t.Facts().DualEra == kit.No:
			t.Warn(x, expected, "initialize refused, and listed "+kit.Or(old...))
		default:
			t.OK(x, "initialize is served, as listed")
		}
	})
	s.Check("modern.version.dual-era-allowed", inventory, func(t *kit.T) {
		t.Says("either")
		switch x := t.Answered(methodDiscover); t.Facts().DualEra {
		case kit.Yes:
			t.OK(x, "the server speaks both eras")
		case kit.No:
			t.OK(x, "the server speaks this era only")
		default:
			t.NotObserved(kit.Inconclusive, "whether initialize is served could not be told")
		}
	})
	versioningExtensions(s)
	versioningEras(s)
}

// unsupported judges the answer to a version that nobody speaks.
func unsupported(t *kit.T, x *wire.Exchange, expected string, soft bool) {
	code := codeOf(x)
	switch {
	case processed(x):
		t.Breach(x, expected, kit.Describe(x))
	case code == codeUnsupportedVersion:
		t.OK(x, "%s", kit.Describe(x))
	case soft:
		t.Warn(x, expected, kit.Describe(x))
	default:
		misanswered(t, x, expected)
	}
}

// eachUnsupported visits the probes that got the error they should.
func eachUnsupported(t *kit.T, visit func(*wire.Exchange)) {
	refused := refusedVersions(t)
	if len(refused) == 0 {
		t.Conclusive("future version")
		t.Conclusive("past version")
		t.NotApplicable("no answer is an error -32022, which modern.version.unsupported-error reports")
	}
	for _, x := range refused {
		visit(x)
	}
}

// refusedVersions are the answers to versions that nobody speaks, as far as they are the error that is due.
func refusedVersions(t *kit.T) []*wire.Exchange {
	return slices.DeleteFunc([]*wire.Exchange{t.Sent("future version"), t.Sent("past version")}, func(x *wire.Exchange) bool {
		return codeOf(x) != codeUnsupportedVersion
	})
}

// sentVersion is the version in the _meta of a request.
func sentVersion(x *wire.Exchange) json.RawMessage {
	raw, _ := member(x.RequestMessage(), "/params/_meta", keyVersion)
	return raw
}

// listed adds a list of versions to those that were read before. One that is no list of texts is the matter of
// modern.discover.result-shape and modern.version.unsupported-data-shape.
func listed(lists [][]string, t *kit.T, x *wire.Exchange, answer wire.Message, pointer, expected string) [][]string {
	raw, _ := answer.Pointer(pointer)
	if !allStrings(raw) {
		return lists
	}
	var versions []string
	_ = answer.Decode(pointer, &versions)
	if slices.Contains(versions, spoken) {
		t.OK(x, "%s is in the lists", spoken)
	} else {
		t.Breach(x, expected, kit.JSON(raw))
	}
	return append(lists, versions)
}

func onlyModern(versions []string) []string {
	versions = slices.DeleteFunc(slices.Clone(versions), func(v string) bool { return !revision.MayBeModern(v) })
	slices.Sort(versions)
	return versions
}
