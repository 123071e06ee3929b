package clients

import (
	"encoding/json"
	"net/url"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// declares tells what a client declared of a capability in the initialize of a conversation; nil where it did not.
func declares(tr *wire.Transcript, capability string) json.RawMessage {
	x := firstOf(tr, methodInitialize)
	if x == nil {
		return nil
	}
	raw, _ := x.RequestMessage().Pointer("/params/capabilities/" + capability)
	return raw
}

// answeredAsks visits the requests of a method that the client answered, with what it had declared.
func answeredAsks(t *kit.T, method, capability string, declared bool, visit func(ask, kit.Seen)) {
	for _, a := range asks(t) {
		if a.Method == method && len(a.answers) > 0 && a.wanted() && (declares(a.tr, capability) != nil) == declared {
			visit(a, a.answers[0])
		}
	}
}

// undeclared judges what a client answers to what it did not say it can do; result tells what is wrong with a result, "" for nothing.
func undeclared(t *kit.T, method, capability string, result func(kit.Seen) (wrong, odd string)) {
	expected := "an error in answer to " + method + ", since " + capability + " is not declared"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client was not asked for %s without having declared it, or did not answer: have it call a tool", capability)
	answeredAsks(t, method, capability, false, func(a ask, r kit.Seen) {
		if r.HasError {
			t.Saw()
			return
		}
		switch wrong, odd := result(r); {
		case wrong != "":
			t.BreachAt(r, expected, wrong)
		default:
			t.NoteAt(r, "%s, though the client did not declare %s", odd, capability)
		}
	})
}

func rootsDeclared(t *kit.T) {
	undeclared(t, "roots/list", "roots", func(r kit.Seen) (string, string) {
		raw, _ := r.Pointer("/result/roots")
		if roots, ok := wire.Elements(raw); ok && len(roots) > 0 {
			return "a result with roots", ""
		}
		return "", "an empty list of roots"
	})
}

func samplingDeclared(t *kit.T) {
	undeclared(t, "sampling/createMessage", "sampling", func(kit.Seen) (string, string) { return "a result", "" })
}

func elicitationDeclared(t *kit.T) {
	undeclared(t, "elicitation/create", "elicitation", func(r kit.Seen) (string, string) {
		var action string
		if r.Decode("/result/action", &action) == nil && (action == "decline" || action == "cancel") {
			return "", "action " + action
		}
		return "the result " + kit.JSON(r.Result), ""
	})
	for _, tr := range t.Transcripts() {
		capability := declares(tr, "elicitation")
		if t.Since("2025-11-25") && kit.JSONType(capability) == "object" && !namesMode(capability) {
			x := firstOf(tr, methodInitialize)
			t.Warn(x, "elicitation with one of the modes form and url, or empty", "elicitation "+kit.JSON(capability))
		}
	}
}

// namesMode tells that a declaration of elicitation names a mode that there is, or means form by being empty.
func namesMode(capability json.RawMessage) bool {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(capability, &members) // is an object
	_, form := members["form"]
	_, url := members["url"]
	return len(members) == 0 || form || url
}

// rootsRefused: which code tells that there are none.
func rootsRefused(t *kit.T) {
	const expected = "the error -32601 in answer to roots/list"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client was not asked for roots without having declared them, or did not answer: have it call a tool")
	answeredAsks(t, "roots/list", "roots", false, func(a ask, r kit.Seen) {
		code, _ := r.ErrorCode()
		switch {
		case !r.HasError: // utilities.roots.client-declared has it
		case code == judges.CodeMethodNotFound:
			t.Saw()
		default:
			t.WarnAt(r, expected, "the error "+kit.JSON(r.Error))
		}
	})
}

func rootsAnswered(t *kit.T) {
	const expected = "a result with the array roots"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no client that declares roots was asked for them, or answered")
	answeredAsks(t, "roots/list", "roots", true, func(a ask, r kit.Seen) {
		raw, _ := r.Pointer("/result/roots")
		switch {
		case r.HasError:
			t.BreachAt(r, expected, "the error "+kit.JSON(r.Error))
		case kit.JSONType(raw) != "array":
			t.BreachAt(r, expected, "the result "+kit.JSON(r.Result))
		default:
			t.Saw()
		}
	})
}

func rootsFiles(t *kit.T) {
	const expected = "file:// URIs, and names that are strings"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client told no roots")
	answeredAsks(t, "roots/list", "roots", true, func(a ask, r kit.Seen) {
		raw, _ := r.Pointer("/result/roots")
		roots, _ := wire.Elements(raw)
		for _, root := range roots {
			if wrong := rootFault(root); wrong != "" {
				t.BreachAt(r, expected, wrong)
			} else {
				t.Saw()
			}
		}
	})
}

// rootFault says what is wrong with a root, "" for nothing.
func rootFault(root json.RawMessage) string {
	text, ok := kit.Text(root, "uri")
	u, err := url.Parse(text)
	name, named := wire.Lookup(root, "/name")
	switch {
	case !ok:
		return "a root without uri"
	case err != nil || u.Scheme != "file":
		return "a root whose uri has the scheme " + kit.Quote([]byte(schemeOf(text)))
	case named && kit.JSONType(name) != "string":
		return "a root whose name is a " + kit.JSONType(name)
	}
	return ""
}

// schemeOf is all that a report tells of a root.
func schemeOf(uri string) string {
	i := slices.Index([]byte(uri), ':')
	return uri[:max(i, 0)]
}
