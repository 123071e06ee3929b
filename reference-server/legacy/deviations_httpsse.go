package legacy

import (
	"net/http"
	"slices"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// The switches of answers that go elsewhere than to the stream of the client that asked.
var (
	switchInBody      = switches.Add("answers-in-body", "HTTP+SSE: answers a POST with 200 and the response in its body, and nothing on the stream")
	switchBodyToo     = switches.Add("answers-in-body-too", "HTTP+SSE: answers a POST with 200 and the response in its body, and on the stream")
	switchOtherStream = switches.Add("answers-on-other-stream",
		"HTTP+SSE: sends a response on the newest stream of another client, where there is one")
	switchEveryStream = switches.Add("answers-on-every-stream", "HTTP+SSE: sends a copy of each response on the streams of all other clients")
	switchRefusals    = switches.Add("refusals-on-stream", "HTTP+SSE: acknowledges what is no message with 202, and refuses it on the stream")
)

// inBody tells whether responses go into the answer to the POST.
func (x *exchange) inBody() bool { return x.On(switchInBody) || x.On(switchBodyToo) }

// answerInBody is what Streamable HTTP would do.
func (x *exchange) answerInBody(calls []*request) {
	answers := make([]jsonrpc.Outgoing, len(calls))
	for i, c := range calls {
		answers[i] = c.Response()
	}
	x.SendMessages(web.NewAnswer("sse-post", http.StatusOK), answers...)
}

// responseStreams returns where a response goes: to the stream of the client that asked.
func (x *exchange) responseStreams() []*stream {
	own := []*stream{x.link.stream()}
	if x.On(switchInBody) {
		return nil
	}
	other, every := x.On(switchOtherStream), x.On(switchEveryStream)
	if !other && !every {
		return own
	}
	var others []*stream
	for _, l := range x.s.links.others(x.link) {
		others = append(others, l.stream())
	}
	switch {
	case every:
		return slices.Concat(own, others)
	case len(others) > 0:
		return others[:1]
	}
	return own
}

// passBody is pass for the guards of the body, whose refusals may go to the stream.
func (x *exchange) passBody() bool {
	if x.link == nil || !x.On(switchRefusals) {
		return x.pass(bodyGuards)
	}
	for _, g := range bodyGuards {
		if refusal := g.Check(x); refusal != nil {
			refusal.Outcome = g.Name
			x.acknowledge()
			if x.Deviate(refusal) {
				x.s.emitEvent(x.link.stream(), deviation.Frame{Kind: deviation.FrameMessage, Data: refusal.Body})
			}
			return false
		}
	}
	return true
}
