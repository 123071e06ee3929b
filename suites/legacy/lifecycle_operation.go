package legacy

import (
	"encoding/json"
	"fmt"
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

// An agreement is what initialize settled in one session.
type agreement struct {
	revision       string
	client, server wire.Message // the request and its answer, which hold the capabilities
}

// sessionAgreements finds the agreement of an exchange by the session that it belongs to.
type sessionAgreements map[string]*agreement

// agreements reads every initialize of the revision that was answered with a result.
func agreements(t *kit.T) sessionAgreements {
	all := sessionAgreements{}
	for _, tr := range t.Transcripts() {
		// Without session ids a conversation is all there is: its first initialize counts. Several of them agree on nothing.
		var own []*wire.Exchange
		for _, x := range tr.Exchanges {
			if x.RequestMessage().Method != "initialize" || !x.Served() {
				continue
			}
			answer, _ := x.Answer()
			a := &agreement{revision: offeredVersion(x), client: x.RequestMessage(), server: answer}
			if ids := x.ResponseSession(); len(ids) > 0 && ids[0] != "" {
				all[ids[0]] = a
			} else if x.Label == "initialize" {
				all["conversation "+tr.Script] = a
			}
			own = append(own, x)
		}
		// What runs on the common session goes by the initialize of the inventory.
		if common := all["conversation "+inventory.Name]; tr.Shared && len(own) == 0 && common != nil {
			all["conversation "+tr.Script] = common
		}
	}
	return all
}

// of returns what binds the server in a message, nil where nothing does: initialize itself, requests that were wrong on purpose, and
// exchanges outside any session.
func (all sessionAgreements) of(m kit.Seen) *agreement {
	if m.Exchange.Broken != "" || m.Exchange.RequestMessage().Method == "initialize" && (m.HasResult || m.HasError) {
		return nil
	}
	return all[kit.SessionOf(m.Transcript, m.Exchange)]
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
	if m.HasMethod && strings.HasPrefix(m.Method, "tasks/") {
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
	if m.Kind != wire.KindResult {
		return nil
	}
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
		if json.Unmarshal(b, &block) == nil && !slices.Contains(kinds, block.Type) {
			kinds = append(kinds, block.Type)
		}
	}
	return kinds
}

// clientCapability names what a client has to declare before a server may send it a request.
var clientCapability = map[string]string{
	"roots/list":             "roots",
	"sampling/createMessage": "sampling",
	"elicitation/create":     "elicitation",
}

// serverFlag points at what a server has to declare before it sends a notification.
var serverFlag = map[string]string{
	"notifications/tools/list_changed":     "/tools/listChanged",
	"notifications/prompts/list_changed":   "/prompts/listChanged",
	"notifications/resources/list_changed": "/resources/listChanged",
	"notifications/resources/updated":      "/resources/subscribe",
}

// undeclared says what would have been allowed where a message of the server uses what was not declared, and "" where it is in order.
func (a *agreement) undeclared(m wire.Message) string {
	// Under an older revision elicitation is no question of capabilities: lifecycle.operation.negotiated-version.
	if name := clientCapability[m.Method]; m.Kind == wire.KindRequest && name != "" && (name != "elicitation" || revision.Since(a.revision, "2025-06-18")) {
		if _, declared := a.client.Pointer("/params/capabilities/" + name); !declared {
			return fmt.Sprintf("no %s, since the client did not declare %s", m.Method, name)
		}
	}
	if flag := serverFlag[m.Method]; m.Kind == wire.KindNotification && flag != "" {
		var declared bool
		if _ = a.server.Decode("/result/capabilities"+flag, &declared); !declared {
			return fmt.Sprintf("no %s, since the server did not declare %s", m.Method, strings.ReplaceAll(flag[1:], "/", "."))
		}
	}
	return ""
}
