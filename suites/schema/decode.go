package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A limits value bounds what is judged; the server's JSON is hostile input.
type limits struct {
	bytes, depth, values int  // 0: unbounded
	elements             int  // what stands beyond in an array is not looked at; 0: all is
	clamp                bool // bring extreme numbers into range instead of refusing them
}

var (
	// lenient is for messages: their size is bounded by the recorder, our schemas do not recurse, and look at no number closely.
	lenient = limits{clamp: true, elements: 10_000}
	// schemaLimits bound a tool's schema: compiling one takes time that grows with the square of its size.
	schemaLimits = limits{bytes: 1 << 20, depth: 100, values: 10_000}
	// valueLimits bound a value that is judged by a tool's schema.
	valueLimits = limits{bytes: 8 << 20, depth: 100, values: 500_000}
)

// ErrTooLarge is the error for schemas and values that are too large, too deep or too costly to judge.
var ErrTooLarge = errors.New("too large to judge")

// decode reads one JSON value, keeping numbers as they are written.
func decode(raw []byte, l limits) (any, error) {
	if l.bytes > 0 && len(raw) > l.bytes {
		return nil, fmt.Errorf("%w: %d bytes", ErrTooLarge, len(raw))
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, fmt.Errorf("no JSON: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("no JSON: more than one value")
	}
	n := 0
	return l.check(v, 0, &n)
}

func (l limits) check(v any, depth int, n *int) (any, error) {
	if *n++; l.values > 0 && *n > l.values {
		return nil, fmt.Errorf("%w: more than %d values", ErrTooLarge, l.values)
	}
	if l.depth > 0 && depth > l.depth {
		return nil, fmt.Errorf("%w: more than %d levels", ErrTooLarge, l.depth)
	}
	var err error
	switch c := v.(type) {
	case map[string]any:
		for name, member := range c {
			if c[name], err = l.check(member, depth+1, n); err != nil {
				return nil, err
			}
		}
	case []any:
		if l.elements > 0 && len(c) > l.elements {
			c = c[:l.elements]
			v = c
		}
		for i, element := range c {
			if c[i], err = l.check(element, depth+1, n); err != nil {
				return nil, err
			}
		}
	case json.Number:
		if !extreme(c) {
			return v, nil
		}
		if !l.clamp {
			return nil, fmt.Errorf("%w: the number %s", ErrTooLarge, cut(c.String()))
		}
		return clamp(c), nil
	}
	return v, nil
}

// extreme tells whether exact arithmetic, which the library does, would be costly with a number, or impossible: beyond an exponent
// of a million math/big gives up, and the library does not expect that.
func extreme(n json.Number) bool {
	if len(n) > 400 {
		return true
	}
	_, exponent, found := strings.Cut(strings.ToLower(n.String()), "e")
	if !found {
		return false
	}
	e, err := strconv.Atoi(exponent)
	return err != nil || e > 400 || e < -400
}

// clamp returns a number of reasonable size with the same sign and side of 1.
func clamp(n json.Number) json.Number {
	f, _ := strconv.ParseFloat(n.String(), 64)
	f = max(-math.MaxFloat64, min(math.MaxFloat64, f))
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}
