package wire

import (
	"bytes"
	"maps"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
)

// Redacted stands where a credential was. In bodies it is cut or padded with asterisks to the length of what it replaces.
const Redacted = "[redacted]"

// minSecret is the length from which a configured value is looked for in what the server sends: shorter ones occur by chance.
const minSecret = 8

// A Redactor knows the credentials of the user and replaces them in everything that is recorded.
type Redactor struct {
	names   map[string]bool // canonical names of headers the user configured
	secrets []string        // their values of minSecret bytes or more, longest first
}

// NewRedactor takes the header fields that the user configured.
func NewRedactor(configured http.Header) *Redactor {
	r := &Redactor{names: map[string]bool{}}
	for name, values := range configured {
		if protocolHeader(name) {
			continue
		}
		r.names[textproto.CanonicalMIMEHeaderKey(name)] = true
		for _, value := range values {
			candidates := []string{value}
			if scheme, rest, ok := strings.Cut(value, " "); ok && (strings.EqualFold(scheme, "Bearer") || strings.EqualFold(scheme, "Basic") || strings.EqualFold(scheme, "Token")) {
				candidates = append(candidates, strings.TrimSpace(rest))
			}
			for _, s := range candidates {
				if len(s) >= minSecret && !slices.Contains(r.secrets, s) {
					r.secrets = append(r.secrets, s)
				}
			}
		}
	}
	slices.SortFunc(r.secrets, func(a, b string) int { return len(b) - len(a) })
	return r
}

// Configured are the names of the header fields that may be credentials, sorted.
func (r *Redactor) Configured() []string { return slices.Sorted(maps.Keys(r.names)) }

// protocolHeader tells that a header says nothing secret even if the user set it, and that judges need its value.
func protocolHeader(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "accept", "content-type", "content-length", "host", "origin", "user-agent", "connection", "last-event-id", "cache-control":
		return true
	}
	return strings.HasPrefix(name, "mcp-")
}

// sensitive tells that a header carries credentials whoever set it.
func sensitive(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "authorization", "proxy-authorization", "cookie", "set-cookie", "x-auth-token":
		return true
	}
	for _, part := range []string{"api-key", "apikey", "api_key", "-secret", "access-token", "password"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// Request returns the header as it may be recorded.
func (r *Redactor) Request(h http.Header) http.Header {
	return r.header(h, func(name string) bool {
		return sensitive(name) || r.names[textproto.CanonicalMIMEHeaderKey(name)]
	})
}

// Response returns the header as it may be recorded: a header that the user configured may have an innocent namesake there.
func (r *Redactor) Response(h http.Header) http.Header { return r.header(h, sensitive) }

func (r *Redactor) header(h http.Header, hide func(name string) bool) http.Header {
	out := make(http.Header, len(h))
	for name, values := range h {
		list := make([]string, len(values))
		for i, v := range values {
			list[i] = r.Text(v)
			if hide(name) {
				list[i] = Redacted
			}
		}
		out[name] = list
	}
	return out
}

// Text replaces the secrets in a text of ours or a header value.
func (r *Redactor) Text(s string) string {
	for _, secret := range r.secrets {
		s = strings.ReplaceAll(s, secret, Redacted)
	}
	return s
}

// Head redacts a raw head line by line; a continuation line belongs to the header before it.
func (r *Redactor) Head(raw []byte) Bytes {
	if raw == nil {
		return nil
	}
	var out []byte
	hiding := false
	for line := range bytes.SplitAfterSeq(raw, []byte("\n")) {
		content := bytes.TrimRight(line, "\r\n")
		end := line[len(content):]
		if len(content) > 0 && (content[0] == ' ' || content[0] == '\t') {
			if hiding {
				continue
			}
		} else if name, _, ok := bytes.Cut(content, []byte(":")); ok && sensitive(string(bytes.TrimSpace(name))) {
			hiding = true
			out = append(append(append(out, name...), ": "+Redacted...), end...)
			continue
		} else {
			hiding = false
		}
		out = append(append(out, r.Text(string(content))...), end...)
	}
	return out
}

// A Masker replaces the secrets in a body while it arrives, by as many bytes as they had, so that offsets and lengths stay true.
type Masker struct {
	secrets []string
	held    []byte // the end of what arrived, where it may be the beginning of a secret
}

// Masker returns a masker for one body.
func (r *Redactor) Masker() *Masker { return &Masker{secrets: r.secrets} }

func mask(n int) []byte {
	m := append([]byte(Redacted), bytes.Repeat([]byte("*"), max(0, n-len(Redacted)))...)
	return m[:n]
}

// Next returns what is certain after p arrived.
func (m *Masker) Next(p []byte) []byte {
	if len(m.secrets) == 0 {
		return p
	}
	data := m.replace(append(m.held, p...))
	keep := 0
	for _, secret := range m.secrets {
		for n := min(len(secret)-1, len(data)); n > keep; n-- {
			if bytes.HasSuffix(data, []byte(secret[:n])) {
				keep = n
			}
		}
	}
	m.held = bytes.Clone(data[len(data)-keep:])
	return data[:len(data)-keep]
}

// Rest returns what was held back when nothing more comes.
func (m *Masker) Rest() []byte {
	held := m.held
	m.held = nil
	return held
}

func (m *Masker) replace(data []byte) []byte {
	for _, secret := range m.secrets {
		if bytes.Contains(data, []byte(secret)) {
			data = bytes.ReplaceAll(data, []byte(secret), mask(len(secret)))
		}
	}
	return data
}

// All masks bytes that are complete.
func (r *Redactor) All(p []byte) []byte {
	if p == nil {
		return nil
	}
	return (&Masker{secrets: r.secrets}).replace(p)
}
