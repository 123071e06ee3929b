package schema

import (
	"fmt"
	"sort"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxEvaluations bounds how often a schema may meet a value, one unit being well under a microsecond and some hundred bytes.
const maxEvaluations = 1_000_000

// A meter counts what judging a value would cost before it is judged, since the library cannot be stopped: a schema of thirty lines
// whose references double at each step asks for a billion evaluations.
type meter struct {
	left  int
	sizes map[string]int // of compiled patterns
}

func (m *meter) spend(n int) error {
	if m.left -= n; m.left < 0 {
		return fmt.Errorf("%w: more than %d evaluations", ErrTooLarge, maxEvaluations)
	}
	return nil
}

// visit follows the library's walk through every branch that it could take. Same is how many schemas met this very value already.
func (m *meter) visit(s *jsonschema.Schema, v any, same int) error {
	if s == nil {
		return nil
	}
	if same > 200 {
		return fmt.Errorf("%w: a reference that leads to itself", ErrInvalidSchema)
	}
	cost := 1
	if s.Enum != nil {
		cost += len(s.Enum.Values)
	}
	if s.UniqueItems {
		cost += weight(v)
	}
	if s.DynamicRef != nil && s.DynamicRef.Anchor != "" || s.RecursiveRef != nil {
		cost += 100 // where these lead is known only then
	}
	if err := m.spend(cost); err != nil {
		return err
	}
	here := []*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else}
	if s.DynamicRef != nil {
		here = append(here, s.DynamicRef.Ref)
	}
	here = append(append(append(here, s.AllOf...), s.AnyOf...), s.OneOf...)
	for _, sub := range s.DependentSchemas {
		here = append(here, sub)
	}
	for _, sub := range s.Dependencies {
		if sub, ok := sub.(*jsonschema.Schema); ok {
			here = append(here, sub)
		}
	}
	for _, sub := range here {
		if err := m.visit(sub, v, same+1); err != nil {
			return err
		}
	}
	switch v := v.(type) {
	case map[string]any:
		return m.members(s, v)
	case []any:
		return m.elements(s, v)
	case string:
		return m.match(s.Pattern, v)
	}
	return nil
}

func (m *meter) members(s *jsonschema.Schema, v map[string]any) error {
	names := make([]string, 0, len(v))
	for name := range v {
		names = append(names, name)
	}
	sort.Strings(names)
	additional, _ := s.AdditionalProperties.(*jsonschema.Schema)
	for _, name := range names {
		for _, sub := range []*jsonschema.Schema{s.Properties[name], additional, s.UnevaluatedProperties} {
			if err := m.visit(sub, v[name], 0); err != nil {
				return err
			}
		}
		if err := m.visit(s.PropertyNames, name, 0); err != nil {
			return err
		}
		for re, sub := range s.PatternProperties {
			if err := m.match(re, name); err != nil {
				return err
			}
			if re.MatchString(name) {
				if err := m.visit(sub, v[name], 0); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (m *meter) elements(s *jsonschema.Schema, v []any) error {
	items, _ := s.Items.(*jsonschema.Schema)
	tuple, _ := s.Items.([]*jsonschema.Schema)
	additional, _ := s.AdditionalItems.(*jsonschema.Schema)
	for i, element := range v {
		subs := []*jsonschema.Schema{items, additional, s.Items2020, s.Contains, s.UnevaluatedItems}
		if i < len(s.PrefixItems) {
			subs = append(subs, s.PrefixItems[i])
		}
		if i < len(tuple) {
			subs = append(subs, tuple[i])
		}
		for _, sub := range subs {
			if err := m.visit(sub, element, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// match counts a match of a pattern, which RE2 does in time proportional to the text and the pattern's program.
func (m *meter) match(re jsonschema.Regexp, text string) error {
	if re == nil {
		return nil
	}
	size, ok := m.sizes[re.String()]
	if !ok {
		if m.sizes == nil {
			m.sizes = map[string]int{}
		}
		size = programSize(re.String())
		m.sizes[re.String()] = size
	}
	return m.spend(1 + len(text)*size/64)
}

// weight is the number of values in a value.
func weight(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			n += weight(member)
		}
	case []any:
		for _, element := range v {
			n += weight(element)
		}
	}
	return n
}
