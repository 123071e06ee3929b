package core

import (
	"bytes"
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// The tools here ask the model of the client (client/sampling).

type createMessageParams struct {
	Messages     []samplingMessage `json:"messages"`
	Preferences  modelPreferences  `json:"modelPreferences"`
	SystemPrompt string            `json:"systemPrompt,omitempty"`
	MaxTokens    int               `json:"maxTokens"`
	Tools        []toolEntry       `json:"tools,omitempty"`      // from 2025-11-25
	ToolChoice   *toolChoice       `json:"toolChoice,omitempty"` // from 2025-11-25
}

type samplingMessage struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // one block; from 2025-11-25 an array of them too
}

type modelPreferences struct {
	Hints        []modelHint `json:"hints"`
	Speed        float64     `json:"speedPriority"`
	Intelligence float64     `json:"intelligencePriority"`
}

type modelHint struct {
	Name string `json:"name"`
}

type toolChoice struct {
	Mode string `json:"mode"`
}

// A block is one content block of a sampled message, as far as it concerns the server.
type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
	ID   string `json:"id"`
	Name string `json:"name"`
}

type toolResultContent struct {
	Type      string `json:"type"`
	ToolUseID string `json:"toolUseId"`
	Content   []any  `json:"content"`
}

var preferences = modelPreferences{Hints: []modelHint{{"small"}}, Speed: 1, Intelligence: 0.25}

// askModel lets the model of the client say something.
func (c *Request) askModel() (any, *jsonrpc.Error) {
	if !declared(c.Caller.Capabilities.Sampling, "") {
		return c.lacksSampling()
	}
	answer, instead := c.sample(createMessageParams{
		Messages:     []samplingMessage{{"user", text("Say hello in one word.")}},
		Preferences:  preferences,
		SystemPrompt: "You answer in one word.",
		MaxTokens:    20,
	})
	if instead != nil {
		return end(instead)
	}
	return c.quote(answer)
}

// maxRounds bounds the loop of tool uses (client/sampling#security-considerations).
const maxRounds = 3

// askModelWithTools lets the model use tools, which this server runs: each answer with tool uses is followed by a message of their
// results, and of nothing else (client/sampling#message-content-constraints).
func (c *Request) askModelWithTools() (any, *jsonrpc.Error) {
	if !declared(c.Caller.Capabilities.Sampling, "tools") {
		tools := map[string]any{"sampling": map[string]any{"tools": jsonrpc.Empty{}}}
		return c.lacks(tools, "the client does not offer sampling with tools")
	}
	city := object([]string{"city"}, schema{"city": schema{"type": "string"}})
	params := createMessageParams{
		Messages:    []samplingMessage{{"user", text("Which of Paris and Oslo is warmer?")}},
		Preferences: preferences,
		MaxTokens:   200,
		Tools:       []toolEntry{{Name: "temperature", Description: "The temperature in a city.", InputSchema: city}},
		ToolChoice:  &toolChoice{"auto"},
	}
	for range maxRounds {
		answer, instead := c.sample(params)
		if instead != nil {
			return end(instead)
		}
		var results []any
		for _, b := range answer.blocks {
			if b.Type == "tool_use" {
				results = append(results, toolResultContent{"tool_result", b.ID, []any{text("15 degrees")}})
			}
		}
		if len(results) == 0 {
			return c.quote(answer)
		}
		params.Messages = append(params.Messages, samplingMessage{"assistant", answer.content}, samplingMessage{"user", results})
	}
	return Fails("the model used tools %d times and said nothing", maxRounds), nil
}

// sampled is what the model said.
type sampled struct {
	content json.RawMessage
	blocks  []block
}

func (c *Request) sample(params createMessageParams) (sampled, any) {
	answers, instead := c.Caller.Line.Ask(Question{Method: "sampling/createMessage", Params: params})
	if instead != nil {
		return sampled{}, instead
	}
	return c.sampled(answers[0])
}

// sampled reads what a client answered that was asked for what its model says.
func (c *Request) sampled(raw json.RawMessage) (sampled, any) {
	var result struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
		Model   string          `json:"model"`
	}
	s := sampled{blocks: make([]block, 1)}
	err := json.Unmarshal(raw, &result)
	s.content = bytes.TrimSpace(result.Content)
	if err == nil && bytes.HasPrefix(s.content, []byte("[")) && revision.AtLeast(c.Caller.Revision, revision.V20251125) {
		err = json.Unmarshal(s.content, &s.blocks)
	} else if err == nil {
		err = json.Unmarshal(s.content, &s.blocks[0])
	}
	if err != nil || result.Role == "" || result.Model == "" {
		return sampled{}, c.unfit("the answer of the client is no sampling result")
	}
	return s, nil
}

// quote passes on the text that the model said.
func (c *Request) quote(s sampled) (any, *jsonrpc.Error) {
	for _, b := range s.blocks {
		if b.Type == "text" {
			return says("the model says: %s", b.Text), nil
		}
	}
	return Fails("the model said nothing"), nil
}
