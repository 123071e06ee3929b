package legacy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

const elicitMethod = "elicitation/create"

func utilitiesElicitation(s *kit.Section, asked []*kit.Script) {
	s.CheckAcross("utilities.elicitation.mode-supported", asked, func(t *kit.T) {
		t.Says("elicitation only in a mode that the client declared")
		agreed := agreements(t)
		for _, m := range requestsOf(t, elicitMethod) {
			a, mode := agreed.of(m), elicitationMode(m.Message)
			if a == nil || mode != "form" && mode != "url" {
				continue
			}
			modes, declared := declaredModes(a.client)
			switch {
			case !declared:
				// lifecycle.operation.negotiated-capabilities reports it.
			case !slices.Contains(modes, mode):
				t.BreachAt(m, "mode "+kit.Or(modes...)+", which is all that the client declared", "mode "+mode)
			case len(modes) < 2:
				t.OK(m.Exchange, "a client that declared the mode %s only is asked in that mode", mode)
			}
		}
	})

	s.CheckAcross("utilities.elicitation.request-shape", asked, func(t *kit.T) {
		t.Says("message and, in form mode, requestedSchema")
		for _, m := range requestsOf(t, elicitMethod) {
			mode := modeOf(t, m)
			switch {
			case mode == "url":
				// utilities.elicitation.url-shape's, and an older revision has no such mode.
			case mode != "form":
				t.BreachAt(m, "mode form, url or none", "mode "+kit.Quote([]byte(mode)))
			case !hasMember(m, "message", "string"):
				t.BreachAt(m, "message, a string", "message "+memberOf(m, "message"))
			case !hasMember(m, "requestedSchema", "object"):
				t.BreachAt(m, "requestedSchema, an object", "requestedSchema "+memberOf(m, "requestedSchema"))
			default:
				t.OK(m.Exchange, "an elicitation has message and requestedSchema")
			}
		}
	})

	s.CheckAcross("utilities.elicitation.schema-flat", asked, func(t *kit.T) {
		t.Says("a flat object of strings, numbers, booleans and enums")
		for _, m := range formsOf(t) {
			found, _ := t.Schema().Request(elicitMethod, m.Params)
			found = kit.Within(found, "/params/requestedSchema")
			switch grave := slices.DeleteFunc(slices.Clone(found), isFormat); {
			case len(grave) > 0:
				expected, got := kit.Wording(grave)
				t.BreachAt(m, expected, got)
			case len(found) > 0:
				expected, got := kit.Wording(found)
				t.WarnAt(m, expected, got)
			default:
				t.OK(m.Exchange, "the schema of a form is flat")
			}
		}
	})

	s.CheckAcross("utilities.elicitation.no-secrets", asked, func(t *kit.T) {
		const expected = "no field for passwords, keys, tokens or payment data"
		t.Says(expected)
		for _, m := range formsOf(t) {
			if name, ok := secretField(m); ok {
				t.WarnAt(m, expected, "a form with the field "+kit.Quote([]byte(name)))
				continue
			}
			t.OK(m.Exchange, "no field of a form looks like a secret")
		}
	})

	s.CheckAcross("utilities.elicitation.form-no-links", asked, func(t *kit.T) {
		t.Says("no URLs in the texts of a form")
		for _, m := range formsOf(t) {
			if where, text := linkIn(m); where != "" {
				t.NoteAt(m, "a form holds a URL in %s, %s: if it is meant to be clicked, it belongs into an elicitation by URL", where, kit.Quote([]byte(text)))
				continue
			}
			t.OK(m.Exchange, "no text of a form holds a URL")
		}
	})

	s.Check("utilities.elicitation.data-validated", asked[0], judgeDataValidated)
	elicitationByURL(s, asked)
}

// modeOf is the mode of an elicitation. Before 2025-11-25 there is no such member; that of a URL elicitation is told from a form there
// too, since lifecycle.operation.negotiated-version reports it.
func modeOf(t *kit.T, m kit.Seen) string {
	mode := elicitationMode(m.Message)
	if t.Before("2025-11-25") && mode != "url" {
		return "form"
	}
	return mode
}

