package judges

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A ToolAnswer is what a call of a tool was answered with, and where that stood.
type ToolAnswer struct {
	kit.Seen
	Name string // of the tool
	Call *wire.Exchange
}

// Failed tells that the tool reports a failure. A flag of another type is tools.call.result-shape's; it is taken at its word here.
func (r ToolAnswer) Failed() bool {
	flag, ok := r.Pointer("/result/isError")
	return ok && !slices.Contains([]string{"false", `"false"`, "null"}, strings.TrimSpace(string(flag)))
}

// ToolAnswers are the answers to all calls that were not wrong on purpose.
func ToolAnswers(t *kit.T) []ToolAnswer {
	var all []ToolAnswer
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			sent := x.RequestMessage()
			if sent.Method != "tools/call" || sent.Kind != wire.KindRequest || x.Broken != "" {
				continue
			}
			if m, ok := AnswerTo(t, tr, x); ok {
				r := ToolAnswer{Seen: m, Call: x}
				_ = sent.Decode("/params/name", &r.Name)
				all = append(all, r)
			}
		}
	}
	return all
}

// ToolResults are those among them that are results of tools: objects, and no tasks, which a server of 2025-11-25 may answer with.
func ToolResults(t *kit.T) []ToolAnswer {
	if !slices.ContainsFunc(t.Facts().Tools, kit.Tool.Callable) && len(t.Facts().Named) == 0 {
		t.NotObserved(kit.Unnamed, "no tool was called: none is declared read-only without required arguments, and none was named with --call")
	}
	t.Unseen(kit.Unprovoked, "no call of a tool was answered with a result")
	return slices.DeleteFunc(ToolAnswers(t), func(r ToolAnswer) bool {
		_, task := r.Pointer("/result/task")
		return r.Kind != wire.KindResult || kit.JSONType(r.Result) != "object" || task && t.Since("2025-11-25")
	})
}

// ToolNamed finds a listed tool. A name that is listed twice is none: tools.list.unique-names says so.
func ToolNamed(f *kit.Facts, name string) (kit.Tool, bool) {
	var found []kit.Tool
	for _, tool := range f.Tools {
		if tool.Name == name {
			found = append(found, tool)
		}
	}
	if len(found) != 1 {
		return kit.Tool{}, false
	}
	return found[0], true
}
