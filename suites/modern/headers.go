package modern

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

func headers(s *kit.Section) {
	s.Add(altered)
	controls := []string{"control", "control after"}
	s.Check("modern.headers.version-missing-400", altered, func(t *kit.T) {
		t.Says(expectedHM)
		t.Control(controls...)
		x := t.Conclusive("no version")
		// Which older revisions are spoken is not known either where nobody asked for them.
		older := t.Facts().DualEra == kit.Unknown || t.Facts().DualEra == kit.Yes && len(t.Facts().Echoed) == 0
		for _, v := range t.Facts().Echoed {
			older = older || !revision.HasVersionHeader(v)
		}
		switch {
		case isHM(x):
			t.OK(x, "%s", kit.Describe(x))
		// The exception allows to take the request for one of 2025-03-26, which has no server/discover.
		case processed(x) && (!older || t.Facts().Safe == methodDiscover):
			t.Breach(x, expectedHM, kit.Describe(x))
		case older:
			t.NotObservedAt(kit.Inconclusive, x, "the server may take a request without the header for one of 2025-03-26: %s", kit.Describe(x))
		case t.Facts().DualEra == kit.Yes:
			t.Warn(x, expectedHM, kit.Describe(x))
		default:
			refusedForHeaders(t, x)
		}
	})
	s.Check("modern.headers.version-mismatch-400", altered, func(t *kit.T) {
		t.Says(expectedHM)
		t.Control(controls...)
		for _, label := range []string{"version in _meta differs", "version in the header differs"} {
			x := t.Conclusive(label)
			code := codeOf(x)
			switch {
			case code == codeUnsupportedVersion && x.Status() == 400:
				t.Warn(x, expectedHM, kit.Describe(x))
			case processed(x), isHM(x):
				refusedForHeaders(t, x)
			case label == "version in the header differs" && t.Facts().DualEra != kit.No:
				t.NotObservedAt(kit.Inconclusive, x, "perhaps the answer of the older era, chosen by the header: %s", kit.Describe(x))
			default:
				refusedForHeaders(t, x)
			}
		}
	})
	s.Check("modern.headers.method-missing-400", altered, func(t *kit.T) {
		t.Control(controls...)
		refusedForHeaders(t, t.Conclusive("no method"))
	})
	s.Check("modern.headers.method-mismatch-400", altered, func(t *kit.T) {
		t.Control(controls...)
		refusedForHeaders(t, t.Conclusive("another method"))
	})
	s.Check("modern.headers.method-value-case-sensitive", altered, func(t *kit.T) {
		t.Control(controls...)
		if other := t.Conclusive("another method"); processed(other) {
			t.Blocked("modern.headers.method-mismatch-400", "the header is not compared at all", other)
		}
		refusedForHeaders(t, t.Conclusive("method in capitals"))
	})
	s.Check("modern.headers.names-case-insensitive", altered, func(t *kit.T) {
		t.Control(controls...)
		toleratedBy(t, t.Conclusive(labelOtherLetters, gatewayless...), false)
	})
	s.Check("modern.headers.surrounding-whitespace-ignored", altered, func(t *kit.T) {
		const expected = "a result"
		t.Says(expected)
		t.Control(controls...)
		switch x := t.Conclusive(labelSpaces); {
		case processed(x):
			t.OK(x, "%s", kit.Describe(x))
		case isHM(x):
			t.Breach(x, expected, kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "refused for another reason: %s", kit.Describe(x))
		}
	})
	s.Check("modern.headers.unknown-param-header-ignored", altered, func(t *kit.T) {
		t.Control(controls...)
		toleratedBy(t, t.Conclusive("unknown Mcp-Param", gatewayless...), true)
	})

	s.CheckAcross("modern.headers.validation-error-form", []*kit.Script{altered}, func(t *kit.T) {
		t.Says(expectedHM)
		t.Control(controls...)
		for _, label := range []string{"no method", "another method", "method in capitals", "version in _meta differs", "version in the header differs"} {
			formOf(t, t.Answered(label), label == "version in the header differs" && t.Facts().DualEra != kit.No)
		}
		if t.Facts().DualEra == kit.No {
			formOf(t, t.Answered("no version"), false)
		}
		if x := t.IfSent("named control after"); x != nil && x.Served() {
			for _, label := range []string{"no name", "another name", "name in another case"} {
				if x := t.IfSent(label); x != nil {
					formOf(t, x, false)
				}
			}
		}
		if x := t.In(paramsProbe).IfSent("parameter control after"); x != nil && x.Served() {
			for _, label := range []string{"no parameter", "another parameter"} {
				if x := t.In(paramsProbe).IfSent(label); x != nil {
					formOf(t, x, false)
				}
			}
		}
		t.Unseen(kit.Inconclusive, "no request was refused for its headers")
	})
	headersNames(s)
	headersParams(s)
	headersAnnotations(s)

	s.Passive("modern.headers.correct-request-accepted", func(t *kit.T) {
		t.Says("no -32020 for a request whose headers agree with its body")
		for _, x := range t.Exchanges() {
			if x.Broken != "" || x.RequestMessage().ID == nil || encodes(x) || slices.Contains(unusual, x.Label) || callsUnsound(t, x) {
				continue
			}
			if codeOf(x) != codeHeaderMismatch {
				t.OK(x, "requests that are in order are not refused for their headers")
				continue
			}
			if t.Environment().Loopback || t.Facts().Safe != "" {
				t.Breach(x, "no error -32020 for headers that agree with the body", kit.Describe(x))
			}
		}
	})
}

// unusual are requests that are in order and written in an unusual way, which requirements of their own are about.
var unusual = []string{labelOtherLetters, labelSpaces, labelParamCapitals, labelParamDecimal, labelParamBase64, labelParamBeyond,
	labelParamLiteral, labelParamLeftOut, labelParamNull}

// formOf judges in which form a request was refused for its headers.
func formOf(t *kit.T, x *wire.Exchange, mayBeOlder bool) {
	code := codeOf(x)
	switch {
	case x.Status() == 401, x.Status() == 402, x.Status() == 403, x.Status() == 407, x.Status() == 408, x.Status() == 429, x.Status() > 501:
	case isHM(x):
		t.OK(x, "%s", kit.Describe(x))
	case code == codeUnsupportedVersion && x.Status() == 400, mayBeOlder:
	case isBare(x), coded(x):
		misanswered(t, x, expectedHM)
	}
}

// callsUnsound tells that a tool is called whose annotations cannot be followed, which requirements of their own report.
func callsUnsound(t *kit.T, x *wire.Exchange) bool {
	var name string
	_ = x.RequestMessage().Decode("/params/name", &name)
	tool, listed := t.Facts().Tool(name)
	_, sound := parametersOf(tool)
	return listed && !sound
}

// encodes tells that a request has something in Base64 in its headers: the requirements about that report what comes of it.
func encodes(x *wire.Exchange) bool {
	for name, values := range x.Request.Header {
		repeats := strings.EqualFold(name, headerName) || len(name) > len(prefixParam) && strings.EqualFold(name[:len(prefixParam)], prefixParam)
		if repeats && slices.ContainsFunc(values, func(v string) bool { return strings.HasPrefix(v, "=?") }) {
			return true
		}
	}
	return false
}
