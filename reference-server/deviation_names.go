package refserver

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Switches that cannot be data. The values are what they do.
const (
	switchAnyVersion      = "any-jsonrpc-version"
	switchNullID          = "null-id"
	switchKeepOpen        = "keep-open"
	switchCloseEarly      = "close-before-response"
	switchPrimeAlways     = "prime-always"
	switchHangHead        = "hang-before-head"
	switchHangBody        = "hang-in-body"
	switchHangEvent       = "hang-before-first-event"
	switchSwap            = "swap-answers"
	switchResponsesOnGet  = "responses-on-get"
	switchForeign         = "foreign-responses"
	switchRelatedOnGet    = "related-on-get"
	switchBroadcast       = "broadcast"
	switchReplayAll       = "replay-all"
	switchReplayInclusive = "replay-inclusive"
	switchReplayStart     = "replay-from-start"
	switchReplayGap       = "replay-gap"
	switchReplayForeign   = "replay-other-sessions"
	switchReplayNothing   = "replay-nothing"
	switchForget          = "forget-unattended"
	switchDisconnect      = "cancel-on-disconnect"
	switchAnswerCancelled = "answer-cancelled"
	switchErrorCancelled  = "error-for-cancelled"
	switchDieOnCancel     = "cancellation-ends-session"
	switchLogSession      = "log-session-id"
	switchIgnoreLevel     = "ignore-log-level"
	switchDeleteNothing   = "delete-nothing"
	switchDeleteAll       = "delete-all"
	switchSingleSession   = "single-session"
	switchExpire          = "expire-sessions"
	switchOneWorker       = "one-worker"
	switchRateLimit       = "rate-limit"
	switchPingWaits       = "ping-waits-for-ever"
	switchPingSilent      = "ping-times-out-silently"
	switchRefuseBatches   = "refuse-batches"
	switchDieOnReinit     = "reinitialize-ends-session"
	switchDieOnInvalid    = "invalid-ends-session"
	switchDieOnCursor     = "bad-cursor-ends-session"
	switchInBody          = "answers-in-body"
	switchBodyToo         = "answers-in-body-too"
	switchOtherStream     = "answers-on-other-stream"
	switchEveryStream     = "answers-on-every-stream"
)

// Switches returns the switches and what each does. Besides these there is "skip GUARD" for each of [Guards].
func Switches() map[string]string {
	return map[string]string{
		switchAnyVersion:      "serves messages whose jsonrpc is not 2.0",
		switchNullID:          "serves requests whose id is null or a fraction",
		switchKeepOpen:        "leaves a POST stream open after the response",
		switchCloseEarly:      "ends a POST stream before the response",
		switchPrimeAlways:     "sends the priming event in every revision",
		switchHangHead:        "never sends the head of the answer",
		switchHangBody:        "sends half of a JSON answer and then nothing",
		switchHangEvent:       "opens a stream and never sends an event",
		switchSwap:            "exchanges the responses of two requests that run at the same time",
		switchResponsesOnGet:  "sends a copy of each response on the GET stream",
		switchForeign:         "sends a copy of the former response of the session on the next POST stream",
		switchRelatedOnGet:    "sends the notifications of a call on the GET stream, where there is one",
		switchBroadcast:       "sends a copy of each message of the server on every open stream of the session, and of log messages of calls on the GET stream",
		switchReplayAll:       "replays the events of all streams of the session",
		switchReplayInclusive: "starts a replay with the event that the client named",
		switchReplayStart:     "starts a replay with the first event of the stream",
		switchReplayGap:       "leaves out the first event of a replay",
		switchReplayForeign:   "replays events of other sessions too",
		switchReplayNothing:   "answers Last-Event-ID with a fresh stream",
		switchForget:          "loses the response of a call whose connection has gone",
		switchDisconnect:      "takes a lost connection for a cancellation",
		switchAnswerCancelled: "answers a cancelled call after all, once it would have been done",
		switchErrorCancelled:  "answers a cancelled call with an error at once",
		switchDieOnCancel:     "ends the session whose client cancels something that does not run",
		switchLogSession:      "names the session id in the log messages of calls",
		switchIgnoreLevel:     "sends log messages of calls whatever level was set",
		switchDeleteNothing:   "answers DELETE but keeps the session",
		switchDeleteAll:       "ends every session at any DELETE",
		switchSingleSession:   "ends every session when a new one begins",
		switchExpire:          "ends a session after eight exchanges",
		switchOneWorker:       "answers one request at a time",
		switchRateLimit:       "refuses more than five requests a second with 429",
		switchPingWaits:       "waits for the answer to its ping without a time-out",
		switchPingSilent:      "gives up on its ping by closing the GET stream, without a cancellation",
		switchRefuseBatches:   "refuses batches in every revision",
		switchDieOnReinit:     "ends the session whose client initializes again",
		switchDieOnInvalid:    "ends the session whose client sends something that is no message",
		switchDieOnCursor:     "ends the session whose client sends a cursor that is none",
		switchInBody:          "HTTP+SSE: answers a POST with 200 and the response in its body, and nothing on the stream",
		switchBodyToo:         "HTTP+SSE: answers a POST with 200 and the response in its body, and on the stream",
		switchOtherStream:     "HTTP+SSE: sends a response on the newest stream of another client, where there is one",
		switchEveryStream:     "HTTP+SSE: sends a copy of each response on the streams of all other clients",
	}
}

