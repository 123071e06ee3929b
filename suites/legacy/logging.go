package legacy

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// quietLevel is what a run leaves behind: where the level belongs to the process and not to the session, problems are still logged.
const quietLevel = "warning"

func logging(s *kit.Section) {
	s.Passive("logging.capability-declared", func(t *kit.T) { judges.LogsDeclared(t, declaresLogging) }, kit.Open)

	loggingLevels(s)
	loggingThreshold(s)

	s.Passive("logging.message-shape", judges.LogShapes)

	s.Passive("logging.content", func(t *kit.T) { judges.LogContents(t, sentSessions, "session id", inItsSession) })
}

// loggingLevels is about logging/setLevel. The session is its own, since the level is a setting of the session.
func loggingLevels(s *kit.Section) {
	levels := s.Script("logging/set-level", kit.Own, func(c *kit.C) {
		c.SafeControl("control")
		var steps []func()
		for _, level := range judges.LogLevels {
			if level != quietLevel {
				steps = append(steps, func() { setLevel(c, "level "+level, level) })
			}
		}
		c.Parallel(steps...)
		setLevel(c, "invalid", "mcpcheck", client.Broken("with a level that does not exist"))
		setLevel(c, "level "+quietLevel, quietLevel)
		c.Safe("control after")
	}, kit.Logging, kit.Spends(), kit.Long())

	s.Check("logging.set-level.answered", levels, func(t *kit.T) {
		t.Control("control", "control after")
		const expected = "an empty result for each of the eight levels"
		t.Says(expected)
		var refused []string
		var first *wire.Exchange
		for _, level := range judges.LogLevels {
			x := t.Conclusive("level " + level)
			answer, answered := x.Answer()
			switch {
			case answer.Kind == wire.KindError, !answered && x.Status()/100 == 4:
				if refused = append(refused, level); first == nil {
					first = x
				}
			case !answered:
				t.Blocked("jsonrpc.request.answered", "logging/setLevel was not answered: "+kit.Describe(x))
			case kit.JSONType(answer.Result) != "object":
				t.Blocked("jsonrpc.response.result-object", "logging/setLevel was answered with the result "+kit.JSON(answer.Result))
			default:
				judges.EmptyResult(t, x, answer, expected, true)
			}
		}
		if len(refused) > 0 {
			t.Breach(first, expected, kit.Describe(first)+" for "+strings.Join(refused, ", "))
		}
	})

	s.Check("logging.set-level.invalid", levels, func(t *kit.T) {
		t.Control("control", "control after")
		// One that was set before, and the one that was set after.
		demandLevel(t, "level error")
		demandLevel(t, "level "+quietLevel)
		const expected = "JSON-RPC error -32602"
		t.Says(expected)
		x := t.Conclusive("invalid", 500, 501)
		answer, answered := x.Answer()
		switch code, _ := answer.ErrorCode(); {
		case code == judges.CodeInvalidParams && x.Status() < 500:
			t.OK(x, "a level that does not exist is refused: %s", kit.DescribeMessage(answer))
		case answered, x.Status()/100 == 4:
			t.Breach(x, expected, kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "a level that does not exist was neither accepted nor refused: %s", kit.Describe(x))
		}
	})
}

// levelKept: the server has somewhere to keep a level. Over HTTP+SSE that is the stream, over Streamable HTTP the session.
var levelKept = kit.Need{
	Otherwise: "the server assigns no session id, and so has nowhere to keep a level",
	Unclear:   withSessions.Unclear,
	BlockedBy: withSessions.BlockedBy,
	Of: func(f *kit.Facts) kit.Fact {
		if f.Transport == kit.HTTPSSE {
			return f.Opened
		}
		return f.Trait(traitSessions)
	},
}

// maxLoud is how many tools that nobody named are called to see one log something.
const maxLoud = 3

