package legacy

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// sessionGone tells that a request of a session was answered as one to a session that has ended, not for what it asked.
func sessionGone(x *wire.Exchange) bool {
	answer, _ := x.Answer()
	code, _ := answer.ErrorCode()
	return x.Status() == 404 && kit.RequestHeader(x, "Mcp-Session-Id") != "" && code != judges.CodeMethodNotFound && code != judges.CodeInvalidParams
}

// aliveAfter tells that a session went on after a request that was refused as in one that has ended.
func aliveAfter(refused, later *wire.Exchange) bool {
	return refused != nil && later != nil && sessionGone(refused) && later.Served() && later.Sent >= refused.End &&
		kit.RequestHeader(later, "Mcp-Session-Id") == kit.RequestHeader(refused, "Mcp-Session-Id")
}

// refusesSession tells that a status may be a word about the session: any 4xx but those about credentials, time and load.
func refusesSession(status int) bool {
	return status/100 == 4 && !slices.Contains([]int{401, 402, 403, 407, 408, 429}, status)
}

// offeredVersion is the protocolVersion with which an initialize was answered, "" where it was not.
func offeredVersion(x *wire.Exchange) (version string) {
	if x == nil || x.RequestMessage().Method != "initialize" || !x.Served() {
		return ""
	}
	answer, _ := x.Answer()
	_ = answer.Decode("/result/protocolVersion", &version)
	return version
}

// askedVersion is the protocolVersion that an initialize asked for.
func askedVersion(x *wire.Exchange) (version string) {
	_ = x.RequestMessage().Decode("/params/protocolVersion", &version)
	return version
}

// batchRevision is the only one with batches; later ones removed them.
const batchRevision = "2025-03-26"
