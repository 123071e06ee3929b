package clients

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const (
	keywordHeader = "x-mcp-header"
	prefixParam   = "Mcp-Param-"
)

func headersParamsModern(s *kit.Section) {
	s.Passive("modern.client.headers.supports-x-mcp-header", mirrorsArguments)
	s.Passive("modern.client.headers.param-exact-path", func(t *kit.T) {
		judgeMirrored(t, "the value at the place of the annotation", func(m mirrored) bool { return len(m.path) > 1 }, "at a place within an object")
	})
	s.Passive("modern.client.headers.param-type-conversion", func(t *kit.T) {
		judgeMirrored(t, "integers in digits, and true or false", func(m mirrored) bool { return m.kind == "number" || m.kind == "boolean" }, "that is an integer or a boolean")
	})
	s.Passive("modern.client.headers.param-base64-unsafe", func(t *kit.T) {
		judgeMirrored(t, "the form =?base64?…?=", func(m mirrored) bool { return m.kind == "string" && unsafeText(m.text) }, "that a header cannot carry as it is")
	})
	s.Passive("modern.client.headers.param-base64-sentinel-clash", func(t *kit.T) {
		judgeMirrored(t, "the form =?base64?…?=", func(m mirrored) bool { return m.kind == "string" && strings.HasPrefix(m.text, sentinelBegin) }, "that looks like the Base64 form")
	})
	s.Passive("modern.client.headers.param-omit-null", omitsAbsent)
	s.Passive("modern.client.headers.rejects-invalid-annotations", leavesOutInvalid)
	s.Passive("modern.client.headers.recovers-from-mismatch", recoversFromMismatch)
	s.Passive("modern.client.headers.names-case-insensitive", func(t *kit.T) {
		goesOn(t, "the client goes on whatever the letter case of field names", oddNames)
	})
}

// unsafeText tells that a header cannot carry a text as it is.
func unsafeText(s string) bool { return !plain(s) && !strings.HasPrefix(s, sentinelBegin) }

// An annotation wants the argument at a path repeated in a header.
type annotation struct {
	header string
	path   []string
}

// annotationsOf are those that are reached through properties alone.
func annotationsOf(schema json.RawMessage, path []string) []annotation {
	var members struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &members) != nil {
		return nil // for the judges of servers
	}
	var all []annotation
	for _, name := range slices.Sorted(maps.Keys(members.Properties)) {
		raw, at := members.Properties[name], append(slices.Clone(path), name)
		if header, ok := kit.Text(raw, keywordHeader); ok {
			all = append(all, annotation{header, at})
		}
		all = append(all, annotationsOf(raw, at)...)
	}
	return all
}

// A mirrored argument is one of a call that has a header: what stands in the one and in the other.
type mirrored struct {
	annotation
	x *wire.Exchange
	// kind is the JSON type of the argument, "" or null where there is none; text is what a header says of it.
	kind, text string
	// got is what the header has, sent tells that there is one.
	got  string
	sent bool
}

// mirroredIn are the arguments of calls whose tools had been listed with annotations in the conversation.
func mirroredIn(t *kit.T) []mirrored {
	t.Unseen(kit.Unprovoked, "the client called no tool whose arguments stand in headers: have it call mcpcheck_named_parameters, with the one value that each argument may have")
	var all []mirrored
	for _, tr := range t.Transcripts() {
		schemas, changed := map[string]json.RawMessage{}, map[string]bool{}
		for _, x := range tr.Exchanges {
			m := x.RequestMessage()
			if m.Method == "tools/list" {
				for _, raw := range kit.ReadPage(x, kit.ListFor(m.Method)).Items {
					if name, ok := kit.Text(raw, "name"); ok {
						schema, _ := wire.Lookup(raw, "/inputSchema")
						// Which of two lists a call goes by cannot be told.
						changed[name] = changed[name] || schemas[name] != nil && string(schemas[name]) != string(schema)
						schemas[name] = schema
					}
				}
			}
			var name string
			if m.Method != "tools/call" || !isModern(m) || m.Decode("/params/name", &name) != nil || badTool(schemas[name]) != "" || changed[name] {
				continue
			}
			arguments, _ := m.Pointer("/params/arguments")
			for _, a := range annotationsOf(schemas[name], nil) {
				all = append(all, mirror(x, a, arguments))
			}
		}
	}
	return all
}

