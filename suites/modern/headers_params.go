package modern

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// Labels of the requests that are in order and that requirements of their own are about.
const (
	labelParamCapitals = "parameter in capitals"
	labelParamDecimal  = "parameter as a decimal"
	labelParamBase64   = "parameter in Base64"
	labelParamBeyond   = "parameter beyond ASCII"
	labelParamLiteral  = "parameter like Base64"
	labelParamLeftOut  = "parameter left out"
	labelParamNull     = "parameter null"
)

// paramsProbe calls a tool with headers that do not say what its arguments say, and with some that only look so.
var paramsProbe = kit.NewScript("modern.headers/params", kit.Shared, func(c *kit.C) {
	m, ok := mirroringOf(c)
	if !ok {
		return
	}
	one, value, isText := m.of("string")
	if !isText {
		one = m.given[0]
		value, _ = one.text(rawOf(m.arguments))
	}
	header := prefixParam + one.header
	var steps []func()
	probe := func(label string, call kit.ToolCall, options ...client.Option) {
		steps = append(steps, func() { c.CallTool(label, call, options...) })
	}
	probe("no parameter", m.call, client.WithoutHeader(header), client.Broken("without "+header))
	probe("another parameter", m.call, client.WithHeader(header, another(value)), client.Broken("with another value in "+header))
	probe(labelParamCapitals, m.call, client.WithoutHeader(header), client.WithHeader(strings.ToUpper(header), client.HeaderValue(value)))
	if p, value, ok := m.of("integer"); ok && !strings.ContainsAny(value, ".eE") {
		probe(labelParamDecimal, m.call, client.WithHeader(prefixParam+p.header, value+".0"))
	}
	if isText {
		inBase64 := base64.StdEncoding.EncodeToString([]byte(value))
		half := len(inBase64) / 2
		probe(labelParamBase64, m.call, client.WithHeader(header, "=?base64?"+inBase64+"?="))
		probe("parameter in bad Base64", m.call, client.WithHeader(header, "=?base64?"+inBase64[:half]+"!!!"+inBase64[half:]+"?="),
			client.Broken("with a "+header+" that is no Base64"))
	}
	if m.harmless && isText && one.free() && len(one.path) == 1 {
		probe(labelParamBeyond, m.with(one, json.RawMessage(`"mcpcheck é"`)))
		probe(labelParamLiteral, m.with(one, json.RawMessage(`"SGVsbG8="`)))
		probe("parameter in raw bytes", m.with(one, json.RawMessage(`"é"`)), client.WithoutHeader(header), client.WithLine(header+": é"),
			client.Broken("with raw UTF-8 in "+header))
	}
	optional := slices.IndexFunc(m.given, func(p parameter) bool { return len(p.path) == 1 && !slices.Contains(m.required, p.path[0]) })
	if m.harmless && optional >= 0 {
		p := m.given[optional]
		probe(labelParamLeftOut, m.with(p, nil))
		var null []client.Option
		if !p.is("null") {
			null = append(null, client.Broken("with null for an argument whose schema does not admit it"))
		}
		probe(labelParamNull, m.with(p, json.RawMessage("null")), null...)
	}
	c.CallTool("parameter control", m.call)
	c.Some(callsAtATime, steps...)
	c.CallTool("parameter control after", m.call)
}, kit.Tools)

func rawOf(arguments map[string]json.RawMessage) json.RawMessage {
	raw, _ := json.Marshal(arguments)
	return raw
}

// another is the text of a value of the same type.
func another(text string) string {
	switch text {
	case "true":
		return "false"
	case "false":
		return "true"
	}
	switch _, err := strconv.ParseInt(text, 10, 64); {
	case err == nil && text != "7":
		return "7"
	case err == nil:
		return "8"
	}
	return text + "-mcpcheck"
}

