package modern

import (
	"encoding/base64"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// What a client repeats of the body in headers (basic/transports/streamable-http#request-metadata).
const (
	// HeaderVersion is what tells the era of a request before its body was read.
	HeaderVersion = "Mcp-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
	headerParam   = "Mcp-Param-"
)

// header returns a header of the request; one that comes several times is one value with commas.
func (x *exchange) header(name string) string {
	return strings.Join(x.R.Header.Values(name), ", ")
}

// mismatch refuses a request whose headers do not say what its body does (basic/transports/streamable-http#server-validation).
func (x *exchange) mismatch(header, why string) *web.Answer {
	return x.refuse(jsonrpc.CodeHeaderMismatch, "header mismatch: "+header+" "+why)
}

func checkVersionHeader(x *exchange) *web.Answer {
	if x.isRequest() && x.On(switchMismatchOnce) && x.s.met.CompareAndSwap(false, true) {
		return x.mismatch(HeaderVersion, "is not as it should be")
	}
	if !x.isRequest() || x.header(HeaderVersion) != "" {
		return nil
	}
	return x.mismatch(HeaderVersion, "is missing")
}

func checkVersionsAgree(x *exchange) *web.Answer {
	header, version := x.header(HeaderVersion), ""
	if version, _ = x.text(KeyVersion); !x.isRequest() || header == "" || version == "" || header == version {
		return nil
	}
	return x.mismatch(HeaderVersion, "is not the version in _meta")
}

func checkMethodHeader(x *exchange) *web.Answer {
	if !x.isRequest() || x.header(headerMethod) != "" {
		return nil
	}
	return x.mismatch(headerMethod, "is missing")
}

// checkMethodsAgree compares values letter by letter: only the names of headers may be written in any case.
func checkMethodsAgree(x *exchange) *web.Answer {
	header := x.header(headerMethod)
	if !x.isRequest() || header == "" || x.same(header, x.Only().Method) {
		return nil
	}
	return x.mismatch(headerMethod, "is not the method of the body")
}

// named is what the body has for Mcp-Name; false where the method has no name.
func (x *exchange) named() (name string, ok bool) {
	value := x.params.Name
	switch x.Only().Method {
	case "tools/call", "prompts/get":
	case "resources/read":
		value = x.params.URI
	default:
		value = nil
	}
	if !x.isRequest() || value == nil {
		return "", false // what is missing in the body is for the method to refuse
	}
	return *value, true
}

func checkNameHeader(x *exchange) *web.Answer {
	if _, ok := x.named(); !ok || x.header(headerName) != "" || len(x.R.Header.Values(headerName)) > 0 {
		return nil
	}
	return x.mismatch(headerName, "is missing")
}

func checkNamesAgree(x *exchange) *web.Answer {
	name, ok := x.named()
	if !ok || len(x.R.Header.Values(headerName)) == 0 {
		return nil
	}
	if value, valid := x.decode(x.header(headerName)); valid && x.same(value, name) {
		return nil
	}
	return x.mismatch(headerName, "is not the name in the body")
}

// The sentinel of a value in Base64, in exactly these letters (basic/transports/streamable-http#value-encoding).
const (
	base64Begin = "=?base64?"
	base64End   = "?="
)

// decode reads a value that may be in Base64. It is not valid where characters are in it that no header may have, or the Base64 is none.
func (x *exchange) decode(value string) (text string, valid bool) {
	plain := strings.IndexFunc(value, func(r rune) bool { return r != '\t' && (r < ' ' || r > '~') }) < 0
	begin, end := base64Begin, base64End
	if x.On(switchFoldSentinel) && len(value) > len(begin) {
		begin = value[:len(begin)]
		if !strings.EqualFold(begin, base64Begin) {
			begin = base64Begin
		}
	}
	encoded, ok := strings.CutPrefix(value, begin)
	if encoded, ok = cutSuffix(encoded, end, ok); !ok || x.On(switchNoBase64) {
		return value, plain || x.On(switchRawBytes)
	}
	if x.On(switchLooseBase64) {
		encoded = strings.ReplaceAll(encoded, "!", "")
	}
	decoded, err := base64.StdEncoding.Strict().DecodeString(encoded)
	return string(decoded), plain && err == nil
}

func cutSuffix(s, suffix string, ok bool) (string, bool) {
	cut, found := strings.CutSuffix(s, suffix)
	return cut, ok && found
}

// A mirrored parameter is one that the client repeats in a header.
type mirrored struct {
	header string // its name
	value  json.RawMessage
	kind   string // the type in the schema
}

// mirrored finds the parameters of a call that have a header, and whose value is there and not null: others have none
// (basic/transports/streamable-http#server-behavior-for-custom-headers).
func (x *exchange) mirrored() []mirrored {
	if !x.isRequest() || x.Only().Method != "tools/call" || x.params.Name == nil {
		return nil
	}
	c := x.newRequest()
	defer c.leave()
	input := c.InputSchema(*x.params.Name)
	var all []mirrored
	x.walk(input, x.params.Arguments, &all)
	return all
}

// walk follows properties from the root of a schema, and the values at the same place of the arguments.
func (x *exchange) walk(schema map[string]any, arguments json.RawMessage, all *[]mirrored) {
	var values map[string]json.RawMessage
	properties, _ := schema["properties"].(map[string]any)
	if json.Unmarshal(arguments, &values) != nil {
		return
	}
	for name, property := range properties {
		property, _ := property.(map[string]any)
		value, there := values[name]
		if nothing := !there || string(value) == "null"; nothing && !x.On(switchForNothing) {
			continue
		}
		if header, ok := property[core.HeaderKeyword].(string); ok {
			kind, _ := property["type"].(string)
			*all = append(*all, mirrored{headerParam + header, value, kind})
		}
		x.walk(property, value, all)
	}
}

func checkParamHeaders(x *exchange) *web.Answer {
	for _, p := range x.mirrored() {
		if len(x.R.Header.Values(p.header)) == 0 {
			return x.mismatch(p.header, "is missing")
		}
	}
	return nil
}

func checkParamsAgree(x *exchange) *web.Answer {
	for _, p := range x.mirrored() {
		if len(x.R.Header.Values(p.header)) == 0 {
			continue
		}
		if value, valid := x.decode(x.header(p.header)); !valid || !x.says(p, value) {
			return x.mismatch(p.header, "is not the value in the body")
		}
	}
	return nil
}

// says tells whether the text of a header is the value of the body: strings as they are, integers as numbers, so that 42.0 is 42
// (basic/transports/streamable-http#server-validation).
func (x *exchange) says(p mirrored, text string) bool {
	var s string
	if json.Unmarshal(p.value, &s) == nil {
		return s == text
	}
	if p.kind == "integer" && x.On(switchNumberText) {
		return text == string(p.value)
	}
	if p.kind == "integer" {
		if len(text) > maxNumber || len(p.value) > maxNumber {
			return false
		}
		header, ok := new(big.Rat).SetString(text)
		body, fine := new(big.Rat).SetString(string(p.value))
		return ok && fine && header.Cmp(body) == 0
	}
	b, err := strconv.ParseBool(string(p.value))
	return err == nil && text == strconv.FormatBool(b)
}

// maxNumber bounds the digits of a number that is compared.
const maxNumber = 32
