package clients

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func utilities(s *kit.Section) {
	s.Passive("utilities.ping.client-answers", answersPing)
	s.Passive("utilities.cancel.client-not-initialize", cancelsNotInitialize)
	s.Passive("utilities.cancel.client-references", cancelsOwn)
	s.Passive("utilities.cancel.client-tasks", cancelsTasks)
	s.Passive("utilities.cancel.client-race", survivesCancellation)
	s.Passive("utilities.cancel.client-stops", stopsCancelled)
	s.Passive("utilities.tasks.client-undeclared", asksForNoTask)
	s.Passive("utilities.tasks.client-forbidden", asksForNoTaskOf)
	s.Passive("utilities.tasks.client-required", asksForTaskOf)
	s.Passive("utilities.progress.client-token-type", tokenTypes)
	s.Passive("utilities.progress.client-token-unique", tokensUnique)
	s.Passive("utilities.roots.client-declared", rootsDeclared)
	s.Passive("utilities.roots.client-unsupported", rootsRefused)
	s.Passive("utilities.roots.client-answers", rootsAnswered)
	s.Passive("utilities.roots.client-file-uri", rootsFiles)
	s.Passive("utilities.roots.client-list-changed", rootsChanged)
	s.Passive("utilities.sampling.client-declared", samplingDeclared)
	s.Passive("utilities.elicitation.client-declared", elicitationDeclared)
	s.Passive("utilities.progress.client-reports", clientProgress)
	s.Passive("utilities.sampling.client-result", samplingResult)
	s.Passive("utilities.sampling.client-tools-undeclared", samplingToolsRefused)
	s.Passive("utilities.sampling.client-invalid-params", samplingResultsRefused)
	s.Passive("utilities.elicitation.client-result", elicitationResult)
	s.Passive("utilities.elicitation.client-missing-mode", missingModeIsForm)
	s.Passive("utilities.elicitation.client-undeclared-mode", undeclaredModeRefused)
	s.Passive("utilities.elicitation.client-unknown-complete", ignoresUnknownComplete)
	s.Passive("utilities.elicitation.client-url-not-prefetched", pageNotPrefetched)
}

// answersPing: a ping on a stream that the client reads is answered with an empty result.
func answersPing(t *kit.T) {
	const expected = "an empty result in answer to a ping"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no ping reached the client on a stream that it kept open: have it call a tool twice")
	asked := asks(t)
	alone := func(a ask) bool { return a.Method == "ping" && a.Batch < 0 && a.wanted() } // jsonrpc.client.batch-receive has those in arrays
	for _, a := range asked {
		if !alone(a) || len(a.answers) == 0 {
			continue
		}
		r := a.answers[0]
		switch {
		case r.HasError:
			t.BreachAt(r, expected, "the error "+kit.JSON(r.Error))
		case kit.JSONType(r.Result) != "object":
			t.BreachAt(r, expected, "the result "+kit.JSON(r.Result))
		default:
			t.Saw()
		}
	}
	if a := silence(asked, alone); a != nil {
		t.Breach(a.on, expected, "no answer to pings, such as the one with id "+kit.JSON(a.ID))
	}
}