// loggingThreshold calls tools at level debug, and then those that logged something twice at level error.
func loggingThreshold(s *kit.Section) {
	threshold := s.Script("logging/threshold", kit.Own, func(c *kit.C) {
		calls := c.SomeCalls(maxLoud)
		if len(calls) == 0 {
			return
		}
		var stream *client.Stream
		var set *wire.Exchange
		c.Parallel(
			func() { stream = c.Listen("get") },
			func() { set = setLevel(c, "level debug", "debug") },
		)
		defer stream.Close()
		if !set.Served() {
			return
		}
		tried := callAll(c, "debug", calls)
		// One tool that logs on the stream of its call is enough; messages elsewhere do not tell which tool they come from.
		elsewhere := stream
		if c.OldTransport() {
			elsewhere = c.Inbox()
		}
		noisy := slices.IndexFunc(tried, func(x *wire.Exchange) bool {
			return slices.ContainsFunc(x.Messages(), func(m wire.Located) bool { return judges.BelowError(m.Message) })
		})
		if noisy < 0 {
			// What comes on another stream may take longer than the answer.
			c.Safe("marker")
		}
		unattributed := noisy < 0 && elsewhere != nil && slices.ContainsFunc(elsewhere.Events(), func(e wire.Event) bool { return judges.BelowError(e.Message()) })
		switch {
		case noisy >= 0:
			calls = calls[noisy : noisy+1]
		case !unattributed:
			return
		}
		setLevel(c, "level error", "error")
		callAll(c, "first", calls)
		callAll(c, "second", calls)
		if after := c.Safe("control after"); unattributed {
			c.Watch(elsewhere, after)
		}
	}, kit.Logging, levelKept, kit.Tools, kit.Intricate(), kit.Spends(), kit.Long())

	s.Check("logging.level-threshold", threshold, func(t *kit.T) {
		judgeThreshold(t)
	})
}

func judgeThreshold(t *kit.T) {
	const expected = "no message below error once the level is error"
	t.Says(expected)
	tr := t.Transcript()
	if tr.Exchange("level debug") == nil && tr.Aborted == "" {
		t.NotObserved(kit.Unnamed, "no tool was called: none is declared read-only without required arguments, and none was named with --call")
	}
	demandLevel(t, "level debug")
	if tr.Exchange("level error") == nil && tr.Aborted == "" {
		t.NotObserved(kit.Unprovoked, "no tool that was called logged anything below error at the level debug")
	}
	demandLevel(t, "level error")
	t.Control("control after")
	first, second := firstSent(t, tr, "first"), firstSent(t, tr, "second")
	var rounds [2][]judges.LogMessage
	for _, m := range judges.LogMessagesIn(t, tr) {
		switch {
		case !judges.BelowError(m.Message) || m.At < first:
			// What was under way while the level changed is let off.
		case m.At < second:
			rounds[0] = append(rounds[0], m)
		default:
			rounds[1] = append(rounds[1], m)
		}
	}
	set := tr.Exchange("level error")
	switch heard := [2]bool{len(rounds[0]) > 0, len(rounds[1]) > 0}; {
	case heard[0] && heard[1]:
		m := rounds[1][0]
		t.BreachAt(m.Seen, expected, "a message of level "+m.Level+", twice, after logging/setLevel had been answered")
	case heard[0] || heard[1]:
		t.NotObservedAt(kit.Raced, set, "messages below the level error came after one of two calls only: they may have been under way")
	default:
		for _, w := range tr.Windows {
			if !w.Long() {
				t.NotObservedAt(kit.Ended, set, "the stream of the log messages was not watched long enough to say that nothing arrived")
			}
		}
		t.OK(set, "a tool that logs at the level debug logs nothing below error once the level is error")
	}
}

// setLevel asks for a level.
func setLevel(c *kit.C, label, level string, options ...client.Option) *wire.Exchange {
	return c.Call(label, "logging/setLevel", append([]client.Option{client.WithParams(map[string]any{"level": level})}, options...)...)
}

