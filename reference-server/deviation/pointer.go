package deviation

import (
	"slices"
	"strconv"
	"strings"
)

// A path is a JSON pointer (RFC 6901) in which "*" stands for every element and, at the end of a place to set, "-" for a new
// one.
type path []string

func parsePath(pointer string) path {
	if pointer == "" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, p := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(p)
	}
	return parts
}

// get returns the value at the path.
func (p path) get(v any) (any, bool) {
	if len(p) == 0 {
		return v, true
	}
	switch v := v.(type) {
	case map[string]any:
		if child, ok := v[p[0]]; ok {
			return p[1:].get(child)
		}
	case []any:
		if i, err := strconv.Atoi(p[0]); err == nil && i >= 0 && i < len(v) {
			return p[1:].get(v[i])
		}
	}
	return nil, false
}

// set returns v with the value at the path. Where a parent is missing nothing changes.
func (p path) set(v, value any) any {
	if len(p) == 0 {
		return value
	}
	switch v := v.(type) {
	case map[string]any:
		if p[0] == "*" {
			for key := range v {
				v[key] = p[1:].set(v[key], value)
			}
			break
		}
		if child, ok := v[p[0]]; ok || len(p) == 1 {
			v[p[0]] = p[1:].set(child, value)
		}
	case []any:
		if p[0] == "-" && len(p) == 1 {
			return append(v, value)
		}
		for i := range v {
			if p[0] == "*" || p[0] == strconv.Itoa(i) {
				v[i] = p[1:].set(v[i], value)
			}
		}
	}
	return v
}

// remove returns v without what is at the path.
func (p path) remove(v any) any {
	if len(p) == 0 {
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			if p[0] != "*" && p[0] != key {
				continue
			}
			if len(p) == 1 {
				delete(v, key)
			} else {
				v[key] = p[1:].remove(child)
			}
		}
	case []any:
		for i := len(v) - 1; i >= 0; i-- {
			if p[0] != "*" && p[0] != strconv.Itoa(i) {
				continue
			}
			if len(p) == 1 {
				v = slices.Delete(v, i, i+1)
			} else {
				v[i] = p[1:].remove(v[i])
			}
		}
		return v
	}
	return v
}