func mirror(x *wire.Exchange, a annotation, arguments json.RawMessage) mirrored {
	m := mirrored{annotation: a, x: x}
	value, there := arguments, true
	for _, name := range a.path {
		var members map[string]json.RawMessage
		if json.Unmarshal(value, &members) != nil {
			there = false
			break
		}
		if value, there = members[name]; !there {
			break
		}
	}
	if there {
		m.kind = kit.JSONType(value)
		m.text = strings.TrimSpace(string(value))
	}
	switch m.kind {
	case "string":
		m.text = wire.Unquote(value)
	case "number":
		if n, err := strconv.ParseFloat(m.text, 64); err == nil && n == float64(int64(n)) {
			m.text = strconv.FormatInt(int64(n), 10)
		}
	}
	for name, values := range x.Request.Header {
		if strings.EqualFold(name, prefixParam+a.header) && len(values) > 0 {
			m.got, m.sent = values[0], true
		}
	}
	return m
}

// nothing tells that there is no argument, or null.
func (m mirrored) nothing() bool { return m.kind == "" || m.kind == "null" }

// fits tells that the header says what the argument does.
func (m mirrored) fits() bool {
	decoded, encoded := decodeSentinel(m.got)
	if m.kind == "string" && !plain(m.text) {
		return encoded && decoded == m.text && m.got != m.text
	}
	return decoded == m.text
}

// special tells that another requirement is about the argument.
func (m mirrored) special() bool {
	return len(m.path) > 1 || m.kind != "string" || !plain(m.text)
}

// mirrorsArguments: what a schema wants in headers is there.
func mirrorsArguments(t *kit.T) {
	const expected = "the arguments with " + keywordHeader + " in Mcp-Param headers"
	t.Says(expected)
	for _, m := range mirroredIn(t) {
		switch {
		case m.nothing():
		case !m.sent && m.text == "":
			t.Warn(m.x, expected, "no "+prefixParam+m.header+" for an empty string")
		case !m.sent:
			t.Breach(m.x, expected, "no "+prefixParam+m.header+" for the argument "+strings.Join(m.path, "."))
		case !m.special() && !m.fits():
			t.Breach(m.x, expected, fmt.Sprintf("%s%s: %s for the argument %s", prefixParam, m.header, kit.Quote([]byte(m.got)), kit.Quote([]byte(m.text))))
		default:
			t.Saw()
		}
	}
}

// judgeMirrored judges the headers of some arguments; that there is none at all is mirrorsArguments'.
func judgeMirrored(t *kit.T, expected string, meant func(mirrored) bool, which string) {
	t.Says(expected)
	all := mirroredIn(t)
	if len(all) > 0 {
		t.Unseen(kit.Unprovoked, "no call had a header for an argument %s", which)
	}
	for _, m := range all {
		switch {
		case !meant(m) || m.nothing() || !m.sent:
		case m.fits():
			t.Saw()
		default:
			t.Breach(m.x, expected, fmt.Sprintf("%s%s: %s for the argument %s", prefixParam, m.header, kit.Quote([]byte(m.got)), kit.Quote([]byte(m.text))))
		}
	}
}

func omitsAbsent(t *kit.T) {
	const expected = "no header for an argument that is null or absent"
	t.Says(expected)
	for _, m := range mirroredIn(t) {
		switch {
		case !m.nothing():
		case m.sent:
			t.Breach(m.x, expected, fmt.Sprintf("%s%s: %s", prefixParam, m.header, kit.Quote([]byte(m.got))))
		default:
			t.Saw()
		}
	}
}

