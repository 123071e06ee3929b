package web

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
)

// The switches that every era has.
var switches deviation.Switches

var (
	switchHangHead  = switches.Add("hang-before-head", "never sends the head of the answer")
	switchHangBody  = switches.Add("hang-in-body", "sends half of a JSON answer and then nothing")
	switchHangEvent = switches.Add("hang-before-first-event", "opens a stream and never sends an event")
)

var switchOddNames = switches.Add("odd-header-names", "writes the name of Content-Type in odd letter case")

var switchTokenLasts = switches.Add("token-lasts", "takes a request without a token for one with the token of the request before it")

// tokens remember, where they are kept, whether the request before had a valid one.
type tokens struct{ valid atomic.Bool }

// lastHadToken tells whether a request may lack its token.
func (x *Exchange) lastHadToken() bool { return x.On(switchTokenLasts) && x.Site.tokens.valid.Load() }

// sawToken keeps whether a request had a valid token itself.
func (x *Exchange) sawToken(valid bool) { x.Site.tokens.valid.Store(valid) }

// Words are what deviations can name of the answers that are the same in every era.
func Words() deviation.Vocabulary {
	return deviation.Vocabulary{Switches: switches.All(), Answers: []string{
		"too-large",          // 413
		"rate-limited",       // 429, only by a switch
		"method-not-found",   // 200, JSON, -32601; in 2026-07-28 404
		"invalid-params",     // 200, JSON, -32602
		"resource-not-found", // 200, JSON, -32002
		"invalid-element",    // 200, JSON, -32600 for the one element of a batch
		"internal-error",     // 200, JSON, -32603
		ServedJSON,           // 200, JSON
		"prm",                // 200, JSON, the metadata of the protected resource, at the path of the endpoint
		"prm-root",           // 200, JSON, the same at the root
		"as-metadata",        // 200, JSON, the metadata of the authorization server
		"as-metadata-below",  // 404, the same below the path of the endpoint
		"authorize",          // 400, JSON, its endpoints, which log nobody in
		"token",              // 400, JSON
		"register",           // 400, JSON
	}}
}

// ServedJSON is the outcome of an answer with the responses in it.
const ServedJSON = "served-json"

// Deviate applies the edits of the HTTP answer; false means that there will be none.
func (x *Exchange) Deviate(a *Answer) bool {
	dev := x.Site.Dev
	if dev == nil {
		return true
	}
	edits := dev.Matching(x.Scene(), func(on string) bool { return on == a.Outcome || on == "any answer" })
	for _, e := range edits {
		if a.Body != nil {
			a.Body = e.Message(a.Body)
		}
		if e.Drop {
			panic(http.ErrAbortHandler) // net/http breaks the connection
		}
		if d, _ := e.Pause(); d > 0 && !x.wait(d) {
			return false
		}
		if a.Stream {
			e.Prefix, e.Suffix = "", "" // these go into the stream: see Deviator.Affixes
		}
		e.Answer(&a.Status, a.Header, &a.Body)
	}
	for _, e := range a.Edits {
		e.Answer(&a.Status, a.Header, &a.Body)
	}
	return x.sendHalf(a)
}

// wait is false where the client or the server goes first.
func (x *Exchange) wait(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-x.R.Context().Done():
	case <-x.Site.Ctx.Done():
	}
	return false
}

// HangsBeforeHead hangs where the deviation says so; afterwards the exchange is over.
func (x *Exchange) HangsBeforeHead() bool { return x.On(switchHangHead) && x.hang() }

// HangsBeforeEvent is the same once the head of a stream was written.
func (x *Exchange) HangsBeforeEvent() bool {
	if !x.On(switchHangEvent) {
		return false
	}
	_ = http.NewResponseController(x.W).Flush()
	return x.hang()
}

// sendHalf is the hang in the middle of a JSON answer; true means go on.
func (x *Exchange) sendHalf(a *Answer) bool {
	if a.Outcome != ServedJSON || !x.On(switchHangBody) {
		return true
	}
	x.WriteHead(*a)
	x.Write(a.Body[:len(a.Body)/2])
	return !x.hang()
}

// hang waits for the client to give up, or for the server to close.
func (x *Exchange) hang() bool {
	select {
	case <-x.R.Context().Done():
	case <-x.Site.Ctx.Done():
	}
	return true
}
