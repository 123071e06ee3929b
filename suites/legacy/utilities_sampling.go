package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func utilitiesSampling(s *kit.Section, asked []*kit.Script) {
	s.CheckAcross("utilities.sampling.request-shape", asked, func(t *kit.T) {
		judges.SamplingShapes(t, requestsOf(t, judges.SamplingMethod))
	})

	s.CheckAcross("utilities.sampling.tools-declared", asked, func(t *kit.T) {
		const expected = "no tools and no toolChoice, since the client did not declare sampling.tools"
		t.Says("tools and toolChoice only where the client declared sampling.tools")
		judgeSampling(t, "tools", func(q judges.Question) {
			if tools := q.UnwantedTools(); tools != "" {
				t.BreachAt(q.Seen, expected, tools)
				return
			}
			t.OK(q.Exchange, "a client without sampling.tools is asked without tools")
		})
	})

	s.CheckAcross("utilities.sampling.tool-results", asked, func(t *kit.T) {
		t.Says("tool uses followed by one user message of their results and nothing else")
		if judges.SamplingResults(t, requestsOf(t, judges.SamplingMethod)) > 0 {
			t.Unseen(kit.Unprovoked, "no sampling request came back with an answer of the model that uses tools")
		}
	})

	s.CheckAcross("utilities.sampling.context", asked, func(t *kit.T) {
		const expected = `includeContext absent or "none", since the client did not declare sampling.context`
		t.Says(`includeContext other than "none" only where the client declared sampling.context`)
		judgeSampling(t, "context", func(q judges.Question) {
			if value := q.Context(); value != "" {
				t.BreachAt(q.Seen, expected, "includeContext "+kit.Quote([]byte(value)))
				return
			}
			t.OK(q.Exchange, "a client without sampling.context is asked for no context")
		})
	})
}

// requestsOf returns the requests of the server with a method, over all conversations: some servers ask without being named a tool.
func requestsOf(t *kit.T, method string) []judges.Question {
	var all []judges.Question
	for _, m := range t.Messages() {
		if m.Kind == wire.KindRequest && m.Method == method {
			all = append(all, judges.Question{Seen: m, Asked: m.Message})
		}
	}
	t.Unseen(kit.Unnamed, "no tool named with --call made the server send %s", method)
	return all
}

// judgeSampling judges the sampling requests to clients that declared sampling without one of its parts. Those to clients that declared
// no sampling at all are lifecycle.operation.negotiated-capabilities'.
func judgeSampling(t *kit.T, part string, judge func(judges.Question)) {
	agreed := agreements(t)
	for _, m := range requestsOf(t, judges.SamplingMethod) {
		a := agreed.of(m.Seen)
		if a == nil {
			continue
		}
		_, samples := a.client.Pointer("/params/capabilities/sampling")
		_, declared := a.client.Pointer("/params/capabilities/sampling/" + part)
		if samples && !declared {
			judge(m)
		}
	}
}
