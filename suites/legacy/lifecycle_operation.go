package legacy

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// lifecycleOperation is about what was agreed on in initialize: the server keeps to it in all that it sends.
func lifecycleOperation(s *kit.Section) {
	s.Passive("lifecycle.operation.negotiated-version", func(t *kit.T) {
		const expected = "only what the negotiated revision defines"
		t.Says(expected)
		agreed, kept := agreements(t), 0
		for _, m := range t.Messages() {
			a := agreed.of(m)
			if a == nil || a.revision == "" {
				continue
			}
			kept++
			for _, n := range newerThan(m, a.revision) {
				t.BreachAt(m, expected, n)
			}
		}
		if kept == 0 {
			t.NotObserved(kit.Unprovoked, "no session brought a message")
		}
		t.OK(nil, "%d messages keep to the revision of their session", kept)
	})

	s.Passive("lifecycle.operation.negotiated-capabilities", func(t *kit.T) {
		t.Says("only what client and server declared in initialize")
		agreed, sent := agreements(t), false
		for _, m := range t.Messages() {
			a := agreed.of(m)
			// Progress was asked for with the request; it is nothing that the server sends of its own accord.
			if a == nil || m.Method == "notifications/progress" || m.Kind != wire.KindRequest && m.Kind != wire.KindNotification {
				continue
			}
			if undeclared := a.undeclared(m.Message); undeclared != "" {
				t.BreachAt(m, undeclared, kit.DescribeMessage(m.Message))
				continue
			}
			sent = true
			t.OK(m.Exchange, "what the server sends of its own accord was declared, such as %s", kit.DescribeMessage(m.Message))
		}
		if !sent {
			t.NotObserved(kit.Unprovoked, "the server sent nothing of its own accord")
		}
	})
}

// newerThan lists what a message holds that came with a later revision than the negotiated one. Additional members of objects never
// count: the schemas are open.
func newerThan(m kit.Seen, spoken string) []string {
	var found []string
	before := func(since, what string) {
		if revision.Before(spoken, since) {
			found = append(found, what+", which came with "+since)
		}
	}
	if m.Batch >= 0 && m.Exchange.RequestMessage().Kind != wire.KindBatch {
		before("2025-03-26", "a batch")
	}
	if m.Kind == wire.KindRequest && m.Method == "elicitation/create" {
		before("2025-06-18", "a request elicitation/create")
		var mode string
		if _ = m.Decode("/params/mode", &mode); mode == "url" && revision.Since(spoken, "2025-06-18") {
			before("2025-11-25", "an elicitation in URL mode")
		}
	}
	if strings.HasPrefix(m.Method, "tasks/") {
		before("2025-11-25", kit.DescribeMessage(m.Message))
	}
	for _, kind := range contentTypes(m) {
		switch kind {
		case "resource_link":
			before("2025-06-18", "content of type resource_link")
		case "audio":
			before("2025-03-26", "content of type audio")
		}
	}
	return found
}

// contentTypes returns the types of the content blocks in the result of a tool or a prompt, each once.
func contentTypes(m kit.Seen) []string {
	var blocks []json.RawMessage
	switch sent := m.Exchange.RequestMessage(); sent.Method {
	case "tools/call":
		_ = m.Decode("/result/content", &blocks)
	case "prompts/get":
		var messages []struct {
			Content json.RawMessage `json:"content"`
		}
		_ = m.Decode("/result/messages", &messages)
		for _, message := range messages {
			blocks = append(blocks, message.Content)
		}
	}
	var kinds []string
	for _, b := range blocks {
		var block struct {
			Type string `json:"type"`
		}
		if _ = json.Unmarshal(b, &block); !slices.Contains(kinds, block.Type) {
			kinds = append(kinds, block.Type)
		}
	}
	return kinds
}
