package legacy

import (
	"encoding/json"
	"fmt"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const samplingMethod = "sampling/createMessage"

func utilitiesSampling(s *kit.Section, asked []*kit.Script) {
	s.CheckAcross("utilities.sampling.request-shape", asked, func(t *kit.T) {
		t.Says("messages with role and content, an integer maxTokens, priorities from 0 to 1")
		for _, m := range requestsOf(t, samplingMethod) {
			found, _ := t.Schema().Request(samplingMethod, m.Params)
			if len(found) > 0 {
				expected, got := kit.Wording(found)
				t.BreachAt(m, expected, got)
				continue
			}
			t.OK(m.Exchange, "a sampling request is well-formed")
		}
	})

	s.CheckAcross("utilities.sampling.tools-declared", asked, func(t *kit.T) {
		const expected = "no tools and no toolChoice, since the client did not declare sampling.tools"
		t.Says("tools and toolChoice only where the client declared sampling.tools")
		judgeSampling(t, "tools", func(m kit.Seen) {
			for _, name := range []string{"tools", "toolChoice"} {
				if value, has := m.Pointer("/params/" + name); has {
					t.BreachAt(m, expected, fmt.Sprintf("%s %s", name, kit.JSON(value)))
					return
				}
			}
			t.OK(m.Exchange, "a client without sampling.tools is asked without tools")
		})
	})

	s.CheckAcross("utilities.sampling.tool-results", asked, func(t *kit.T) {
		t.Says("tool uses followed by one user message of their results and nothing else")
		seen := 0
		for _, m := range requestsOf(t, samplingMethod) {
			if found, _ := t.Schema().Request(samplingMethod, m.Params); len(kit.Within(found, "/params/messages")) > 0 {
				continue // utilities.sampling.request-shape's
			}
			var messages []json.RawMessage
			_ = m.Decode("/params/messages", &messages)
			uses, wrong := pairToolUses(messages)
			switch {
			case wrong != nil:
				t.BreachAt(m, wrong.expected, wrong.got)
			case uses > 0:
				t.OK(m.Exchange, "%d tool uses are answered by a user message of their results", uses)
			}
			seen++
		}
		if seen > 0 {
			t.Unseen(kit.Unprovoked, "no sampling request came back with an answer of the model that uses tools")
		}
	})

	s.CheckAcross("utilities.sampling.context", asked, func(t *kit.T) {
		const expected = `includeContext absent or "none", since the client did not declare sampling.context`
		t.Says(`includeContext other than "none" only where the client declared sampling.context`)
		judgeSampling(t, "context", func(m kit.Seen) {
			var value string
			if _ = m.Decode("/params/includeContext", &value); value == "thisServer" || value == "allServers" {
				t.BreachAt(m, expected, "includeContext "+kit.Quote([]byte(value)))
				return
			}
			t.OK(m.Exchange, "a client without sampling.context is asked for no context")
		})
	})
}

// requestsOf returns the requests of the server with a method, over all conversations: some servers ask without being named a tool.
func requestsOf(t *kit.T, method string) []kit.Seen {
	var all []kit.Seen
	for _, m := range t.Messages() {
		if m.Kind == wire.KindRequest && m.Method == method {
			all = append(all, m)
		}
	}
	t.Unseen(kit.Unnamed, "no tool named with --call made the server send %s", method)
	return all
}

// judgeSampling judges the sampling requests to clients that declared sampling without one of its parts. Those to clients that declared
// no sampling at all are lifecycle.operation.negotiated-capabilities'.
func judgeSampling(t *kit.T, part string, judge func(kit.Seen)) {
	agreed := agreements(t)
	for _, m := range requestsOf(t, samplingMethod) {
		a := agreed.of(m)
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

// A mismatch is the two phrases of a finding.
type mismatch struct{ expected, got string }

// pairToolUses looks for the tool uses in a conversation and counts those that the next message answers. A user message with results
// holds nothing else, and one for each id (client/sampling#message-content-constraints).
func pairToolUses(messages []json.RawMessage) (uses int, wrong *mismatch) {
	open := []string(nil)
	for _, raw := range messages {
		m := readSampled(raw)
		switch {
		case len(m.results) > 0 && m.others > 0:
			return uses, &mismatch{"a user message of tool results and nothing else", fmt.Sprintf("%d tool results beside %d other blocks", len(m.results), m.others)}
		case len(open) > 0 && len(m.results) == 0:
			return uses, &mismatch{"a user message with the results of the tool uses", "another message after the tool uses"}
		case len(open) > 0 && m.role != "user":
			return uses, &mismatch{"the tool results in a user message", "role " + kit.Quote([]byte(m.role))}
		case len(open) > 0:
			if wrong := matchResults(open, m.results); wrong != nil {
				return uses, wrong
			}
			uses += len(open)
		}
		open = m.uses
	}
	if len(open) > 0 {
		return uses, &mismatch{"a user message with the results of the tool uses", "a conversation that ends with the tool uses"}
	}
	return uses, nil
}

func matchResults(uses, results []string) *mismatch {
	wanted := map[string]bool{}
	for _, id := range uses {
		wanted[id] = true
	}
	for _, id := range results {
		if !wanted[id] {
			return &mismatch{"results for the ids of the tool uses only", "another or a second result for " + kit.Quote([]byte(id))}
		}
		delete(wanted, id)
	}
	for _, id := range uses {
		if wanted[id] {
			return &mismatch{"a result for each tool use", "none for " + kit.Quote([]byte(id))}
		}
	}
	return nil
}

// A sampledMessage is one message of a sampling request, as far as it is about tools.
type sampledMessage struct {
	role          string
	uses, results []string // ids
	others        int      // blocks of other types
}

func readSampled(raw json.RawMessage) (s sampledMessage) {
	var m struct {
		Role    json.RawMessage `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	_ = json.Unmarshal(raw, &m)
	_ = json.Unmarshal(m.Role, &s.role)
	blocks := []json.RawMessage{m.Content}
	_ = json.Unmarshal(m.Content, &blocks) // which a single block leaves as they are
	for _, b := range blocks {
		var block struct {
			Type      string `json:"type"`
			ID        string `json:"id"`
			ToolUseID string `json:"toolUseId"`
		}
		_ = json.Unmarshal(b, &block)
		switch block.Type {
		case "tool_use":
			s.uses = append(s.uses, block.ID)
		case "tool_result":
			s.results = append(s.results, block.ToolUseID)
		default:
			s.others++
		}
	}
	return s
}
