package clients

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const (
	headerMethod = "Mcp-Method"
	headerName   = "Mcp-Name"
)

func headersModern(s *kit.Section) {
	s.Passive("modern.client.headers.version-on-every-post", versionOnEveryPost)
	s.Passive("modern.client.headers.version-equals-meta", versionEqualsMeta)
	s.Passive("modern.client.headers.method-on-every-request", methodOnEveryRequest)
	s.Passive("modern.client.headers.name-on-named-requests", nameOnNamedRequests)
	s.Passive("modern.client.headers.name-encoded", nameEncoded)
	headersParamsModern(s)
}

func versionOnEveryPost(t *kit.T) {
	const expected = headerVersion + " on every request"
	t.Says(expected)
	eachModern(t, func(x *wire.Exchange, _ wire.Message) {
		if !has(x, headerVersion) {
			t.Breach(x, expected, what(x)+" without it")
			return
		}
		t.Saw()
	})
}

func versionEqualsMeta(t *kit.T) {
	const expected = headerVersion + " equal to protocolVersion in _meta"
	t.Says(expected)
	eachModern(t, func(x *wire.Exchange, m wire.Message) {
		var version string
		if m.Decode(keyVersion, &version) != nil {
			return // modern.client.meta.required-fields has it
		}
		switch got := kit.RequestHeader(x, headerVersion); got {
		case "":
		case version:
			t.Saw()
		default:
			t.Breach(x, expected, fmt.Sprintf("%s in the header and %s in _meta", kit.Quote([]byte(got)), kit.Quote([]byte(version))))
		}
	})
}

func methodOnEveryRequest(t *kit.T) {
	const expected = headerMethod + " equal to the method"
	t.Says(expected)
	eachModern(t, func(x *wire.Exchange, m wire.Message) {
		switch got := kit.RequestHeader(x, headerMethod); got {
		case "":
			t.Breach(x, expected, what(x)+" without it")
		case m.Method:
			t.Saw()
		default:
			t.Breach(x, expected, fmt.Sprintf("%s with %s: %s", what(x), headerMethod, kit.Quote([]byte(got))))
		}
	})
}

// named is the member of params that Mcp-Name repeats, by method.
var named = map[string]string{"tools/call": "/params/name", "prompts/get": "/params/name", "resources/read": "/params/uri"}

// eachNamed visits the requests that have a name to repeat.
func eachNamed(t *kit.T, visit func(x *wire.Exchange, name, header string)) {
	eachModern(t, func(x *wire.Exchange, m wire.Message) {
		var name string
		if member, ok := named[m.Method]; ok && m.Decode(member, &name) == nil {
			visit(x, name, kit.RequestHeader(x, headerName))
		}
	})
	t.Unseen(kit.Unprovoked, "the client called no tool, read no resource and got no prompt")
}

func nameOnNamedRequests(t *kit.T) {
	const expected = headerName + " equal to the name or URI in params"
	t.Says(expected)
	eachNamed(t, func(x *wire.Exchange, name, header string) {
		decoded, _ := decodeSentinel(header)
		switch {
		case header == "" && name != "":
			t.Breach(x, expected, what(x)+" without it")
		case !plain(name) && header == name: // modern.client.headers.name-encoded has it
		case decoded != name:
			t.Breach(x, expected, fmt.Sprintf("%s in the header and %s in params", kit.Quote([]byte(header)), kit.Quote([]byte(name))))
		default:
			t.Saw()
		}
	})
}

// nameEncoded: what cannot stand in a header as it is comes in the Base64 form.
func nameEncoded(t *kit.T) {
	const expected = headerName + " in the form =?base64?…?="
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client used no name that a header cannot carry as it is")
	eachNamed(t, func(x *wire.Exchange, name, header string) {
		if plain(name) || header == "" {
			return
		}
		decoded, encoded := decodeSentinel(header)
		switch {
		case !encoded && header != name: // modern.client.headers.name-on-named-requests has it
		case !encoded:
			t.Breach(x, expected, fmt.Sprintf("%s as it is for the name %s", kit.Quote([]byte(header)), kit.Quote([]byte(name))))
		case decoded != name:
			t.Breach(x, expected, fmt.Sprintf("what decodes to %s for the name %s", kit.Quote([]byte(decoded)), kit.Quote([]byte(name))))
		default:
			t.Saw()
		}
	})
	t.Unseen(kit.Unprovoked, "the client used no name that a header cannot carry as it is")
}

// plain tells that a header can carry a value as it is: visible ASCII, inner spaces, and no look of the Base64 form.
func plain(name string) bool {
	for _, b := range []byte(name) {
		if b < 0x20 || b > 0x7e {
			return false
		}
	}
	return name == strings.TrimSpace(name) && !strings.HasPrefix(name, sentinelBegin)
}

const sentinelBegin, sentinelEnd = "=?base64?", "?="

// decodeSentinel returns the value that a header stands for, and whether it is in the Base64 form.
func decodeSentinel(header string) (value string, encoded bool) {
	inner, found := strings.CutPrefix(header, sentinelBegin)
	inner, ended := strings.CutSuffix(inner, sentinelEnd)
	if !found || !ended {
		return header, false
	}
	raw, err := base64.StdEncoding.DecodeString(inner)
	if err != nil {
		return header, true
	}
	return string(raw), true
}
