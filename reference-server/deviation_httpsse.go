package refserver

import (
	"net/http"
	"slices"
)

// inBody tells whether responses go into the answer to the POST.
func (v *deviator) inBody(x *exchange) bool { return v.on(switchInBody, x) || v.on(switchBodyToo, x) }

// answerInBody is what Streamable HTTP would do.
func (x *exchange) answerInBody(calls []*request) {
	answers := make([]outgoing, len(calls))
	for i, c := range calls {
		answers[i] = c.response()
	}
	x.sendMessages(newAnswer("sse-post", http.StatusOK), answers...)
}

// responseStreams returns where a response goes: to the stream of the client that asked.
func (v *deviator) responseStreams(x *exchange) []*stream {
	own := []*stream{x.link.stream()}
	if v.on(switchInBody, x) {
		return nil
	}
	other, every := v.on(switchOtherStream, x), v.on(switchEveryStream, x)
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
