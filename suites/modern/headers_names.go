package modern

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// headersNames are the rules about Mcp-Name.
func headersNames(s *kit.Section) {
	controls := func(t *kit.T) bool {
		t.Control("control", "control after")
		if t.IfSent("named control") == nil {
			return false
		}
		t.Control("named control", "named control after")
		return true
	}
	s.Check("modern.headers.name-missing-400", altered, func(t *kit.T) {
		if !controls(t) {
			t.NotObserved(kit.Unnamed, "nothing is listed that could be asked for safely")
		}
		refusedForHeaders(t, t.Conclusive("no name"))
	}, withNames)
	s.Check("modern.headers.name-mismatch-400", altered, func(t *kit.T) {
		if controls(t) {
			refusedForHeaders(t, t.Conclusive("another name"))
			return
		}
		t.Says(expectedHM)
		switch x := t.Conclusive("lookup with another name"); {
		case isHM(x):
			t.OK(x, "%s", kit.Describe(x))
		case processed(x) && !failed(x):
			t.Breach(x, expectedHM, kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "perhaps the name was looked up first: %s", kit.Describe(x))
		}
	}, withNames)
	// compares demands that the header is compared at all: what ignores it decodes and folds nothing.
	compares := func(t *kit.T) {
		label := "lookup with another name"
		if controls(t) {
			label = "another name"
		}
		if x := t.Conclusive(label); !isHM(x) {
			t.Blocked("modern.headers.name-mismatch-400", "Mcp-Name was not seen to be compared", x)
		}
	}
	s.Check("modern.headers.name-case-sensitive", altered, func(t *kit.T) {
		compares(t)
		if t.IfSent("name in another case") == nil {
			t.NotApplicable("there is no name with a letter whose case means something")
		}
		refusedForHeaders(t, t.Conclusive("name in another case"))
	}, withNames)
	const sameName = "no error -32020: after decoding the name is that of the body"
	s.Check("modern.headers.name-base64-decoded", altered, func(t *kit.T) {
		compares(t)
		notMismatched(t, sameName, "lookup beyond ASCII", "name in Base64")
	}, withNames)
	s.Check("modern.headers.sentinel-case-sensitive", altered, func(t *kit.T) {
		compares(t)
		if t.IfSent("sentinel in capitals") == nil {
			t.NotApplicable("the server has neither tools nor prompts, and such a name is no URI")
		}
		notMismatched(t, sameName, "sentinel in capitals", "sentinel without end")
	}, withNames)
	s.Check("modern.headers.invalid-base64-rejected", altered, func(t *kit.T) {
		t.Says(expectedHM)
		if !controls(t) {
			t.NotObserved(kit.Unnamed, "nothing is listed that could be asked for safely")
		}
		switch x := t.Conclusive("name in bad Base64"); {
		case processed(x):
			t.Warn(x, expectedHM, kit.Describe(x))
		case isHM(x):
			t.OK(x, "%s", kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "refused in another form, which modern.headers.validation-error-form reports: %s", kit.Describe(x))
		}
	}, withNames)
	s.Check("modern.headers.invalid-characters-rejected", altered, func(t *kit.T) {
		expected := expectedHM + ", or a bare HTTP 400"
		t.Says(expected)
		t.Control("control", "control after")
		x := t.Conclusive("raw bytes")
		switch {
		case isHM(x), isBare(x) && x.Status() == 400:
			t.OK(x, "%s", kit.Describe(x))
		case processed(x) && !failed(x):
			t.Breach(x, expected, kit.Describe(x))
		// Two names that differ are refused before anything is looked up, so that the lookup shows these were taken for equal.
		case !coded(x) && !processed(x):
			t.NotObservedAt(kit.Inconclusive, x, "neither taken nor refused for the header: %s", kit.Describe(x))
		case isHM(t.Conclusive("lookup with another name")):
			t.Breach(x, expected, kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "perhaps the name was looked up first: %s", kit.Describe(x))
		}
	}, withNames)
}
