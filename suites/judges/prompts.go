package judges

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

// PromptsListed judges the answer to the request for the first page. The id is that of the requirement which reports silence.
func PromptsListed(t *kit.T, list Listing, unanswered string) {
	const expected = "a result with prompts, an array"
	t.Says(expected)
	x := t.Conclusive(list.Method, 500)
	answer, answered := x.Answer()
	switch {
	case x.Status()/100 == 4, kit.OwnError(x.Status()), answer.Kind == wire.KindError:
		t.Breach(x, expected, kit.Describe(x))
	case !answered:
		t.Blocked(unanswered, "prompts/list got no answer: "+kit.Describe(x))
	case !kit.ReadPage(x, list.List).Readable:
		member, _ := answer.Pointer("/result/prompts")
		t.Breach(x, expected, "a result in which prompts is "+kit.JSON(member))
	default:
		t.OK(x, "prompts/list is answered with an array of %d prompts", len(kit.ReadPage(x, list.List).Items))
	}
}

// PromptShapes judges names and arguments of listed prompts.
func PromptShapes(t *kit.T, list Listing) {
	t.Says("prompts with a name, and arguments as an array of objects with a name and a boolean required if present")
	for _, page := range PromptPages(t, list) {
		if found := badPrompts(t, page.Exchange); len(found) > 0 {
			// What one prompt has wrong, the others tend to have as well, on every page.
			expected, got := kit.Wording(found)
			t.Breach(page.Exchange, expected, got)
			return
		}
		t.OK(page.Exchange, "every prompt has a name, and arguments are well-formed")
	}
}

// PromptPages are the pages of the list that have prompts on them.
func PromptPages(t *kit.T, list Listing) []kit.Page {
	return Filled(t, list, "the list of prompts is empty")
}

// badPrompts lists what is wrong with names and arguments on a page. Icons and _meta have judges of their own, and texts for
// people are left alone.
func badPrompts(t *kit.T, page *wire.Exchange) []schema.Violation {
	found := kit.Within(t.Shape(page), "/result/prompts/*")
	for _, holder := range []string{"/result/prompts/*", "/result/prompts/*/arguments/*"} {
		found = kit.Without(found, holder+"/icons", holder+"/_meta", holder+"/title", holder+"/description")
	}
	return found
}

// PromptArguments notes where arguments of a prompt are not looked at. The id is that of the requirement which reports a missing one.
func PromptArguments(t *kit.T, missing, number, reported string) {
	t.Says("prompts with missing or mistyped arguments refused")
	x := t.Conclusive(missing)
	switch answer, answered := AnswerOf(t, x); {
	case answer.Kind == wire.KindResult:
		t.Blocked(reported, "a required argument may be left out, so that the type of another value says nothing")
	case !answered && x.Status()/100 != 4:
		t.NotObservedAt(kit.Inconclusive, x, "the request without a required argument got no answer: %s", kit.Describe(x))
	}
	t.OK(x, "a prompt without an argument that it requires is refused: %s", kit.Describe(x))
	if t.IfSent(number) == nil {
		return
	}
	if answer, _ := AnswerOf(t, t.Conclusive(number)); answer.Kind == wire.KindResult {
		t.NoteAt(answer, "a prompt is served with a number for an argument; arguments are strings")
	}
}

// PromptArgumentsOptional judges a request for a prompt without required arguments that leaves arguments out; the controls have an empty
// object there.
func PromptArgumentsOptional(t *kit.T, label string, controls ...string) {
	const expected = "the prompt, as for arguments {}"
	t.Says(expected)
	for _, control := range controls {
		x := t.Answered(control)
		if answer, _ := AnswerOf(t, x); answer.Kind != wire.KindResult {
			t.NotObservedAt(kit.Inconclusive, x, "the prompt cannot be had with empty arguments either: %s", kit.Describe(x))
		}
	}
	x := t.Conclusive(label)
	switch answer, answered := AnswerOf(t, x); {
	case answer.Kind == wire.KindResult:
		t.OK(answer.Exchange, "a prompt without required arguments is served without the member arguments")
	case answered:
		t.WarnAt(answer, expected, kit.DescribeMessage(answer.Message))
	case x.Status()/100 == 4:
		t.Warn(x, expected, kit.Describe(x))
	default:
		t.NotObservedAt(kit.Inconclusive, x, "the request without arguments got no answer: %s", kit.Describe(x))
	}
}

// DemandPrompt demands a prompt of some kind. Without one the server offers nothing of the kind, unless otherwise says why there is
// only nothing to see.
func DemandPrompt(t *kit.T, choose func(*kit.Facts) (kit.Prompt, bool), otherwise string) {
	_, ok := choose(t.Facts())
	switch {
	case ok:
	case len(t.Facts().Prompts) == 0:
		t.Unlisted(ListPrompts, "no prompt is listed")
	case otherwise != "":
		t.NotObserved(kit.Unprovoked, "%s", otherwise)
	default:
		t.Unlisted(ListPrompts, "no prompt requires an argument")
	}
}
