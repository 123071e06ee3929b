package legacy

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// toolAnswers are the answers to all calls that were not wrong on purpose.
func toolAnswers(t *kit.T) []toolAnswer {
	var all []toolAnswer
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			sent := x.RequestMessage()
			if sent.Method != "tools/call" || sent.Kind != wire.KindRequest || x.Broken != "" {
				continue
			}
			if m, ok := answerTo(t, tr, x); ok {
				r := toolAnswer{Seen: m, call: x}
				_ = sent.Decode("/params/name", &r.name)
				all = append(all, r)
			}
		}
	}
	return all
}

// toolResults are those among them that are results of tools: objects, and no tasks, which a server of 2025-11-25 may answer with.
func toolResults(t *kit.T) []toolAnswer {
	if !slices.ContainsFunc(t.Facts().Tools, kit.Tool.Callable) && len(t.Facts().Named) == 0 {
		t.NotObserved(kit.Unnamed, "no tool was called: none is declared read-only without required arguments, and none was named with --call")
	}
	t.Unseen(kit.Unprovoked, "no call of a tool was answered with a result")
	return slices.DeleteFunc(toolAnswers(t), func(r toolAnswer) bool {
		_, task := r.Pointer("/result/task")
		return r.Kind != wire.KindResult || kit.JSONType(r.Result) != "object" || task && t.Since("2025-11-25")
	})
}
