package mock

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/wire"
)

// testToken is the name under which the redactor knows the token that the user has the client send; no header has it.
const testToken = "Mcpcheck-Test-Token"

// header is that of a request as it is kept. Of the token that the user named its scheme is kept: where it stands is judged.
func (r *recorder) header(h http.Header) http.Header {
	kept := r.redact.Request(h)
	for i, value := range h["Authorization"] {
		scheme, token, _ := strings.Cut(value, " ")
		if r.token != "" && strings.TrimSpace(token) == r.token && !strings.Contains(scheme, r.token) {
			kept["Authorization"][i] = scheme + " " + wire.Redacted
		}
	}
	return kept
}

// secretParameters are those of a query that are worth something to others.
var secretParameters = []string{"access_token", "token", "code", "refresh_token", "client_secret"}

// uri is that of a request as it is kept.
func (r *recorder) uri(u *url.URL) string {
	path, query, any := strings.Cut(u.RequestURI(), "?")
	if !any {
		return r.redact.Text(path)
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if name, _, _ := strings.Cut(pair, "="); slices.Contains(secretParameters, strings.ToLower(name)) {
			pairs[i] = name + "=" + wire.Redacted
		}
	}
	return r.redact.Text(path + "?" + strings.Join(pairs, "&"))
}

// messageOf reads the message of a request, whose body can be read again.
func messageOf(r *http.Request) wire.Message {
	body, _ := io.ReadAll(r.Body) // was read before, by the recorder
	r.Body = io.NopCloser(bytes.NewReader(body))
	x := wire.Exchange{Request: wire.Request{Method: wire.Text(r.Method), Body: wire.NewBody(body)}}
	return x.RequestMessage()
}

// head is the raw head of a request as it is kept.
func (r *recorder) head(raw []byte, u *url.URL) wire.Bytes {
	line, rest, _ := bytes.Cut(raw, []byte("\n"))
	line = bytes.Replace(line, []byte(u.RequestURI()), []byte(r.uri(u)), 1)
	return r.redact.Head(slices.Concat(line, []byte("\n"), rest))
}