// Generators returns the ways in which identities can be generated, by identity.
func Generators() map[string][]string {
	return map[string][]string{
		"session":        {"constant", "counter", "short", "clock", "space", "non-ascii", "control"},
		"event":          {"constant", "per-stream", "non-ascii"},
		"server-request": {"constant", "null", "fraction", "boolean", "object"},
		"cursor":         {"constant", "empty", "one-use", "forgetful"},
		"sse-session":    {"constant", "counter", "short", "clock"},
		"endpoint": {"absolute", "relative", "foreign", "other-port", "other-scheme", "quoted", "object", "two-lines", "no-session",
			"not-found", "no-post"},
	}
}

// Guards returns the names of the guards in the order in which they work. A name is also the outcome of the refusal.
func Guards() []string {
	var names []string
	for _, list := range [][]guard{headGuards, messageGuards, getGuards, linkGuards} {
		for _, g := range list {
			names = append(names, g.name)
		}
	}
	return names
}

// Outcomes returns the names of all HTTP answers, refusals first.
func Outcomes() []string {
	return append(Guards(),
		"too-large",             // 413
		"rate-limited",          // 429, only by a switch
		"accepted-notification", // 202
		"accepted-response",     // 202
		"accepted-batch",        // 202, notifications and responses only
		"method-not-found",      // 200, JSON, -32601
		"invalid-params",        // 200, JSON, -32602
		"resource-not-found",    // 200, JSON, -32002
		"invalid-element",       // 200, JSON, -32600 for the one element of a batch
		"internal-error",        // 200, JSON, -32603
		"served-json",           // 200, JSON
		"served-sse",            // 200, a stream in answer to a POST
		"get-stream",            // 200, the standalone stream
		"resumed-stream",        // 200, a stream resumed by Last-Event-ID
		"delete-done",           // 204
		"sse-open",              // 200, the stream of HTTP+SSE
		"sse-post",              // 202, a POST on HTTP+SSE
		"prm",                   // 200, JSON, the metadata of the protected resource, at the path of the endpoint
		"prm-root",              // 200, JSON, the same at the root
		"as-metadata",           // 200, JSON, the metadata of the authorization server
		"as-metadata-below",     // 404, the same below the path of the endpoint
		"authorize",             // 400, JSON, its endpoints, which log nobody in
		"token",                 // 400, JSON
		"register",              // 400, JSON
	)
}

// Selectors returns the forms that Edit.On may have besides the name of an outcome. METHOD is any method.
func Selectors() []string {
	return []string{
		"result METHOD", "error METHOD", "response METHOD", "refusal METHOD", "notification METHOD", "server-request METHOD",
		"any result", "any error", "any response", "any refusal", "any notification", "any server-request", "any message",
		"event message", "event priming", "event retry", "event endpoint", "any event", "any answer",
	}
}

func (d *Deviation) validate() error {
	for _, name := range d.Switches {
		if guard, ok := strings.CutPrefix(name, "skip "); ok {
			if !slices.Contains(Guards(), guard) {
				return unknown("guard", guard, Guards())
			}
			continue
		}
		if _, ok := Switches()[name]; !ok {
			return unknown("switch", name, append(slices.Sorted(maps.Keys(Switches())), "skip GUARD"))
		}
	}
	for identity, way := range d.Generate {
		ways, ok := Generators()[identity]
		if !ok {
			return unknown("identity", identity, slices.Sorted(maps.Keys(Generators())))
		}
		if !slices.Contains(ways, way) {
			return unknown("way to generate the identity "+identity, way, ways)
		}
	}
	for _, w := range d.Wire {
		if w.Find == "" || len(w.Find) != len(w.Replace) {
			return fmt.Errorf("wire: %q and %q must have one length", w.Find, w.Replace)
		}
	}
	if err := validRevisions(d.Revisions); err != nil {
		return err
	}
	for i, e := range d.Edits {
		if err := e.validate(); err != nil {
			return fmt.Errorf("edit %d: %w", i+1, err)
		}
	}
	if len(d.Edits)+len(d.Switches)+len(d.Generate)+len(d.Wire) == 0 {
		return fmt.Errorf("it deviates in nothing")
	}
	return nil
}

func unknown(what, name string, known []string) error {
	return fmt.Errorf("unknown %s %q; known are: %s", what, name, strings.Join(known, ", "))
}

func validRevisions(revisions []string) error {
	for _, r := range revisions {
		if !slices.Contains(Revisions(), r) {
			return unknown("revision", r, Revisions())
		}
	}
	return nil
}

func (e Edit) validate() error {
	if !validSelector(e.On) {
		return unknown("selector", e.On, append(Selectors(), Outcomes()...))
	}
	if err := validRevisions(e.Revisions); err != nil {
		return err
	}
	for _, c := range []*Condition{e.When, e.Unless} {
		if batches := []string{"", "requests", "mixed", "none"}; c != nil && !slices.Contains(batches, c.Batch) {
			return unknown("batch", c.Batch, batches[1:])
		}
	}
	if e.Set != nil && e.Value == nil && e.From == nil && e.Text == nil {
		return fmt.Errorf("set %q: value, from or text is missing", *e.Set)
	}
	if e.Set == nil && (e.Value != nil || e.From != nil || e.Text != nil) {
		return fmt.Errorf("value, from and text need set")
	}
	if _, err := e.delay(); err != nil {
		return fmt.Errorf("delay: %w", err)
	}
	for _, s := range e.Splice {
		if _, err := s.bytes(); err != nil {
			return fmt.Errorf("splice %q: %w", s.Find, err)
		}
	}
	return nil
}

func validSelector(on string) bool {
	if slices.Contains(Outcomes(), on) || slices.Contains(Selectors(), on) && !strings.HasSuffix(on, "METHOD") {
		return true
	}
	kind, method, ok := strings.Cut(on, " ")
	return ok && method != "" && method != "METHOD" && slices.Contains(Selectors(), kind+" METHOD")
}