// demandLevel: without a level that was set there is nothing to judge, and logging.set-level.answered says why.
func demandLevel(t *kit.T, label string) {
	if x := t.Answered(label); !x.Served() {
		if kit.CauseOf(x, kit.Blocked) != kit.Blocked {
			t.NotObservedAt(kit.TurnedAway, x, "logging/setLevel was not served: %s", kit.Describe(x))
		}
		t.Blocked("logging.set-level.answered", "logging/setLevel was not served: "+kit.Describe(x))
	}
}

// callAll calls tools side by side.
func callAll(c *kit.C, round string, calls []kit.ToolCall) []*wire.Exchange {
	called := make([]*wire.Exchange, len(calls))
	var steps []func()
	for i, call := range calls {
		steps = append(steps, func() {
			called[i] = c.CallTool(round+" "+call.Name, call)
			resume(c, called[i])
		})
	}
	c.Parallel(steps...)
	return called
}

// firstSent is when the first call of a round was sent. What was served at the level debug has to be served again: a tool that did
// not run logs nothing.
func firstSent(t *kit.T, tr *wire.Transcript, round string) time.Duration {
	var first *wire.Exchange
	served := func(x *wire.Exchange) bool {
		answer, _ := judges.AnswerTo(t, tr, x)
		return answer.Kind == wire.KindResult
	}
	for _, x := range tr.Exchanges {
		name := calledTool(x)
		if x.Name() != round+" "+name {
			continue
		}
		if before := sameCall(tr, "debug "+name, x); before != nil && served(before) && !served(x) {
			t.NotObservedAt(kit.Inconclusive, x, "a tool was served at the level debug and was not served again: %s", kit.Describe(x))
		}
		if first == nil || x.Sent < first.Sent {
			first = x
		}
	}
	if first == nil {
		t.NotObserved(kit.Unprovoked, "the tool that logged was not called again")
	}
	return first.Sent
}

// declaresLogging tells that an initialize of a conversation was answered by a server that declares logging: one may have asked for
// another revision than the inventory.
func declaresLogging(tr *wire.Transcript) bool {
	return slices.ContainsFunc(tr.Exchanges, func(x *wire.Exchange) bool {
		answer, _ := x.Answer()
		_, declared := answer.Pointer("/result/capabilities/logging")
		return x.RequestMessage().Method == "initialize" && declared
	})
}

// inItsSession tells that a message came on a stream of the session whose id it names. Over HTTP+SSE the id is in the URL that the
// conversation posts to.
func inItsSession(t *kit.T, m kit.Seen, id string) bool {
	if kit.SessionOf(m.Transcript, m.Exchange) == id {
		return true
	}
	return t.OldTransport() && slices.ContainsFunc(m.Transcript.Exchanges, func(x *wire.Exchange) bool {
		return x.Request.Method == "POST" && x.Broken == "" && strings.Contains(x.Request.URL, id)
	})
}

// minSessionID is the length from which a session id is looked for in log messages: shorter ones occur by chance.
const minSessionID = 16

// sentSessions are the session ids that mcpcheck sent and had not made up itself. Over HTTP+SSE they are part of the URL.
func sentSessions(t *kit.T) []string {
	sent, issued := map[string]bool{}, map[string]bool{}
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			for _, id := range x.ResponseSession() {
				issued[id] = true
			}
			if id := kit.RequestHeader(x, "Mcp-Session-Id"); x.Broken == "" {
				sent[id] = true
			}
			u, err := url.Parse(x.Request.URL)
			if err != nil || !t.OldTransport() || x.Request.Method != "POST" || x.Broken != "" {
				continue
			}
			for _, values := range u.Query() {
				for _, v := range values {
					sent[v], issued[v] = true, true
				}
			}
		}
	}
	var ids []string
	for id := range sent {
		if len(id) >= minSessionID && issued[id] {
			ids = append(ids, id)
		}
	}
	return ids
}
