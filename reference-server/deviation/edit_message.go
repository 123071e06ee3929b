package deviation

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// Message applies the part of the edit that concerns a message.
func (e Edit) Message(data []byte) []byte {
	if e.Remove != "" || e.Set != nil {
		if doc, err := jsonrpc.DecodeAny(data); err == nil {
			data = jsonrpc.Encode(e.document(doc))
		}
	}
	if e.Raw != nil {
		data = []byte(*e.Raw)
	}
	for _, s := range e.Splice {
		replacement, _ := s.bytes() // was validated
		data = bytes.Replace(data, []byte(s.Find), replacement, 1)
	}
	return data
}

func (e Edit) document(doc any) any {
	var value any
	ok := true
	switch {
	case e.From != nil:
		value, ok = parsePath(*e.From).get(doc)
	case e.Text != nil:
		value, ok = parsePath(*e.Text).get(doc)
		value = fmt.Sprint(value)
	case e.Value != nil:
		value, _ = jsonrpc.DecodeAny(e.Value) // is JSON
	}
	if e.Remove != "" {
		doc = parsePath(e.Remove).remove(doc)
	}
	if e.Set != nil && ok {
		doc = parsePath(*e.Set).set(doc, value)
	}
	return doc
}

// Pause is how long the message or the answer is held back.
func (e Edit) Pause() (d time.Duration, err error) {
	if e.Delay == "" {
		return 0, nil
	}
	return time.ParseDuration(e.Delay)
}

func (s Splice) bytes() ([]byte, error) { return base64.StdEncoding.DecodeString(s.Base64) }
