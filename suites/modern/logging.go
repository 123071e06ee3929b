package modern

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// maxLogging bounds the tools that are called for what they log.
const maxLogging = 4

func logging(s *kit.Section) {
	// Asked for where it is not declared too: who logs then did not say so.
	levels := s.Script("modern.logging/levels", kit.Own, func(c *kit.C) {
		calls := c.ToolCalls()
		calls = calls[:min(len(calls), maxLogging)]
		at := func(level string, call kit.ToolCall) *wire.Exchange {
			return c.CallTool("call "+call.Name+" at "+level, call, client.WithMeta(map[string]any{keyLogLevel: level}))
		}
		logs := make([]bool, len(calls))
		var steps []func()
		for i, call := range calls {
			steps = append(steps, func() {
				logs[i] = slices.ContainsFunc(at("debug", call).Messages(), func(m wire.Located) bool { return m.Method == judges.LogMethod })
			})
		}
		c.Parallel(steps...)
		// Who has nothing to say at all has nothing below a level either: where none of them logs, one stands for all.
		steps = nil
		for i, call := range calls {
			if logs[i] || i == 0 && !slices.Contains(logs, true) {
				steps = append(steps, func() { at("error", call) })
			}
		}
		c.Parallel(steps...)
	}, kit.Tools)
	s.CheckAcross("modern.logging.declared", []*kit.Script{levels}, func(t *kit.T) {
		judges.LogsDeclared(t, func(*wire.Transcript) bool { return false })
	})
	s.Passive("modern.logging.only-when-requested", func(t *kit.T) {
		const expected = "no log messages for a request without " + keyLogLevel
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no call of a tool was answered on an event stream")
		for _, x := range answeringStreams(t) {
			if x.RequestMessage().Method == "tools/call" && !asksForLogs(x) {
				t.OK(x, "calls that ask for no log messages get none")
			}
		}
		onRequests(t, judges.LogMethod, func(m kit.Seen, _ bool) {
			if !asksForLogs(m.Exchange) {
				t.Cause(causeLevelIgnored)
				t.BreachAt(m, expected, "one for "+m.Exchange.RequestMessage().Method)
			}
		})
	})
	s.Check("modern.logging.level-threshold", levels, func(t *kit.T) {
		const expected = "no log message below error"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no tool could be called that was asked for errors only")
		for _, x := range t.Transcript().Exchanges {
			if level, _ := member(x.RequestMessage(), "/params/_meta", keyLogLevel); string(level) != `"error"` || !x.Served() {
				continue
			}
			t.OK(x, "calls that ask for errors get nothing below")
			for _, m := range x.Messages() {
				if judges.BelowError(m.Message) {
					level, _ := m.Pointer("/params/level")
					t.Cause(causeLevelIgnored)
					t.Breach(x, expected, "level "+kit.JSON(level))
				}
			}
		}
	}, kit.Logging)
	s.Passive("modern.logging.own-stream-only", func(t *kit.T) {
		const expected = "log messages ahead of the response of the request that asked for them"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no log message came")
		onRequests(t, judges.LogMethod, func(m kit.Seen, late bool) {
			switch {
			case late:
				t.BreachAt(m, expected, "one behind the response")
			case asksForLogs(m.Exchange):
				t.OK(m.Exchange, "log messages come ahead of the response")
			}
		})
	})
	s.Passive("modern.logging.message-shape", judges.LogShapes)
	s.Passive("modern.logging.content", judges.LogCredentials)
	s.Check("modern.logging.deprecated", inventory, func(t *kit.T) {
		t.Says("no logging, which the revision deprecates")
		x, _ := discovered(t)
		switch t.Facts().Capability("logging") {
		case kit.Yes:
			t.Note(x, "logging is declared: the revision deprecates it, and keeps it for a year at least")
		case kit.No:
			t.OK(x, "logging is not declared")
		default:
			t.Lacks(kit.Logging)
		}
	})
	s.Check("modern.logging.invalid-level", altered, func(t *kit.T) {
		const expected = "JSON-RPC error -32602"
		t.Says(expected)
		t.Control("control", "control after")
		x := t.Conclusive(invalidLevel, gatewayless...)
		if codeOf(x) == codeInvalidParams {
			t.OK(x, "%s", kit.Describe(x))
			return
		}
		if x.Served() {
			t.Cause(causeLevelIgnored)
		}
		t.Breach(x, expected, kit.Describe(x))
	}, kit.Logging)
}

// causeLevelIgnored is the cause of findings of who does not look at the level that a request asks for: messages come unasked, those below
// the level too, and a level that there is not is taken.
const causeLevelIgnored = keyLogLevel + " is not looked at"

// asksForLogs tells whether a request asks for log messages.
func asksForLogs(x *wire.Exchange) bool {
	_, there := member(x.RequestMessage(), "/params/_meta", keyLogLevel)
	return there
}
