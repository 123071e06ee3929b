package clients

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func lifecycle(s *kit.Section) {
	s.Passive("lifecycle.client.initialize-first", initializeFirst)
	s.Passive("lifecycle.client.initialize-params", initializeParams)
	s.Passive("lifecycle.client.initialized-sent", initializedSent)
	s.Passive("lifecycle.client.no-early-requests", noEarlyRequests)
	s.Passive("lifecycle.client.disconnect-unsupported", disconnectUnsupported)
	s.Passive("lifecycle.client.version-supported", versionSupported)
	s.Passive("lifecycle.client.version-latest", versionLatest)
	s.Passive("lifecycle.client.negotiated-version", negotiatedVersion)
	s.Passive("lifecycle.client.initialized-awaited", awaitsInitialized)
	s.Passive("lifecycle.client.initialize-not-batched", initializeNotBatched)
	s.Passive("lifecycle.client.negotiated-capabilities", negotiatedCapabilities)
	s.Passive("lifecycle.client.shutdown-http", shutdownHTTP)
	s.Passive("lifecycle.client.failed-initialize", failedInitialize)
	s.Passive("lifecycle.client.timeouts", timesOut)
	s.Passive("lifecycle.client.timeout-cancels", cancelsTimedOut)
	s.Passive("lifecycle.client.timeout-reset", resetByProgress)
}

// initializeFirst: the first message that belongs to this era is initialize. A modern request before it is a probe.
func initializeFirst(t *kit.T) {
	const expected = "initialize as the first message"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client sent no message of this era")
	for _, tr := range t.Transcripts() {
		for _, m := range t.MessagesIn(tr) {
			if isModern(m.Message) {
				continue
			}
			if m.Method == "ping" {
				t.NoteAt(m, "a ping before initialize, which the sentence on early requests exempts")
				continue
			}
			if m.Method != methodInitialize {
				t.BreachAt(m, expected, what(m.Exchange)+" as the first message")
			} else {
				t.Saw()
			}
			break
		}
	}
}

func initializeParams(t *kit.T) {
	const expected = "protocolVersion, capabilities and clientInfo with name and version"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client sent no initialize")
	for _, m := range t.Messages() {
		if m.Method != methodInitialize {
			continue
		}
		var wrong []string
		for _, member := range []struct{ pointer, want string }{
			{"protocolVersion", "string"}, {"capabilities", "object"}, {"clientInfo", "object"}, {"clientInfo/name", "string"}, {"clientInfo/version", "string"},
		} {
			raw, there := m.Pointer("/params/" + member.pointer)
			name := strings.ReplaceAll(member.pointer, "/", ".")
			switch {
			case !there:
				wrong = append(wrong, "no "+name)
			case kit.JSONType(raw) != member.want:
				wrong = append(wrong, name+" "+kit.JSON(raw))
			}
		}
		if len(wrong) > 0 {
			t.BreachAt(m, expected, "params with "+strings.Join(wrong, ", "))
			continue
		}
		t.Saw()
	}
}

// initializedSent: once initialize was answered, the notification comes ahead of everything else of the session.
func initializedSent(t *kit.T) {
	const expected = "notifications/initialized once initialize is answered"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no session went on after initialize")
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			said := slices.Concat(s.requests, c.loose)
			notified := slices.IndexFunc(said, func(x *wire.Exchange) bool { return x.RequestMessage().Method == "notifications/initialized" })
			early := slices.IndexFunc(c.tr.Exchanges, func(x *wire.Exchange) bool {
				return x.RequestMessage().Method == "notifications/initialized" && x.Sent >= s.opening.Sent && x.Sent < s.answered()
			})
			asked := slices.IndexFunc(said, func(x *wire.Exchange) bool {
				return isRequest(x.RequestMessage()) && x.RequestMessage().Method != "ping"
			})
			switch {
			case !s.agreed() || asked < 0 && notified < 0 && early < 0:
				// The version was refused, or the client ended at once.
			case notified >= 0 && asked >= 0 && c.after(said[notified], said[asked]):
				t.Warn(said[notified], expected, "it came after the answer to "+what(said[asked]))
			case notified >= 0:
				t.Saw()
			case early >= 0:
				t.Warn(c.tr.Exchanges[early], expected, "it came before the answer to initialize")
			case wentWrong(said[asked]):
				// The client may have given up before it came to it.
			default:
				t.Breach(said[asked], expected, what(said[asked])+", and the notification never came")
			}
		}
	}
}

