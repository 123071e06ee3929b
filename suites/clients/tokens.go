package clients

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const pointerToken = "/params/_meta/progressToken"

// tokenTypes: both eras have the rule.
func tokenTypes(t *kit.T) {
	const expected = "a progressToken that is a string or an integer"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client asked for no progress")
	for _, m := range t.Messages() {
		token, there := m.Pointer(pointerToken)
		switch kind := kit.JSONType(token); {
		case !there || !m.HasMethod:
		case kind == "string", kind == "number" && integral(token):
			t.Saw()
		default:
			t.BreachAt(m, expected, m.Method+" with progressToken "+kit.JSON(token))
		}
	}
}

// tokensUnique: no token is that of two requests under way. Whether two connections are of one sender is only certain where a session, or
// one connection, holds them. Both eras have the rule.
func tokensUnique(t *kit.T) {
	const expected = "a progressToken that no request under way has"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client asked for no progress")
	for _, tr := range t.Transcripts() {
		var seen []kit.Seen
		for _, m := range t.MessagesIn(tr) {
			token, there := m.Pointer(pointerToken)
			if !there || m.Kind != wire.KindRequest {
				continue
			}
			i := slices.IndexFunc(seen, func(o kit.Seen) bool {
				other, _ := o.Pointer(pointerToken)
				return wire.SameID(token, other) && o.Exchange.End > m.Exchange.Sent && !wire.SameID(o.ID, m.ID) && !cancelledBefore(tr, o, m.At)
			})
			switch {
			case i < 0:
				t.Saw()
			case oneSender(seen[i].Exchange, m.Exchange):
				t.BreachAt(m, expected, m.Method+" with progressToken "+kit.JSON(token)+" while "+seen[i].Method+" with it is under way")
			default:
				t.WarnAt(m, expected, m.Method+" with progressToken "+kit.JSON(token)+" while "+seen[i].Method+" with it is under way, perhaps of another connection of the client")
			}
			seen = append(seen, m)
		}
	}
}

// oneSender tells that two requests are of the same sender: of one session, or on one connection.
func oneSender(a, b *wire.Exchange) bool {
	session := kit.RequestHeader(a, headerSession)
	return session != "" && session == kit.RequestHeader(b, headerSession) || a.Conn != 0 && a.Conn == b.Conn
}

// integral tells that a number has no fraction, however it is written.
func integral(id json.RawMessage) bool {
	v, err := strconv.ParseFloat(strings.TrimSpace(string(id)), 64)
	return err == nil && v == math.Trunc(v)
}
