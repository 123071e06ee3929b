package judges

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"unicode/utf8"
)

// anyJSON reads a JSON text; false for one that is none, or goes on behind its value. Numbers stay as they are written.
func anyJSON(text []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return v, d.Decode(&v) == nil && !d.More()
}

// equalJSON compares values; numbers by what they are worth, so that 1 equals 1.0.
func equalJSON(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if w, ok := b[k]; !ok || !equalJSON(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equalJSON)
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, _ := a.Float64()
		y, _ := b.Float64()
		return a == b || x == y && !math.IsInf(x, 0) // what is too large for a float is infinite
	}
	return a == b
}

// InvalidUTF8 returns the position of the first byte that is no UTF-8, or -1.
func InvalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
