package clients

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// The header fields that attribution and the areas share.
const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "MCP-Protocol-Version"
	headerEventID = "Last-Event-ID"
)

const methodInitialize = "initialize"

// keyVersion is where a message of 2026-07-28 names its revision.
const keyVersion = "/params/_meta/io.modelcontextprotocol~1protocolVersion"

// isModern tells that a message stands for itself: it names its revision, as those of 2026-07-28 do.
func isModern(m wire.Message) bool {
	_, ok := m.Pointer(keyVersion)
	return ok
}

// isNotification tells that a message is a notification, by its name or by having no id.
func isNotification(m wire.Message) bool {
	return strings.HasPrefix(m.Method, "notifications/") || m.Kind == wire.KindNotification
}

// isRequest tells that a message wants an answer, or would if its id were right.
func isRequest(m wire.Message) bool { return m.HasMethod && !isNotification(m) }

// isResponse tells that a message answers one of the server's.
func isResponse(m wire.Message) bool { return !m.HasMethod && (m.HasResult || m.HasError) }

// posts are the POSTs of the client.
func posts(t *kit.T) []*wire.Exchange {
	var all []*wire.Exchange
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			if x.Request.Method == http.MethodPost {
				all = append(all, x)
			}
		}
	}
	return all
}

// A talk is what the bytes show of a session: the initialize that opened it, and all that belongs to it.
type talk struct {
	tr      *wire.Transcript
	opening *wire.Exchange
	// id is the Mcp-Session-Id that was assigned, "" without one; version is what was agreed on.
	id, version string
	// requests belong to the session and arrived once its initialize had been answered.
	requests []*wire.Exchange
}

// A conversation is a transcript by sessions.
type conversation struct {
	tr       *wire.Transcript
	sessions []*talk
	// loose are requests of sessions without an id, where the sessions that are open have one, or more than one is open.
	loose []*wire.Exchange
	// strange are requests with an id that was never assigned.
	strange []*wire.Exchange
	// openings counts the initializes, also those that were refused.
	openings int
}

// conversations sorts what was said by sessions: a request belongs to the session whose id it carries; without ids, to the only one.
func conversations(t *kit.T) []*conversation {
	var all []*conversation
	for _, tr := range t.Transcripts() {
		all = append(all, converse(tr))
	}
	return all
}

func converse(tr *wire.Transcript) *conversation {
	c := &conversation{tr: tr}
	for _, x := range tr.Exchanges {
		if x.RequestMessage().Method != methodInitialize {
			continue
		}
		c.openings++
		answer, ok := x.Answer()
		if !ok || !x.Served() {
			continue
		}
		s := &talk{tr: tr, opening: x}
		_ = answer.Decode("/result/protocolVersion", &s.version) // ours
		if ids := x.ResponseSession(); len(ids) > 0 {
			s.id = ids[0]
		}
		c.sessions = append(c.sessions, s)
	}
	knows := false // something has shown that the client had the answer to initialize
	for _, x := range tr.Exchanges {
		if !c.belongs(x) {
			continue
		}
		id := kit.RequestHeader(x, headerSession)
		knows = knows || id != "" || x.Request.Method == http.MethodPost
		if !knows {
			continue // a GET on another connection, which may have been on its way
		}
		i := slices.IndexFunc(c.sessions, func(s *talk) bool { return s.id == id })
		switch {
		case id == "" && (i < 0 || len(c.sessions) > 1):
			c.loose = append(c.loose, x)
		case i < 0:
			c.strange = append(c.strange, x)
		default:
			c.sessions[i].requests = append(c.sessions[i].requests, x)
		}
	}
	return c
}

// belongs tells whether a request belongs to some session. Clients probe with others, before initialize and between two sessions; what was
// on its way when the first session began is left out as well.
func (c *conversation) belongs(x *wire.Exchange) bool {
	if len(c.sessions) == 0 || !c.after(x, c.sessions[0].opening) {
		return false
	}
	m := x.RequestMessage()
	switch x.Request.Method {
	case http.MethodGet:
		// What is fetched elsewhere, such as metadata, is no stream.
		return plainPath(x) == plainPath(c.sessions[0].opening) && (has(x, headerSession) || has(x, headerVersion) || has(x, headerEventID))
	case http.MethodDelete:
		return true
	case http.MethodPost:
		return m.Method != methodInitialize && !isModern(m)
	}
	return false
}

// after tells that a request arrived when another had been answered. Exchanges stand in the order of their arrival.
func (c *conversation) after(x, other *wire.Exchange) bool {
	return x.Sent >= other.AnsweredAt() && slices.Index(c.tr.Exchanges, x) > slices.Index(c.tr.Exchanges, other)
}

func has(x *wire.Exchange, name string) bool { return kit.RequestHeader(x, name) != "" }

// agreed tells that the client could go on with the version of the answer: a published one.
func (s *talk) agreed() bool { return revision.Known(s.version) }

// answered is when the answer to initialize had been sent.
func (s *talk) answered() time.Duration { return s.opening.AnsweredAt() }

// what names a request in a phrase, such as POST tools/list.
func what(x *wire.Exchange) string {
	m := x.RequestMessage()
	name := m.Method
	switch {
	case isResponse(m):
		name = "of a response"
	case m.Kind == wire.KindBatch:
		name = "of a batch"
	}
	return strings.TrimSpace(x.Request.Method + " " + name)
}

// assigned tells that a session of the conversation was given an id.
func (c *conversation) assigned() bool {
	return slices.ContainsFunc(c.sessions, func(s *talk) bool { return s.id != "" })
}

// patience is how long the server has to take for an answer before a client can be said to have waited for it.
const patience = 200 * time.Millisecond

// everySession visits the sessions of all conversations that the client held, in whatever revision.
func everySession(t *kit.T, visit func(*conversation, *talk)) {
	for _, tr := range t.Everywhere() {
		c := converse(tr)
		for _, s := range c.sessions {
			visit(c, s)
		}
	}
}
