package legacy

import (
	"encoding/json"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func utilitiesElicitation(s *kit.Section, asked []*kit.Script) {
	s.CheckAcross("utilities.elicitation.mode-supported", asked, func(t *kit.T) {
		t.Says("elicitation only in a mode that the client declared")
		agreed := agreements(t)
		for _, m := range requestsOf(t, judges.ElicitMethod) {
			a, mode := agreed.of(m.Seen), kit.ElicitationMode(m.Asked)
			if a == nil || mode != "form" && mode != "url" {
				continue
			}
			modes, declared := judges.DeclaredModes(capabilitiesOf(a.client))
			switch {
			case !declared:
				// lifecycle.operation.negotiated-capabilities reports it.
			case !slices.Contains(modes, mode):
				t.BreachAt(m.Seen, "mode "+kit.Or(modes...)+", which is all that the client declared", "mode "+mode)
			case len(modes) < 2:
				t.OK(m.Exchange, "a client that declared the mode %s only is asked in that mode", mode)
			}
		}
	})

	s.CheckAcross("utilities.elicitation.request-shape", asked, func(t *kit.T) {
		t.Says("message and, in form mode, requestedSchema")
		for _, q := range requestsOf(t, judges.ElicitMethod) {
			mode := modeOf(t, q)
			switch {
			case mode == "url":
				// utilities.elicitation.url-shape's, and an older revision has no such mode.
			case mode != "form":
				t.BreachAt(q.Seen, "mode form, url or none", "mode "+kit.Quote([]byte(mode)))
			case judges.FormMembers(t, q):
				t.OK(q.Exchange, "an elicitation has message and requestedSchema")
			}
		}
	})

	s.CheckAcross("utilities.elicitation.schema-flat", asked, func(t *kit.T) {
		t.Says("a flat object of strings, numbers, booleans and enums")
		for _, q := range formsOf(t) {
			judges.FlatForm(t, q, "/params/requestedSchema", "the schema of a form is flat")
		}
	})

	s.CheckAcross("utilities.elicitation.no-secrets", asked, func(t *kit.T) { judges.FormSecrets(t, formsOf(t)) })
	s.CheckAcross("utilities.elicitation.form-no-links", asked, func(t *kit.T) { judges.FormLinks(t, formsOf(t)) })

	s.Check("utilities.elicitation.data-validated", asked[0], judgeDataValidated)
	elicitationByURL(s, asked)
}

// modeOf is the mode of an elicitation. Before 2025-11-25 there is no such member; that of a URL elicitation is told from a form there
// too, since lifecycle.operation.negotiated-version reports it.
func modeOf(t *kit.T, q judges.Question) string {
	mode := kit.ElicitationMode(q.Asked)
	if t.Before("2025-11-25") && mode != "url" {
		return "form"
	}
	return mode
}

// capabilitiesOf are those that an initialize declares.
func capabilitiesOf(initialize wire.Message) json.RawMessage {
	raw, _ := initialize.Pointer("/params/capabilities")
	return raw
}

// formsOf returns the elicitations in form mode that have a schema.
func formsOf(t *kit.T) []judges.Question {
	all := requestsOf(t, judges.ElicitMethod)
	return slices.DeleteFunc(all, func(q judges.Question) bool { return modeOf(t, q) != "form" || !q.HasForm() })
}

// judgeDataValidated compares two calls of a tool: one whose form was filled in as asked, and one in which every field has the wrong
// type.
func judgeDataValidated(t *kit.T) {
	t.Says("an error, a result with isError true, or a new elicitation")
	tr := t.Transcript()
	t.Control("initialize")
	t.Unseen(kit.Unnamed, "no tool named with --call showed a form that could be filled in wrong")
	for i, x := range tr.Exchanges {
		if x.Broken != spoiledAnswer {
			continue
		}
		name := calledTool(x)
		control, after := callBefore(tr, i), sameCall(tr, "after "+name, x)
		if control == nil || after == nil {
			continue
		}
		forms, o := formsDuring(t.MessagesIn(tr), x, after), judges.OutcomeOf(t, x)
		switch before := judges.OutcomeOf(t, control); {
		case before.Kind != judges.PlainResult:
			t.Unseen(kit.Unprovoked, "%s does not succeed with an answer that fits its form either: %s", kit.Quote([]byte(name)), before)
		case !after.Served():
			t.Unseen(kit.Unprovoked, "the session was not served any more after the answer that does not fit: %s", kit.Describe(after))
		case forms == 0:
			t.Unseen(kit.Unprovoked, "%s shows its form only the first time", kit.Quote([]byte(name)))
		case forms > 1:
			t.OK(x, "data that does not fit makes %s ask again", kit.Quote([]byte(name)))
		case o.Kind == judges.ProtocolError, o.Kind == judges.ErrorResult:
			t.OK(o.Exchange, "data that does not fit is refused: %s", o)
		case o.Kind == judges.PlainResult:
			t.Note(o.Exchange, "%s takes data that does not fit its form: an ordinary result, which may still say so in its text", kit.Quote([]byte(name)))
		default:
			t.Unseen(kit.Unprovoked, "the call with data that does not fit was not answered: %s", o)
		}
	}
}

// formsDuring counts the elicitations of a call: those ahead of its answer, and those that came on a GET stream meanwhile.
func formsDuring(messages []kit.Seen, call, next *wire.Exchange) (forms int) {
	for _, m := range messages {
		meanwhile := m.Exchange.Request.Method == "GET" && m.At > call.Sent && m.At < next.Sent
		if m.Kind == wire.KindRequest && m.Method == judges.ElicitMethod && (m.Exchange == call || meanwhile) {
			forms++
		}
	}
	return forms
}

// callBefore finds the last call of a tool before another exchange that is not spoiled.
func callBefore(tr *wire.Transcript, i int) *wire.Exchange {
	for _, x := range slices.Backward(tr.Exchanges[:i]) {
		if calledTool(x) != "" && x.Broken == "" {
			return x
		}
	}
	return nil
}
