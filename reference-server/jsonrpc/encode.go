// Package jsonrpc has the messages of JSON-RPC 2.0 as MCP uses it: those of the client are read, those of the server are made.
// It knows nothing of what they are about.
package jsonrpc

import (
	"bytes"
	"encoding/json"
)

// Encode writes a message on one line, with <, > and & as they are.
func Encode(body any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		// Only our own types get here; all of them can be encoded.
		panic("refserver: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// DecodeAny reads JSON and keeps the spelling of its numbers.
func DecodeAny(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}
