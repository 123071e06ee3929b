package modern

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// gatewayless are the failures that count as refusals: 502 and above come from something in front of the server.
var gatewayless = []int{500, 501}

// codeOf is the error code of an answer; 0, which has no meaning, where there is none.
func codeOf(x *wire.Exchange) int64 {
	answer, _ := x.Answer()
	code, _ := answer.ErrorCode()
	return code
}

// coded tells that an answer is an error with a code.
func coded(x *wire.Exchange) bool {
	answer, _ := x.Answer()
	_, coded := answer.ErrorCode()
	return coded
}

// processed tells that a request got a result, under whatever status.
func processed(x *wire.Exchange) bool {
	answer, _ := x.Answer()
	return answer.Kind == wire.KindResult
}

// isBare tells that a refusal has no JSON-RPC error in it.
func isBare(x *wire.Exchange) bool {
	return !coded(x) && !processed(x) && (x.Status()/100 == 4 || x.Status() == 500 || x.Status() == 501)
}

// misanswered writes down an answer that is not the expected one. Gateways refuse first and owe no JSON-RPC, but none stands in front of a
// server on this machine.
func misanswered(t *kit.T, x *wire.Exchange, expected string) {
	if isBare(x) && !t.Environment().Loopback {
		t.Warn(x, expected, kit.Describe(x)+", perhaps of something in front of the server")
		return
	}
	t.Breach(x, expected, kit.Describe(x))
}

// isHM tells that a refusal has both halves of a header mismatch.
func isHM(x *wire.Exchange) bool {
	return codeOf(x) == codeHeaderMismatch && x.Status() == 400
}

// expectedHM is what the revision wants where headers are missing or disagree with the body.
const expectedHM = "HTTP 400 with JSON-RPC error -32020"

// refusedForHeaders judges a request whose headers are wrong: it must not be processed. In which form it is refused is one requirement
// of its own.
func refusedForHeaders(t *kit.T, x *wire.Exchange) {
	t.Says(expectedHM)
	switch {
	case processed(x):
		t.Breach(x, expectedHM, kit.Describe(x))
	case isHM(x):
		t.OK(x, "%s", kit.Describe(x))
	default:
		t.NotObservedAt(kit.Inconclusive, x, "refused in another form, which modern.headers.validation-error-form reports: %s", kit.Describe(x))
	}
}

// toleratedBy judges a request that has nothing wrong with it but what the server has to put up with.
func toleratedBy(t *kit.T, x *wire.Exchange, soft bool) {
	const expected = "a result"
	t.Says(expected)
	switch {
	case processed(x):
		t.OK(x, "%s", kit.Describe(x))
	case soft:
		t.Warn(x, expected, kit.Describe(x))
	default:
		misanswered(t, x, expected)
	}
}

// mayBeOlder tells that a request may have gone to the older half of a server of both eras, whose answers have rules of their own:
// without the version in header and _meta it is none that the older era does not know.
func mayBeOlder(t *kit.T, x *wire.Exchange) bool {
	if t.Facts().DualEra == kit.No {
		return false
	}
	_, there := member(x.RequestMessage(), "/params/_meta", keyVersion)
	return !there || kit.RequestHeader(x, "MCP-Protocol-Version") != spoken
}
