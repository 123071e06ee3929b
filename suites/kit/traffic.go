package kit

import (
	"net/http"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/wire"
)

// Seen is a message of who is under test, and where it was seen: of a server in what it answers, of a client in what it posts.
type Seen struct {
	wire.Located
	Exchange   *wire.Exchange
	Transcript *wire.Transcript
}

// Exchanges returns every exchange of the revision with a response head, in a stable order; refusals for load are left out. The slice is
// shared: do not change it.
func (t *T) Exchanges() []*wire.Exchange {
	t.recording.read()
	return t.recording.exchanges
}

// Messages returns every message that who is under test sent in the revision: of a server answers to deliberately wrong requests included,
// of a client what is no message at all as well. The slice is shared: do not change it.
func (t *T) Messages() []Seen {
	t.recording.read()
	return t.recording.messages
}

// MessagesIn returns the messages of who is under test in one transcript.
func (t *T) MessagesIn(tr *wire.Transcript) []Seen { return messagesOf(tr) }

func messagesOf(tr *wire.Transcript) []Seen {
	var all []Seen
	for _, x := range tr.Exchanges {
		if tr.Subject == wire.ClientSubject {
			if x.Request.Method == http.MethodPost && !x.Request.Body.Truncated() {
				for _, m := range wire.Locate(nil, x.RequestMessage(), -1, x.Sent) {
					all = append(all, Seen{Located: m, Exchange: x, Transcript: tr})
				}
			}
			continue
		}
		for _, m := range x.Messages() {
			all = append(all, Seen{Located: m, Exchange: x, Transcript: tr})
		}
	}
	return all
}

// Streams returns the exchanges that were answered by an event stream: refusals under that media type are none. The slice is shared: do
// not change it.
func (t *T) Streams() []*wire.Exchange {
	t.recording.read()
	return t.recording.streams
}

// Transcripts returns everything recorded in the revision, the inventory included.
func (t *T) Transcripts() []*wire.Transcript { return t.recording.Transcripts }

// Everywhere returns the conversations of the revision and behind them those that the same client held in others.
func (t *T) Everywhere() []*wire.Transcript {
	return slices.Concat(t.recording.Transcripts, t.recording.Beside)
}

// SessionOf tells which session an exchange belongs to: the id its request carried, or else the one that its response assigned, or
// else the transcript (without ids a conversation is all there is).
func SessionOf(tr *wire.Transcript, x *wire.Exchange) string {
	if id := header(x.Request.Header, sessionHeader); id != "" {
		return id
	}
	if ids := x.ResponseSession(); len(ids) > 0 {
		return ids[0]
	}
	return "conversation " + tr.Script
}

// header reads a field whatever the spelling of its name: recorded requests keep the one that was sent.
func header(h map[string][]string, name string) string {
	for k, v := range h {
		if strings.EqualFold(k, name) && len(v) > 0 {
			return v[0]
		}
	}
	return ""
}

// RequestHeader returns a header field of the request, whatever the spelling of its name.
func RequestHeader(x *wire.Exchange, name string) string { return header(x.Request.Header, name) }

// Who is under test, in words: "the server" or "the client".
func (t *T) Who() string {
	if len(t.recording.Transcripts) > 0 && t.recording.Transcripts[0].Subject == wire.ClientSubject {
		return "the client"
	}
	return "the server"
}
