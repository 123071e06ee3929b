package wire

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// Bytes are bytes of the wire. In JSON they are a string where they are valid UTF-8 without NUL, so that a person can read a
// saved transcript, and {"base64": "…"} otherwise; both forms read back to the same bytes.
type Bytes []byte

// String returns the bytes as they are; escape them before they reach a terminal.
func (b Bytes) String() string { return string(b) }

type savedBytes struct {
	Base64 *string `json:"base64"`
}

// readable tells whether a JSON string carries the bytes unchanged.
func readable(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	for _, c := range b {
		if c == 0 {
			return false
		}
	}
	return true
}

// MarshalJSON writes a string or {"base64": …}.
func (b Bytes) MarshalJSON() ([]byte, error) {
	if readable(b) {
		return json.Marshal(string(b))
	}
	text := base64.StdEncoding.EncodeToString(b)
	return json.Marshal(savedBytes{&text})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Bytes) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*b = Bytes(s)
		return nil
	}
	if string(data) == "null" {
		*b = nil
		return nil
	}
	var w savedBytes
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	if w.Base64 == nil {
		return fmt.Errorf(`bytes are neither a string nor {"base64": …}`)
	}
	raw, err := base64.StdEncoding.DecodeString(*w.Base64)
	if err != nil {
		return fmt.Errorf("bytes: %w", err)
	}
	*b = raw
	return nil
}

// Header values are bytes on the wire too (ISO-8859-1 is still met), and JSON strings would turn what is not UTF-8 into U+FFFD:
// the types below save header fields and session ids as Bytes.

func headerOut(h http.Header) map[string][]Bytes {
	if h == nil {
		return nil
	}
	out := make(map[string][]Bytes, len(h))
	for name, values := range h {
		list := make([]Bytes, len(values))
		for i, v := range values {
			list[i] = Bytes(v)
		}
		out[name] = list
	}
	return out
}

func headerIn(m map[string][]Bytes) http.Header {
	if m == nil {
		return nil
	}
	h := make(http.Header, len(m))
	for name, list := range m {
		values := make([]string, len(list))
		for i, v := range list {
			values[i] = string(v)
		}
		h[name] = values
	}
	return h
}

type (
	plainRequest  Request
	plainResponse Response
	plainSession  SessionInfo
)

type savedRequest struct {
	*plainRequest
	Header map[string][]Bytes `json:"header,omitempty"`
}

type savedResponse struct {
	*plainResponse
	Header map[string][]Bytes `json:"header,omitempty"`
}

type savedSession struct {
	*plainSession
	ID Bytes `json:"id,omitempty"`
}

// MarshalJSON keeps header values exactly, whatever bytes they have.
func (r Request) MarshalJSON() ([]byte, error) {
	return json.Marshal(savedRequest{(*plainRequest)(&r), headerOut(r.Header)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Request) UnmarshalJSON(data []byte) error {
	s := savedRequest{plainRequest: (*plainRequest)(r)}
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	r.Header = headerIn(s.Header)
	return nil
}

// MarshalJSON keeps header values exactly, whatever bytes they have.
func (r Response) MarshalJSON() ([]byte, error) {
	return json.Marshal(savedResponse{(*plainResponse)(&r), headerOut(r.Header)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Response) UnmarshalJSON(data []byte) error {
	s := savedResponse{plainResponse: (*plainResponse)(r)}
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	r.Header = headerIn(s.Header)
	return nil
}

// MarshalJSON keeps the id exactly, whatever bytes it has.
func (s SessionInfo) MarshalJSON() ([]byte, error) {
	return json.Marshal(savedSession{(*plainSession)(&s), Bytes(s.ID)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *SessionInfo) UnmarshalJSON(data []byte) error {
	w := savedSession{plainSession: (*plainSession)(s)}
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	s.ID = string(w.ID)
	return nil
}

// Text makes a message of ours safe to save: errors of net/http quote what the server sent.
func Text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
