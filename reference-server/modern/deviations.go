package modern

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// The switches of this era.
var switches deviation.Switches

// The switches of headers.
var (
	switchFoldValues   = switches.Add("fold-header-values", "compares Mcp-Method and Mcp-Name without regard to letter case")
	switchFoldSentinel = switches.Add("fold-sentinel", "takes the sentinel of a header in Base64 in any letter case")
	switchNoBase64     = switches.Add("no-base64", "takes headers in Base64 as they are")
	switchLooseBase64  = switches.Add("loose-base64", "skips exclamation marks in the Base64 of a header")
	switchRawBytes     = switches.Add("raw-header-bytes", "takes bytes beyond ASCII in headers")
	switchForNothing   = switches.Add("header-for-nothing", "wants the header of a parameter that has no value too")
	switchNumberText   = switches.Add("numbers-as-text", "compares numbers in headers letter by letter")
)

// The switches of streams.
var (
	switchErrorStream = switches.Add("errors-on-streams", "sends errors on a stream that it opened with 200")
	switchFlood       = switches.Add("progress-flood", "sends two hundred small steps of progress ahead of each")
	switchStaysOpen   = switches.Add("stream-stays-open", "leaves the stream of a request open after the response")
	switchLogUnasked  = switches.Add("log-unasked", "sends log messages for requests that did not ask for any")
	switchLogAll      = switches.Add("log-everything", "sends log messages whatever level the request asked for")
)

// The switches of a server that is met for the first time.
var (
	switchMismatchOnce = switches.Add("mismatch-once", "refuses the first request with HeaderMismatch")
	switchSpeaksOld    = switches.Add("speaks-1900", "refuses every version and names 1900-01-01 as what it speaks")
)

// floodSteps is how many they are.
const floodSteps = 200

// flooded are the notifications that are sent for one.
func (c *request) flooded(out jsonrpc.Outgoing) []jsonrpc.Outgoing {
	if out.Method != "notifications/progress" || !c.x.On(switchFlood) {
		return []jsonrpc.Outgoing{out}
	}
	var body struct {
		Params struct {
			ProgressToken json.RawMessage `json:"progressToken"`
			Progress      float64         `json:"progress"`
		} `json:"params"`
	}
	_ = json.Unmarshal(jsonrpc.Encode(out.Body), &body) // is ours
	var all []jsonrpc.Outgoing
	for i := range floodSteps {
		all = append(all, jsonrpc.Notification(out.Method, map[string]any{
			"progressToken": body.Params.ProgressToken, "progress": body.Params.Progress - 1 + float64(i+1)/(floodSteps+1),
		}))
	}
	return append(all, out)
}

// The switches of subscriptions.
var (
	switchAnnounceAll = switches.Add("announce-everything", "tells every subscription of every change, whatever it asked for")
	switchFirstID     = switches.Add("first-subscription-id", "names the oldest open subscription in the notifications of all")
	switchListenEnds  = switches.Add("listen-ends", "ends a subscription by a result as soon as it was acknowledged")
)

// idOf is the id that the notifications of a subscription carry.
func (c *request) idOf(sub *subscription) json.RawMessage {
	if c.x.On(switchFirstID) {
		return c.x.s.hub.oldest(sub).id
	}
	return sub.id
}

// oldest is the subscription that was opened first of those that are open.
func (h *hub) oldest(sub *subscription) *subscription {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.open) > 0 {
		return h.open[0]
	}
	return sub
}

// The switches of rounds.
var (
	switchAssumeRoots   = switches.Add("assume-roots", "takes every client for one with roots")
	switchAssumeModes   = switches.Add("assume-modes", "takes every client that elicits for one that has forms and opens URLs")
	switchUnboundStates = switches.Add("unbound-states", "takes a requestState with every request")
)

// assumed are the capabilities of a client and those that it is taken to have.
func (x *exchange) assumed(declared core.ClientCapabilities) core.ClientCapabilities {
	if x.On(switchAssumeRoots) {
		declared.Roots = json.RawMessage(`{}`)
	}
	if elicits := object(declared.Elicitation); elicits != nil && x.On(switchAssumeModes) {
		declared.Elicitation = json.RawMessage(`{"form":{},"url":{}}`)
	}
	return declared
}

// The switches of what is kept from one request to the next, which is nothing.
var switchRemember = switches.Add("remember-capabilities",
	"takes a request without clientCapabilities for one with those of the request before it, of the same User-Agent")

// The switches of lists that are not the same for everybody, each time.
var (
	switchLessOnConnection = switches.Add("less-behind-refusals", "leaves the last item out of a list on a connection on which a request was refused")
	switchTurnLists        = switches.Add("turn-lists", "turns the order of a list around every other time on a connection")
)

// bent is a list as a server that deviates gives it.
func (c *request) bent(list []any) []any {
	if len(list) > 0 && c.x.On(switchLessOnConnection) && c.x.Connection().Refused.Load() {
		list = list[:len(list)-1]
	}
	if c.x.On(switchTurnLists) && c.x.Connection().Listed.Add(1)%2 == 0 {
		slices.Reverse(list)
	}
	return list
}

// A memory knows, where it is kept, which clients declared capabilities in the request before, by User-Agent.
type memory struct{ declared sync.Map }

// remembers tells whether a request may lack its capabilities.
func (x *exchange) remembers() bool {
	_, there := x.s.memory.declared.Load(x.R.UserAgent())
	return there && x.On(switchRemember)
}

// remember keeps whether a request was served and declared its capabilities.
func (x *exchange) remember(served bool) {
	switch {
	case !x.On(switchRemember):
	case served && x.params.Meta[keyCapabilities] != nil:
		x.s.memory.declared.Store(x.R.UserAgent(), true)
	case !served:
		x.s.memory.declared.Delete(x.R.UserAgent())
	}
}

// Words are what deviations can name of this era, and not of the others.
func Words() deviation.Vocabulary {
	return deviation.Vocabulary{
		Switches: switches.All(),
		Guards:   web.GuardNames(headGuards, messageGuards),
		Answers: []string{
			"accepted-notification", // 202
			"served-sse",            // 200, a stream in answer to a request
			"listen-stream",         // 200, the stream of subscriptions/listen
			"missing-capability",    // 400, JSON, -32021
		},
	}
}

// same compares the text of a header with that of the body.
func (x *exchange) same(header, body string) bool {
	return header == body || x.On(switchFoldValues) && strings.EqualFold(header, body)
}
