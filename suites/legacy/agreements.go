package legacy

import (
	"fmt"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// An agreement is what initialize settled in one session.
type agreement struct {
	revision       string
	client, server wire.Message // the request and its answer, which hold the capabilities
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

// sessionAgreements finds the agreement of an exchange by the session that it belongs to.
type sessionAgreements map[string]*agreement

// of returns what binds the server in a message, nil where nothing does: initialize itself, requests that were wrong on purpose, and
// exchanges outside any session.
func (all sessionAgreements) of(m kit.Seen) *agreement {
	if m.Exchange.Broken != "" || m.Exchange.RequestMessage().Method == "initialize" && (m.HasResult || m.HasError) {
		return nil
	}
	return all[kit.SessionOf(m.Transcript, m.Exchange)]
}

// agreements reads every initialize of the revision that was answered with a result.
func agreements(t *kit.T) sessionAgreements {
	all := sessionAgreements{}
	for _, tr := range t.Transcripts() {
		// Without session ids a conversation is all there is. Several initializes in one agree on nothing.
		own := 0
		for _, x := range tr.Exchanges {
			if x.RequestMessage().Method != "initialize" || !x.Served() {
				continue
			}
			answer, _ := x.Answer()
			a := &agreement{revision: offeredVersion(x), client: x.RequestMessage(), server: answer}
			if ids := x.ResponseSession(); len(ids) > 0 && ids[0] != "" {
				all[ids[0]] = a
			} else {
				all["conversation "+tr.Script] = a
			}
			own++
		}
		if own > 1 {
			delete(all, "conversation "+tr.Script)
		}
		// What runs in a session that another conversation opened, without an id that would tell which, goes by the initialize of the
		// inventory: those that lend one declare no more than it does.
		if common := all["conversation "+inventory.Name]; tr.Shared && own == 0 {
			all["conversation "+tr.Script] = common
		}
	}
	return all
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
