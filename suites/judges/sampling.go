package judges

import (
	"encoding/json"
	"fmt"

	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// SamplingShapes judges the params of some sampling requests.
func SamplingShapes(t *kit.T, questions []Question) {
	t.Says("messages with role and content, an integer maxTokens, priorities from 0 to 1")
	for _, q := range questions {
		found, _ := t.Schema().Request(SamplingMethod, q.Asked.Params)
		if len(found) > 0 {
			expected, got := kit.Wording(found)
			t.BreachAt(q.Seen, expected, got)
			continue
		}
		t.OK(q.Exchange, "a sampling request is well-formed")
	}
}

// SamplingResults judges that the tool uses in some sampling requests are answered by their results, and tells how many requests could be
// looked at.
func SamplingResults(t *kit.T, questions []Question) (seen int) {
	for _, q := range questions {
		if found, _ := t.Schema().Request(SamplingMethod, q.Asked.Params); len(kit.Within(found, "/params/messages")) > 0 {
			continue // SamplingShapes'
		}
		var messages []json.RawMessage
		_ = q.Asked.Decode("/params/messages", &messages)
		uses, wrong := pairToolUses(messages)
		switch {
		case wrong != nil:
			t.BreachAt(q.Seen, wrong.expected, wrong.got)
		case uses > 0:
			t.OK(q.Exchange, "%d tool uses are answered by a user message of their results", uses)
		}
		seen++
	}
	return seen
}

// UnwantedTools returns a phrase for the tools, or the choice of one, in a sampling request; "" where there is none.
func (q Question) UnwantedTools() string {
	for _, name := range []string{"tools", "toolChoice"} {
		if value, has := q.Asked.Pointer("/params/" + name); has {
			return fmt.Sprintf("%s %s", name, kit.JSON(value))
		}
	}
	return ""
}

// Context returns the includeContext of a sampling request that asks for the context of servers; "" where it does not.
func (q Question) Context() string {
	var value string
	if _ = q.Asked.Decode("/params/includeContext", &value); value == "thisServer" || value == "allServers" {
		return value
	}
	return ""
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
	if kit.JSONType(m.Content) == "array" {
		_ = json.Unmarshal(m.Content, &blocks)
	}
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
