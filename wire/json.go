package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// The functions here walk over JSON that json.Valid has accepted, without copying and without recursion, so that a deeply
// nested or very long document of a hostile server costs no more than its length.

// skipSpace returns the index of the first byte at or after i that is no white space.
func skipSpace(data []byte, i int) int {
	for i < len(data) {
		switch data[i] {
		case ' ', '\t', '\r', '\n':
			i++
		default:
			return i
		}
	}
	return i
}

// skipString returns the index after the string that begins at i.
func skipString(data []byte, i int) int {
	quote := i // the next one
	for i++; i < len(data); {
		if quote < i {
			n := bytes.IndexByte(data[i:], '"')
			if n < 0 {
				break
			}
			quote = i + n
		}
		escape := bytes.IndexByte(data[i:quote], '\\')
		if escape < 0 {
			return quote + 1
		}
		i += escape + 2
	}
	return len(data)
}

// skipValue returns the index after the value that begins at i.
func skipValue(data []byte, i int) int {
	depth := 0
	for i < len(data) {
		switch data[i] {
		case '"':
			i = skipString(data, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			for i < len(data) && !strings.ContainsRune(",:{}[] \t\r\n\"", rune(data[i])) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
	return len(data)
}

// eachMember calls yield for every member of the object, in order, until it returns false. Keys are unescaped.
func eachMember(object []byte, yield func(key string, value json.RawMessage) bool) {
	i := skipSpace(object, 0) + 1
	for {
		i = skipSpace(object, i)
		if i >= len(object) || object[i] != '"' {
			return
		}
		end := skipString(object, i)
		key := Unquote(object[i:end])
		i = skipSpace(object, end) + 1 // the colon
		i = skipSpace(object, i)
		end = skipValue(object, i)
		if end > len(object) || i > end || !yield(key, json.RawMessage(object[i:end:end])) {
			return
		}
		i = skipSpace(object, end)
		if i >= len(object) || object[i] != ',' {
			return
		}
		i++
	}
}

// eachElement calls yield for every element of the array, in order, until it returns false.
func eachElement(array []byte, yield func(value json.RawMessage) bool) {
	i := skipSpace(array, 0) + 1
	for {
		i = skipSpace(array, i)
		if i >= len(array) || array[i] == ']' {
			return
		}
		end := skipValue(array, i)
		if end == i || !yield(json.RawMessage(array[i:end:end])) {
			return
		}
		i = skipSpace(array, end)
		if i >= len(array) || array[i] != ',' {
			return
		}
		i++
	}
}

// Members calls yield for every member of a JSON object, in order, until it returns false; for any other value not at all.
func Members(raw json.RawMessage, yield func(name string, value json.RawMessage) bool) {
	if TypeOf(raw) == "object" {
		eachMember(raw, yield)
	}
}

// Elements returns the elements of a JSON array, which share its bytes; false for any other value.
func Elements(raw json.RawMessage) ([]json.RawMessage, bool) {
	if TypeOf(raw) != "array" {
		return nil, false
	}
	var all []json.RawMessage
	eachElement(raw, func(value json.RawMessage) bool {
		all = append(all, value)
		return true
	})
	return all, true
}

// Unquote decodes a valid JSON string literal.
func Unquote(literal []byte) string {
	if len(literal) >= 2 && bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1])
	}
	var s string
	if json.Unmarshal(literal, &s) != nil {
		return string(literal)
	}
	return s
}

// TypeOf names the type of a valid JSON value: object, array, string, number, boolean, null; empty for no value.
func TypeOf(raw json.RawMessage) string {
	i := skipSpace(raw, 0)
	if i >= len(raw) {
		return ""
	}
	switch raw[i] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// Lookup follows an RFC 6901 pointer. Of members with the same name the last one counts, as in most readers.
func Lookup(raw json.RawMessage, pointer string) (json.RawMessage, bool) {
	if pointer == "" {
		return raw, len(raw) > 0
	}
	if pointer[0] != '/' {
		return nil, false
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		var found json.RawMessage
		switch TypeOf(raw) {
		case "object":
			eachMember(raw, func(key string, value json.RawMessage) bool {
				if key == token {
					found = value
				}
				return true
			})
		case "array":
			index, err := strconv.Atoi(token)
			if err != nil || index < 0 || strconv.Itoa(index) != token {
				return nil, false
			}
			eachElement(raw, func(value json.RawMessage) bool {
				if index == 0 {
					found = value
					return false
				}
				index--
				return true
			})
		}
		if found == nil {
			return nil, false
		}
		raw = found
	}
	return raw, true
}

// sameNumber compares two JSON numbers by value, without ever building what their exponents ask for: 7, 7.0 and 70e-1 are
// the same, and 1e999999999 costs nothing.
func sameNumber(a, b string) bool {
	negA, digitsA, expA, okA := decimal(a)
	negB, digitsB, expB, okB := decimal(b)
	if !okA || !okB {
		return a == b
	}
	return negA == negB && digitsA == digitsB && expA == expB
}

// decimal reads a JSON number as digits x 10^exp with no zeros at either end of digits; zero has no digits and no sign.
// It refuses exponents beyond 18 digits.
func decimal(s string) (negative bool, digits string, exp int64, ok bool) {
	s, negative = strings.CutPrefix(s, "-")
	mantissa := s
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa = s[:i]
		e, err := strconv.ParseInt(strings.TrimPrefix(s[i+1:], "+"), 10, 64)
		if err != nil || e > 1e17 || e < -1e17 {
			return false, "", 0, false
		}
		exp = e
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = whole + fraction
	exp -= int64(len(fraction))
	trimmed := strings.TrimRight(digits, "0")
	exp += int64(len(digits) - len(trimmed))
	digits = strings.TrimLeft(trimmed, "0")
	if digits == "" {
		return false, "", 0, true
	}
	return negative, digits, exp, true
}

// integer returns the value of a JSON number that is a whole number in the range of int64.
func integer(raw json.RawMessage) (int64, bool) {
	if TypeOf(raw) != "number" {
		return 0, false
	}
	negative, digits, exp, ok := decimal(string(raw))
	if !ok || exp < 0 || int64(len(digits))+exp > 19 {
		return 0, false
	}
	text := digits + strings.Repeat("0", int(exp))
	if digits == "" {
		return 0, true
	}
	if negative {
		text = "-" + text
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}