// noEarlyRequests: until initialize is answered, nothing but pings is asked on the same connection or in no session.
func noEarlyRequests(t *kit.T) {
	const expected = "no request but ping until initialize is answered"
	t.Says(expected)
	t.Unseen(kit.Raced, "initialize was answered before anything else could have been sent")
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			calm := true
			for _, x := range c.tr.Exchanges {
				m := x.RequestMessage()
				if x.Sent <= s.opening.Sent || x.Sent >= s.answered() || !isRequest(m) || isModern(m) || has(x, headerSession) {
					continue
				}
				if m.Method != methodInitialize && m.Method != "ping" {
					t.Warn(x, expected, fmt.Sprintf("%s, %v before the answer", what(x), (s.answered()-x.Sent).Round(1e6)))
					calm = false
				}
			}
			// A server that answers at once gives no time to be early.
			if calm && s.answered()-s.opening.Sent >= patience {
				t.Saw()
			}
		}
	}
}

// disconnectUnsupported: with a version that nobody speaks in the answer, nothing follows but the end or a new start.
func disconnectUnsupported(t *kit.T) {
	const expected = "nothing but the end of the session, or another initialize"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no initialize was answered with a version that no client speaks")
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			if s.agreed() {
				continue
			}
			on := slices.DeleteFunc(slices.Concat(s.requests, c.loose), func(x *wire.Exchange) bool { return x.Request.Method == "DELETE" })
			if len(on) == 0 {
				t.Saw()
				continue
			}
			t.Warn(on[0], expected, fmt.Sprintf("%s, though the server had answered with version %q", what(on[0]), s.version))
		}
	}
}

func initializeNotBatched(t *kit.T) {
	const expected = "initialize as a single object"
	t.Says(expected)
	for _, m := range t.Messages() {
		switch {
		case m.Method != methodInitialize:
		case m.Batch >= 0:
			t.BreachAt(m, expected, "initialize in an array")
		default:
			t.Saw()
		}
	}
}

// capabilityOf names the capability that declares the methods of a feature.
var capabilityOf = map[string]string{"tools": "tools", "resources": "resources", "prompts": "prompts", "completion": "completions", "logging": "logging"}

// negotiatedCapabilities: a method is called only where the server declared what it is part of.
func negotiatedCapabilities(t *kit.T) {
	const expected = "no method of a capability that the server did not declare"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no session called a method of a feature")
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			answer, _ := s.opening.Answer()
			for _, x := range s.requests {
				m := x.RequestMessage()
				feature, _, _ := strings.Cut(m.Method, "/")
				capability, known := capabilityOf[feature]
				if !known || !isRequest(m) || capability == "completions" && t.Before("2025-03-26") {
					continue
				}
				if _, declared := answer.Pointer("/result/capabilities/" + capability); !declared {
					t.Breach(x, expected, fmt.Sprintf("%s, and the server declares no %s", what(x), capability))
					continue
				}
				t.Saw()
			}
		}
	}
}

// shutdownHTTP: no message announces the end.
func shutdownHTTP(t *kit.T) {
	t.Says("no message that announces the end")
	for _, m := range t.Messages() {
		if slices.Contains([]string{"shutdown", "exit", "notifications/shutdown", "notifications/exit"}, m.Method) {
			t.NoteAt(m, "%s is no method of MCP: over HTTP the end of the connections is the end", m.Method)
			continue
		}
		t.Saw()
	}
}
