package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind says what a JSON document is as a JSON-RPC message. It looks at method, result and error only; whether id, params and
// jsonrpc are as they should be is for the judges.
type Kind string

// The kinds of messages.
const (
	KindRequest      Kind = "request"      // has method (a string) and id, also a null one
	KindNotification Kind = "notification" // has method and no id
	KindResult       Kind = "result"       // has result, neither error nor method
	KindError        Kind = "error"        // has error, neither result nor method
	KindInvalid      Kind = "invalid"      // an object that is none of these or more than one
	KindNotObject    Kind = "not-object"   // JSON, but neither an object nor an array
	KindBatch        Kind = "batch"        // an array; see Elements
	KindNotJSON      Kind = "not-json"     // not exactly one JSON document in UTF-8; see Problem
)

// maxNames bounds how many duplicate and unknown member names are kept.
const maxNames = 100

// maxBatch bounds how many messages of a batch are read: each takes many times its bytes.
const maxBatch = 1000

// A Message is one JSON document read as JSON-RPC. Values stay raw: an id keeps its type and spelling, and a member that is
// null differs from one that is absent. Where a member occurs twice the last one counts.
type Message struct {
	raw     json.RawMessage // nil where it is read anew: see source
	source  source
	Kind    Kind
	Problem string // why Kind is KindInvalid or KindNotJSON

	ID        json.RawMessage // nil: absent; "null": null
	HasID     bool
	Method    string // empty where it is absent or no string
	HasMethod bool
	Params    json.RawMessage
	Result    json.RawMessage
	Error     json.RawMessage
	HasParams bool
	HasResult bool
	HasError  bool
	Version   json.RawMessage // the member jsonrpc; nil: absent

	Duplicates []string // top-level members that occur more than once
	Extra      []string // top-level members that JSON-RPC does not know

	Elements []Message // of a batch, maxBatch of them at most; an array within an array is KindNotObject
}

// ReadMessage reads a body or the data of an event. It never fails: what is not exactly one JSON document has KindNotJSON. Nesting
// is bounded at 10000 levels.
func ReadMessage(data []byte) Message {
	m := Message{raw: json.RawMessage(data), Kind: KindNotJSON}
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		m.Problem = "empty"
		return m
	case !utf8.Valid(data):
		m.Problem = "not UTF-8"
		return m
	case bytes.HasPrefix(data, []byte("\xEF\xBB\xBF")):
		m.Problem = "begins with a byte order mark"
		return m
	case !json.Valid(data):
		m.Problem = jsonProblem(data)
		return m
	}
	m.raw = json.RawMessage(trimJSON(data))
	m.read(true)
	return m
}

func trimJSON(data []byte) []byte { return bytes.Trim(data, " \t\r\n") }

// jsonProblem says what encoding/json has against data.
func jsonProblem(data []byte) string {
	var v json.RawMessage
	err := json.Unmarshal(data, &v)
	if err == nil {
		return "not JSON"
	}
	if syntax, ok := err.(*json.SyntaxError); ok {
		return Text(fmt.Sprintf("%v (at byte %d)", syntax, syntax.Offset))
	}
	return Text(err.Error())
}

func (m *Message) read(top bool) {
	switch TypeOf(m.raw) {
	case "object":
		m.readObject()
	case "array":
		if !top {
			m.Kind = KindNotObject
			return
		}
		m.Kind = KindBatch
		eachElement(m.raw, func(value json.RawMessage) bool {
			if len(m.Elements) == maxBatch {
				return false
			}
			e := Message{raw: value}
			e.read(false)
			m.Elements = append(m.Elements, e)
			return true
		})
	default:
		m.Kind = KindNotObject
	}
}

func (m *Message) readObject() {
	var seen [7]bool
	extra := map[string]bool{}
	again := func(name string, before bool) {
		if before && len(m.Duplicates) < maxNames && !slices.Contains(m.Duplicates, name) {
			m.Duplicates = append(m.Duplicates, name)
		}
	}
	eachMember(m.raw, func(key string, value json.RawMessage) bool {
		var which int
		switch key {
		case "jsonrpc":
			which, m.Version = 0, value
		case "id":
			which, m.ID, m.HasID = 1, value, true
		case "method":
			which, m.HasMethod, m.Method = 2, true, ""
			if TypeOf(value) == "string" {
				m.Method = Unquote(value)
				m.Problem = ""
			} else {
				m.Problem = "method is no string"
			}
		case "params":
			which, m.Params, m.HasParams = 3, value, true
		case "result":
			which, m.Result, m.HasResult = 4, value, true
		case "error":
			which, m.Error, m.HasError = 5, value, true
		default:
			again(key, extra[key])
			if !extra[key] && len(extra) < maxNames {
				extra[key] = true
				m.Extra = append(m.Extra, key)
			}
			return true
		}
		again(key, seen[which])
		seen[which] = true
		return true
	})
	m.Kind = KindInvalid
	switch {
	case m.Problem != "":
	case m.HasMethod && (m.HasResult || m.HasError):
		m.Problem = "has a method and a result or error"
	case m.HasResult && m.HasError:
		m.Problem = "has both result and error"
	case m.HasMethod && m.HasID:
		m.Kind = KindRequest
	case m.HasMethod:
		m.Kind = KindNotification
	case m.HasResult:
		m.Kind = KindResult
	case m.HasError:
		m.Kind = KindError
	default:
		m.Problem = "has neither method nor result nor error"
	}
}

// Pointer returns the value at an RFC 6901 pointer such as "/result/tools/0/name"; false where there is none.
func (m Message) Pointer(pointer string) (json.RawMessage, bool) {
	if m.Kind == KindNotJSON {
		return nil, false
	}
	if m.raw == nil {
		// What is large is read anew only for members that JSON-RPC does not know.
		for name, value := range map[string]json.RawMessage{"/result": m.Result, "/error": m.Error, "/params": m.Params, "/id": m.ID, "/jsonrpc": m.Version} {
			if rest, found := strings.CutPrefix(pointer, name); found && (rest == "" || rest[0] == '/') {
				return Lookup(value, rest)
			}
		}
	}
	return Lookup(m.Raw(), pointer)
}

// Decode decodes the value at a pointer; it is an error where there is none.
func (m Message) Decode(pointer string, into any) error {
	raw, ok := m.Pointer(pointer)
	if !ok {
		return fmt.Errorf("no value at %q", pointer)
	}
	return json.Unmarshal(raw, into)
}

// ErrorCode returns error.code where it is a whole number.
func (m Message) ErrorCode() (int64, bool) {
	raw, ok := Lookup(m.Error, "/code")
	if !ok {
		return 0, false
	}
	return integer(raw)
}

// ErrorMessage returns error.message where it is a string, or "".
func (m Message) ErrorMessage() string {
	raw, ok := Lookup(m.Error, "/message")
	if !ok || TypeOf(raw) != "string" {
		return ""
	}
	return Unquote(raw)
}

// SameID tells whether two ids are the same value of the same JSON type: numbers by value (7 and 7.0), strings after unescaping.
// An absent id equals nothing.
func SameID(a, b json.RawMessage) bool {
	a, b = trimJSON(a), trimJSON(b)
	kind := TypeOf(a)
	if kind == "" || kind != TypeOf(b) {
		return false
	}
	switch kind {
	case "number":
		return sameNumber(string(a), string(b))
	case "string":
		return Unquote(a) == Unquote(b)
	}
	return bytes.Equal(a, b)
}
