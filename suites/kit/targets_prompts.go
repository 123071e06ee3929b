package kit

import (
	"slices"
	"strings"
)

// PlainPrompt is the first prompt that requires no argument. A name that is listed twice is none: a requirement about the list says so.
func (f *Facts) PlainPrompt() (Prompt, bool) {
	return f.promptThat(func(p Prompt) bool { return len(p.Required) == 0 })
}

// DemandingPrompt is the first prompt that requires an argument.
func (f *Facts) DemandingPrompt() (Prompt, bool) {
	// Where its arguments could not be read it has none of them; a requirement about the shape of prompts says so.
	return f.promptThat(func(p Prompt) bool { return len(p.Arguments) > 0 && len(p.Required) > 0 && p.Required[0] != "" })
}

func (f *Facts) promptThat(fits func(Prompt) bool) (Prompt, bool) {
	times := map[string]int{}
	for _, p := range f.Prompts {
		times[p.Name]++
	}
	i := slices.IndexFunc(f.Prompts, func(p Prompt) bool { return times[p.Name] == 1 && fits(p) })
	if i < 0 {
		return Prompt{}, false
	}
	return f.Prompts[i], true
}

// Completable returns the params that ask for the first argument of the first prompt that has one, or else for the first variable of
// the first template; false where there is neither.
func (f *Facts) Completable() (params map[string]any, ok bool) {
	for _, p := range f.Prompts {
		for _, argument := range p.Arguments {
			if argument != "" {
				return completion(map[string]any{"type": "ref/prompt", "name": p.Name}, argument), true
			}
		}
	}
	for _, template := range f.Templates {
		if variable := firstVariable(template); variable != "" {
			return completion(map[string]any{"type": "ref/resource", "uri": template}, variable), true
		}
	}
	return nil, false
}

func completion(ref map[string]any, argument string) map[string]any {
	return map[string]any{"ref": ref, "argument": map[string]any{"name": argument, "value": ""}}
}

// firstVariable returns the name of the first variable of a URI template (RFC 6570), "" where none can be made out: in {?q,page*} it
// is q.
func firstVariable(template string) string {
	_, rest, _ := strings.Cut(template, "{")
	expression, _, closed := strings.Cut(rest, "}")
	if !closed {
		return ""
	}
	expression = strings.TrimLeft(expression, "+#./;?&")
	end := strings.IndexAny(expression, ",:*")
	if end >= 0 {
		expression = expression[:end]
	}
	return strings.TrimSpace(expression)
}
