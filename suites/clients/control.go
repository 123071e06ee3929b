package clients

import (
	"net/http"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// controls are the scripts of the plainest servers of either era: what a client does there is what its command does.
var controls = []string{Control, "modern"}

// steps are what a command may do that is known again wherever it is done.
var steps = []string{"tools/list", "tools/call"}

// plan returns the steps that the command takes wherever it is served as it should be: those that every control run shows which got
// anywhere. Once is chance, so that a step has to be seen in two conversations.
func plan(t *kit.T) []string {
	var planned []string
	for _, step := range steps {
		seen, always := 0, true
		for _, tr := range t.Everywhere() {
			took := sends(tr, step)
			if took {
				seen++
			}
			if slices.Contains(controls, tr.Script) && opened(tr) {
				always = always && took
			}
		}
		if seen > 1 && always {
			planned = append(planned, step)
		}
	}
	return planned
}

// opened tells that the server served the client something, so that it could go on.
func opened(tr *wire.Transcript) bool {
	return slices.ContainsFunc(tr.Exchanges, func(x *wire.Exchange) bool {
		m := x.RequestMessage()
		return x.Served() && (m.Method == methodInitialize || isModern(m))
	})
}

// sends tells that the client sent a request of a method.
func sends(tr *wire.Transcript, method string) bool { return firstOf(tr, method) != nil }

// firstOf is the first request of a method, nil without one.
func firstOf(tr *wire.Transcript, method string) *wire.Exchange {
	i := slices.IndexFunc(tr.Exchanges, func(x *wire.Exchange) bool { return x.RequestMessage().Method == method })
	if i < 0 {
		return nil
	}
	return tr.Exchanges[i]
}

// missing is the first step of a plan that a conversation lacks, "" where it has them all: the client broke off.
func missing(tr *wire.Transcript, planned []string) string {
	for _, step := range planned {
		if !sends(tr, step) {
			return step
		}
	}
	return ""
}

// brokeOff tells in a phrase what a client left undone.
func brokeOff(step string) string {
	return "no " + step + ", which it sends to other servers, on two tries"
}

// haveItGoOn is what to ask for where nobody knows what the client would have done next.
const haveItGoOn = "; have it list the tools and call one"

// asksBehind tells that the client sent a request once another had been answered, or its stream was open.
func asksBehind(tr *wire.Transcript, x *wire.Exchange) bool {
	return slices.ContainsFunc(tr.Exchanges[slices.Index(tr.Exchanges, x)+1:], func(o *wire.Exchange) bool {
		return o.Sent >= x.Head && o.Request.Method == http.MethodPost && isRequest(o.RequestMessage())
	})
}