// badTool says what of a schema leaves no choice but to leave the tool out, "" for nothing.
func badTool(schema json.RawMessage) string {
	var members struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(schema, &members) // what is no schema is for the judges of servers
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(members.Properties)) {
		raw := members.Properties[name]
		value, there := wire.Lookup(raw, "/"+keywordHeader)
		if !there {
			continue
		}
		header, isText := kit.Text(raw, keywordHeader)
		kind, _ := kit.Text(raw, "type")
		switch {
		case !isText || header == "":
			return keywordHeader + " " + kit.JSON(value)
		case strings.ContainsFunc(header, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r) }):
			return keywordHeader + " " + kit.JSON(value)
		case !slices.Contains([]string{"string", "integer", "boolean"}, kind):
			return keywordHeader + " on a parameter of type " + kind
		case seen[strings.ToLower(header)]:
			return keywordHeader + " " + kit.JSON(value) + " twice"
		}
		seen[strings.ToLower(header)] = true
	}
	return ""
}

// leavesOutInvalid: a tool whose annotations are wrong is none of the client's tools. Only a name that nobody could know before the list
// shows that it was taken from there.
func leavesOutInvalid(t *kit.T) {
	const expected = "no call of a tool whose annotations are wrong, and calls of the others"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client called no tool that it can know only from a list with such tools: have it call all that it lists")
	for _, tr := range t.Transcripts() {
		bad, good := map[string]string{}, map[string]bool{}
		for _, p := range pagesIn(tr) {
			for _, raw := range p.Items {
				name, _ := kit.Text(raw, "name")
				schema, _ := wire.Lookup(raw, "/inputSchema")
				if why := badTool(schema); why != "" {
					bad[name] = why
				} else {
					good[name] = true
				}
			}
		}
		if len(bad) == 0 {
			continue
		}
		for _, x := range tr.Exchanges {
			var name string
			m := x.RequestMessage()
			if m.Method != "tools/call" || m.Decode("/params/name", &name) != nil || knownElsewhere(t, tr, name) {
				continue
			}
			if why := bad[name]; why != "" {
				t.Breach(x, expected, fmt.Sprintf("a call of %q, which was listed with %s", name, why))
			} else if good[name] {
				t.Saw()
			}
		}
	}
}

// pagesIn are the pages of tools that a conversation read.
func pagesIn(tr *wire.Transcript) []kit.Page {
	var all []kit.Page
	for _, x := range tr.Exchanges {
		if x.RequestMessage().Method == "tools/list" {
			all = append(all, kit.ReadPage(x, kit.ListFor("tools/list")))
		}
	}
	return all
}

// knownElsewhere tells that another conversation listed a tool of that name, or that it was called before it was listed.
func knownElsewhere(t *kit.T, tr *wire.Transcript, name string) bool {
	for _, o := range t.Everywhere() {
		if o.Script == tr.Script {
			continue
		}
		for _, p := range pagesIn(o) {
			if slices.Contains(p.Keys("name"), name) {
				return true
			}
		}
	}
	return false
}

// recoversFromMismatch: who is told that its headers do not fit looks at the list again.
func recoversFromMismatch(t *kit.T) {
	const expected = "tools/list, and the call with the headers that it asks for"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no call was refused with HeaderMismatch once its tool had been listed: have the client call mcpcheck_named_parameters with arguments")
	for _, tr := range t.Transcripts() {
		listed := firstOf(tr, "tools/list")
		i := slices.IndexFunc(tr.Exchanges, func(x *wire.Exchange) bool {
			return x.RequestMessage().Method == "tools/call" && modernCode(x) == codeHeaderMismatch && listed != nil && listed.End <= x.Sent
		})
		if i < 0 {
			continue
		}
		again := slices.ContainsFunc(tr.Exchanges[i+1:], func(x *wire.Exchange) bool { return x.RequestMessage().Method == "tools/list" })
		switch {
		case again:
			t.Saw()
		case tr.Aborted != "":
			t.Unseen(kit.Ended, "the client did not come to its end: %s", tr.Aborted)
		default:
			t.Warn(tr.Exchanges[i], expected, "no tools/list after the call was refused with HeaderMismatch")
		}
	}
}
