package mock

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mcpcheck/mcpcheck/wire"
)

// withoutRoots is a body with nothing left of roots but how many there are, the schemes of their URIs, and whether those are any: where a
// person keeps their files is nobody's business. What is taken out is replaced by as many bytes.
func withoutRoots(body []byte) []byte {
	if !bytes.Contains(body, []byte(`"roots"`)) {
		return body
	}
	x := wire.Exchange{Request: wire.Request{Body: wire.NewBody(body)}}
	for _, m := range wire.Locate(nil, x.RequestMessage(), 0, 0) {
		lists := []string{"/result/roots"}
		var responses map[string]json.RawMessage
		_ = m.Decode("/params/inputResponses", &responses) // of 2026-07-28 only
		for key := range responses {
			lists = append(lists, "/params/inputResponses/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key)+"/roots")
		}
		for _, at := range lists {
			raw, _ := m.Pointer(at)
			roots, _ := wire.Elements(raw)
			for _, root := range roots {
				for literal, masked := range maskedTexts(root, "") {
					body = bytes.ReplaceAll(body, []byte(literal), []byte(masked))
				}
			}
		}
	}
	return body
}

// maskedTexts are the literals of a value, each with what stands in its place. name is that of the member.
func maskedTexts(raw json.RawMessage, name string) map[string]string {
	all := map[string]string{}
	var text string
	var members map[string]json.RawMessage
	switch {
	case json.Unmarshal(raw, &text) == nil && bytes.HasPrefix(raw, []byte(`"`)):
		all[string(raw)] = maskedText(string(raw), text, name == "uri")
	case json.Unmarshal(raw, &members) == nil:
		for key, value := range members {
			for literal, masked := range maskedTexts(value, key) {
				all[literal] = masked
			}
		}
	default:
		elements, _ := wire.Elements(raw)
		for _, value := range elements {
			for literal, masked := range maskedTexts(value, name) {
				all[literal] = masked
			}
		}
	}
	return all
}

// maskedText is a literal in the place of another, as long. Of a URI its scheme is kept, and that it is none.
func maskedText(literal, text string, isURI bool) string {
	keep := ""
	if scheme, _, any := strings.Cut(text, ":"); isURI && any {
		keep = scheme + ":"
	}
	if _, err := url.Parse(text); isURI && err != nil {
		keep += "///%" // what follows is no escape
	}
	inner := len(literal) - len(`""`)
	masked := keep + wire.Redacted
	masked += strings.Repeat("*", max(0, inner-len(masked)))
	quoted, _ := json.Marshal(masked[:max(len(keep), min(len(masked), inner))]) // a text
	return string(quoted)
}
