package report

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// maxSchemaDepth is how deep schemas are compared; what is below it is only told to be the same or not.
const maxSchemaDepth = 16

// schemaDiff compares what a tool takes: what was allowed and is not any more breaks a client, what is new does not.
type schemaDiff struct {
	add func(change string, breaking bool, format string, args ...any)
}

// compared are the keywords whose meaning is known here; others are told to have changed.
var compared = []string{"type", "properties", "required", "additionalProperties", "enum", "const", "items", "minimum", "exclusiveMinimum", "minLength",
	"minItems", "minProperties", "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "pattern", "format"}

// silent are keywords that allow and forbid nothing.
var silent = []string{"title", "description", "default", "examples", "$schema", "$id", "$comment", "deprecated", "readOnly", "writeOnly"}

// input compares two schemas at a path, "" for the arguments as a whole.
func (s schemaDiff) input(path string, before, after map[string]any, depth int) {
	if reflect.DeepEqual(before, after) {
		return
	}
	if depth > maxSchemaDepth {
		s.add("schema-changed", false, "%s changed deep inside", named(path))
		return
	}
	s.types(path, before, after)
	s.properties(path, before, after, depth)
	s.choices(path, before, after)
	s.bounds(path, before, after)
	if items, is := object(before["items"]), object(after["items"]); items != nil || is != nil {
		s.input(path+"[]", items, is, depth+1)
	}
	for _, keyword := range keywords(before, after) {
		if !slices.Contains(compared, keyword) && !slices.Contains(silent, keyword) && !reflect.DeepEqual(before[keyword], after[keyword]) {
			s.add("schema-changed", false, "%s has another %s; whether that breaks a client cannot be told", named(path), oneLine(keyword))
		}
	}
}

func named(path string) string {
	if path == "" {
		return "the object of the arguments"
	}
	return "the argument " + oneLine(path)
}

func keywords(schemas ...map[string]any) []string {
	all := map[string]bool{}
	for _, s := range schemas {
		for k := range s {
			all[k] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// typesOf are the types that a schema allows; nil: any.
func typesOf(schema map[string]any) []string {
	switch t := schema["type"].(type) {
	case string:
		return []string{t}
	case []any:
		return texts(t)
	}
	return nil
}

func texts(list []any) []string {
	var all []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// allows tells whether all that one list of types allows another does as well.
func allows(wide, narrow []string) bool {
	if wide == nil {
		return true
	}
	return narrow != nil && !slices.ContainsFunc(narrow, func(t string) bool {
		return !slices.Contains(wide, t) && !(t == "integer" && slices.Contains(wide, "number"))
	})
}

func (s schemaDiff) types(path string, before, after map[string]any) {
	was, is := typesOf(before), typesOf(after)
	switch {
	case slices.Equal(was, is):
	case allows(is, was):
		s.add("widened", false, "%s was %s and may be %s now", named(path), typeText(was), typeText(is))
	default:
		s.add("narrowed", true, "%s was %s and has to be %s now", named(path), typeText(was), typeText(is))
	}
}

func typeText(types []string) string {
	if types == nil {
		return "anything"
	}
	return oneLine(strings.Join(types, " or "))
}

func (s schemaDiff) properties(path string, before, after map[string]any, depth int) {
	old, now := object(before["properties"]), object(after["properties"])
	oldRequired, nowRequired := requiredOf(before), requiredOf(after)
	inner := func(name string) string {
		if path == "" {
			return name
		}
		return path + "." + name
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		is, there := now[name]
		switch {
		case !there && slices.Contains(nowRequired, name):
			s.add("argument-required", true, "%s has to be given now, and is described no more", named(inner(name)))
		case !there:
			s.add("argument-removed", true, "%s is gone", named(inner(name)))
		default:
			if slices.Contains(nowRequired, name) && !slices.Contains(oldRequired, name) {
				s.add("argument-required", true, "%s has to be given now", named(inner(name)))
			}
			if !slices.Contains(nowRequired, name) && slices.Contains(oldRequired, name) {
				s.add("widened", false, "%s may be left out now", named(inner(name)))
			}
			if object(old[name]) == nil || object(is) == nil {
				if !reflect.DeepEqual(old[name], is) {
					s.add("schema-changed", false, "%s is described in another way; whether that breaks a client cannot be told", named(inner(name)))
				}
				continue
			}
			s.input(inner(name), object(old[name]), object(is), depth+1)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, was := old[name]; was {
			continue
		}
		if slices.Contains(nowRequired, name) && !slices.Contains(oldRequired, name) {
			s.add("argument-required", true, "%s is new and has to be given", named(inner(name)))
		} else {
			s.add("argument-added", false, "%s is new", named(inner(name)))
		}
	}
	for _, name := range nowRequired {
		if old[name] == nil && now[name] == nil && !slices.Contains(oldRequired, name) {
			s.add("argument-required", true, "%s has to be given now, and is not described", named(inner(name)))
		}
	}
	switch was, is := before["additionalProperties"], after["additionalProperties"]; {
	case reflect.DeepEqual(was, is):
	case is == false:
		s.add("narrowed", true, "%s takes nothing beside what is named now", named(path))
	case was == false:
		s.add("widened", false, "%s takes more than what is named now", named(path))
	default:
		s.add("schema-changed", false, "%s has other additionalProperties; whether that breaks a client cannot be told", named(path))
	}
}

func requiredOf(schema map[string]any) []string {
	list, _ := schema["required"].([]any)
	return texts(list)
}

// choices compares enum and const.
func (s schemaDiff) choices(path string, before, after map[string]any) {
	was, limited := choicesOf(before)
	is, limits := choicesOf(after)
	lost := func(from, to []any) (gone []any) {
		for _, v := range from {
			if !slices.ContainsFunc(to, func(o any) bool { return reflect.DeepEqual(v, o) }) {
				gone = append(gone, v)
			}
		}
		return gone
	}
	switch gone, more := lost(was, is), lost(is, was); {
	case !limits && limited:
		s.add("widened", false, "%s may be more than %s now", named(path), valueText(was))
	case limits && !limited:
		s.add("narrowed", true, "%s has to be one of %s now", named(path), valueText(is))
	case len(gone) > 0:
		s.add("narrowed", true, "%s may not be %s any more", named(path), valueText(gone))
	case len(more) > 0:
		s.add("widened", false, "%s may be %s, too", named(path), valueText(more))
	}
}

func choicesOf(schema map[string]any) (values []any, limited bool) {
	if v, ok := schema["const"]; ok {
		return []any{v}, true
	}
	values, limited = schema["enum"].([]any)
	return values, limited
}

// bounds compares keywords that a value has to keep within.
func (s schemaDiff) bounds(path string, before, after map[string]any) {
	for i, keywords := range [][]string{
		{"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"}, {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"},
	} {
		for _, k := range keywords {
			was, had := before[k].(float64)
			is, has := after[k].(float64)
			if had == has && was == is {
				continue
			}
			tighter := has && (!had || i == 0 && is > was || i == 1 && is < was)
			change := "widened"
			if tighter {
				change = "narrowed"
			}
			s.add(change, tighter, "%s: %s was %s and is %s", named(path), k, numberText(was, had), numberText(is, has))
		}
	}
	for _, k := range []string{"pattern", "format"} {
		was, is := before[k], after[k]
		if reflect.DeepEqual(was, is) {
			continue
		}
		if is == nil {
			s.add("widened", false, "%s: %s is asked for no more", named(path), k)
		} else {
			s.add("narrowed", true, "%s: %s was %s and is %s", named(path), k, valueText(was), valueText(is))
		}
	}
}

func numberText(n float64, given bool) string {
	if !given {
		return "not given"
	}
	return fmt.Sprint(n)
}

// output compares what a tool gives back: there it is the other way round, what a client could count on has to stay.
func (s schemaDiff) output(before, after any) {
	was, is := object(before), object(after)
	switch {
	case reflect.DeepEqual(before, after):
	case was == nil:
		s.add("output-changed", false, "its results have a schema now")
	case is == nil:
		s.add("output-changed", true, "its results have no schema any more")
	default:
		s.results("", was, is, 0)
	}
}

func (s schemaDiff) results(path string, before, after map[string]any, depth int) {
	place := "the result"
	if path != "" {
		place = "the result's " + oneLine(path)
	}
	if reflect.DeepEqual(before, after) {
		return
	}
	if depth > maxSchemaDepth {
		s.add("schema-changed", false, "%s changed deep inside", place)
		return
	}
	known := false
	if was, is := typesOf(before), typesOf(after); !slices.Equal(was, is) {
		known = true
		s.add("output-changed", !allows(was, is), "%s was %s and is %s", place, typeText(was), typeText(is))
	}
	old, now := object(before["properties"]), object(after["properties"])
	for _, name := range slices.Sorted(maps.Keys(old)) {
		inner := strings.TrimPrefix(path+"."+name, ".")
		switch _, there := now[name]; {
		case !there:
			s.add("output-changed", true, "the result's %s is gone", oneLine(inner))
		case slices.Contains(requiredOf(before), name) && !slices.Contains(requiredOf(after), name):
			s.add("output-changed", true, "the result's %s may be left out now", oneLine(inner))
		}
		if object(old[name]) != nil && object(now[name]) != nil {
			s.results(inner, object(old[name]), object(now[name]), depth+1)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, was := old[name]; !was {
			s.add("output-changed", false, "the result's %s is new", oneLine(strings.TrimPrefix(path+"."+name, ".")))
		}
	}
	if items, is := object(before["items"]), object(after["items"]); items != nil && is != nil {
		s.results(path+"[]", items, is, depth+1)
	}
	for _, k := range keywords(before, after) {
		if !known && !slices.Contains(silent, k) && !slices.Contains([]string{"type", "properties", "required", "items"}, k) && !reflect.DeepEqual(before[k], after[k]) {
			s.add("schema-changed", false, "%s has another %s; whether that breaks a client cannot be told", place, oneLine(k))
		}
	}
}