// declaredModes are the modes that a client declared; none means form.
func declaredModes(initialize wire.Message) (modes []string, declared bool) {
	if _, declared = initialize.Pointer("/params/capabilities/elicitation"); !declared {
		return nil, false
	}
	for _, mode := range []string{"form", "url"} {
		if _, ok := initialize.Pointer("/params/capabilities/elicitation/" + mode); ok {
			modes = append(modes, mode)
		}
	}
	if len(modes) == 0 {
		modes = []string{"form"}
	}
	return modes, true
}

func hasMember(m kit.Seen, name, kind string) bool {
	raw, _ := m.Pointer("/params/" + name)
	return kit.JSONType(raw) == kind
}

// memberOf says in a word what a member is.
func memberOf(m kit.Seen, name string) string {
	raw, _ := m.Pointer("/params/" + name)
	return kit.JSON(raw)
}

// formsOf returns the elicitations in form mode that have a schema.
func formsOf(t *kit.T) []kit.Seen {
	all := requestsOf(t, elicitMethod)
	return slices.DeleteFunc(all, func(m kit.Seen) bool { return modeOf(t, m) != "form" || !hasMember(m, "requestedSchema", "object") })
}

func isFormat(v schema.Violation) bool { return strings.HasSuffix(v.Path, "/format") }

// formFields are the fields of a form by name, in order.
func formFields(m kit.Seen) (names []string, fields map[string]json.RawMessage) {
	_ = m.Decode("/params/requestedSchema/properties", &fields)
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, fields
}

// secrets are words, one after another, that name what a form must not ask for.
var secrets = []string{"password", "passwords", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "api key", "private key", "access key",
	"secret key", "credit card", "creditcard", "card number", "cardnumber", "cvv", "cvc", "iban"}

// secretField finds a field whose name or title sounds like a secret. Only free text can hold one: a number of tokens or a choice of
// token types is none.
func secretField(m kit.Seen) (string, bool) {
	names, fields := formFields(m)
	for _, name := range names {
		var f field
		_ = json.Unmarshal(fields[name], &f)
		if kind := f.kind(); kind == "boolean" || len(f.choices()) > 0 || (kind == "number" || kind == "integer") && !namesCard(name) {
			continue
		}
		var title struct {
			Title string `json:"title"`
		}
		_ = json.Unmarshal(fields[name], &title)
		for _, text := range []string{name, title.Title} {
			if soundsSecret(text) {
				return text, true
			}
		}
	}
	return "", false
}

// namesCard tells that a name may ask for payment data, which can be a number.
func namesCard(name string) bool {
	w := words(name)
	return strings.Contains(w, "card") || strings.Contains(w, "cvv") || strings.Contains(w, "cvc")
}

func soundsSecret(text string) bool {
	padded := " " + words(text) + " "
	return slices.ContainsFunc(secrets, func(s string) bool { return strings.Contains(padded, " "+s+" ") })
}

// words splits a name into its words, in lower case with one space between: api_key, apiKey and "API key" are the same.
func words(name string) string {
	var b strings.Builder
	last := ' '
	for i, r := range name {
		if i > maxFill {
			break
		}
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(last):
			b.WriteRune(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// linkIn finds a URL in the texts that a form shows, and says where.
func linkIn(m kit.Seen) (where, text string) {
	has := func(s string) bool { return strings.Contains(s, "http://") || strings.Contains(s, "https://") }
	var message string
	if _ = m.Decode("/params/message", &message); has(message) {
		return "message", message
	}
	names, fields := formFields(m)
	for _, name := range names {
		var shown struct {
			Title       string `json:"title"`
			Description string `json:"description"`
		}
		_ = json.Unmarshal(fields[name], &shown)
		switch {
		case has(shown.Title):
			return fmt.Sprintf("the title of %s", kit.Quote([]byte(name))), shown.Title
		case has(shown.Description):
			return fmt.Sprintf("the description of %s", kit.Quote([]byte(name))), shown.Description
		}
	}
	return "", ""
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
		if m.Kind == wire.KindRequest && m.Method == elicitMethod && (m.Exchange == call || meanwhile) {
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