// headersParams are the rules about Mcp-Param headers.
func headersParams(s *kit.Section) {
	s.Add(paramsProbe)
	// called stops where no call with such a parameter was made, or it is not served as it should be.
	called := func(t *kit.T) {
		annotated := slices.ContainsFunc(t.Facts().Tools, func(tool kit.Tool) bool {
			parameters, sound := parametersOf(tool)
			return !sound || len(parameters) > 0
		})
		list := t.In(inventory).IfSent(toolList.Method)
		switch {
		case list == nil || !kit.ReadPage(list, toolList.List).Readable:
			t.Blocked("modern.tools.list-answered", "no list of tools could be read")
		case !annotated:
			t.Unlisted(judges.ListTools, "no listed tool has a parameter with %s", keyword)
		case t.IfSent("parameter control") == nil && t.Transcript().Aborted == "":
			t.NotObserved(kit.Unnamed, "no tool with a sound %s is read-only and needs no argument; --call names one that may be called", keyword)
		}
		t.Control("parameter control", "parameter control after")
	}
	// compared demands that the header is compared at all: what ignores it decodes and folds nothing.
	compared := func(t *kit.T) {
		called(t)
		if x := t.Conclusive("another parameter"); !isHM(x) {
			t.Blocked("modern.headers.param-mismatch-400", "the header was not seen to be compared", x)
		}
	}
	// sent looks at a request that is only made where a parameter is of the kind.
	sent := func(t *kit.T, what string, labels ...string) []string {
		there := slices.DeleteFunc(slices.Clone(labels), func(l string) bool { return t.IfSent(l) == nil })
		if len(there) == 0 {
			t.NotObserved(kit.Unnamed, "the tool that may be called has no %s with %s", what, keyword)
		}
		return there
	}
	const takenAsGiven = "no error -32020: the header says what the argument says"
	s.Check("modern.headers.param-mismatch-400", paramsProbe, func(t *kit.T) {
		called(t)
		refusedForHeaders(t, t.Conclusive("another parameter"))
	}, kit.Tools)
	s.Check("modern.headers.param-missing-400", paramsProbe, func(t *kit.T) {
		called(t)
		refusedForHeaders(t, t.Conclusive("no parameter"))
	}, kit.Tools)
	s.Check("modern.headers.param-null-not-expected", paramsProbe, func(t *kit.T) {
		called(t)
		notMismatched(t, "no error -32020: there is no value to repeat", sent(t, "optional parameter", labelParamLeftOut, labelParamNull)...)
	}, kit.Tools)
	s.Check("modern.headers.param-base64-decoded", paramsProbe, func(t *kit.T) {
		compared(t)
		notMismatched(t, takenAsGiven, sent(t, "text parameter", labelParamBase64, labelParamBeyond, labelParamLiteral)...)
	}, kit.Tools)
	s.Check("modern.headers.param-integer-numeric", paramsProbe, func(t *kit.T) {
		compared(t)
		notMismatched(t, takenAsGiven, sent(t, "integer parameter", labelParamDecimal)...)
	}, kit.Tools)
	s.Check("modern.headers.param-name-case-insensitive", paramsProbe, func(t *kit.T) {
		compared(t)
		notMismatched(t, takenAsGiven, labelParamCapitals)
	}, kit.Tools)
	s.Check("modern.headers.param-invalid-chars-rejected", paramsProbe, func(t *kit.T) {
		expected := expectedHM + ", or a bare HTTP 400"
		t.Says(expected)
		compared(t)
		sent(t, "text parameter", "parameter in raw bytes", "parameter in bad Base64")
		if t.IfSent("parameter in raw bytes") != nil {
			switch x := t.Conclusive("parameter in raw bytes"); {
			case isHM(x), isBare(x) && x.Status() == 400:
				t.OK(x, "%s", kit.Describe(x))
			case processed(x):
				t.Breach(x, expected, kit.Describe(x))
				return
			default:
				t.NotObservedAt(kit.Inconclusive, x, "perhaps refused for the argument: %s", kit.Describe(x))
			}
		}
		// Who never decodes refuses what is no Base64 for another reason.
		if isHM(t.Conclusive(labelParamBase64)) {
			t.Blocked("modern.headers.param-base64-decoded", "Base64 is not decoded", t.IfSent(labelParamBase64))
		}
		switch x := t.Conclusive("parameter in bad Base64"); {
		case isHM(x):
			t.OK(x, "%s", kit.Describe(x))
		case processed(x):
			t.Warn(x, expectedHM, kit.Describe(x))
		}
	}, kit.Tools)
}

// notMismatched judges requests whose headers agree with the body, whatever else there is to say against them.
func notMismatched(t *kit.T, expected string, labels ...string) {
	t.Says(expected)
	for _, label := range labels {
		if t.IfSent(label) == nil {
			continue
		}
		switch x := t.Conclusive(label); {
		case codeOf(x) == codeHeaderMismatch:
			t.Breach(x, expected, kit.Describe(x))
		case isBare(x):
			t.NotObservedAt(kit.Inconclusive, x, "refused without a JSON-RPC error: %s", kit.Describe(x))
		default:
			t.OK(x, "%s", kit.Describe(x))
		}
	}
}
