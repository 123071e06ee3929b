// Package wire holds what was said: transcripts of exchanges, the messages and events in them, and the file that keeps them.
//
// It sends nothing and judges nothing, and it imports the standard library only: whoever records a conversation writes it, whoever
// judges one reads it, live or saved.
package wire

import (
	"net/http"
	"strings"
	"time"
)

// A Transcript is what one script recorded: every exchange in the order in which it was sent, and the watch windows. It is
// frozen when the script ends; judges only read it.
type Transcript struct {
	// Subject is who is under test: empty for a server, ClientSubject for a client. The requests of a transcript are always the client's,
	// its responses the server's.
	Subject string `json:"subject,omitempty"`
	// Script names the conversation, such as "session/without-id". Unique within a revision and attempt.
	Script string `json:"script"`
	// Revision is the one asked for in initialize; the suites file the transcript under it.
	Revision string `json:"revision"`
	// Transport is "streamable-http" or "http-sse".
	Transport string `json:"transport"`
	// Attempt counts from 1; 2 is the lone repetition that confirms a finding.
	Attempt int `json:"attempt"`
	// Shared tells that the conversation took place in a session that another one of the revision opened: the common one, which the inventory
	// script opens, or one that its predecessor left as it was. The id of the session tells whose it is.
	Shared bool `json:"shared,omitempty"`
	// Session is the session the conversation worked in when it ended; zero where it opened none.
	Session SessionInfo `json:"session,omitzero"`
	// Started is the wall clock at the first action; every other time is an offset from it.
	Started time.Time `json:"started"`
	// Duration is how long the script took.
	Duration  time.Duration `json:"duration"`
	Exchanges []*Exchange   `json:"exchanges"`
	// Lent are exchanges of earlier conversations that this one rests on instead of asking for the same again, under the labels that it has
	// for them. They were before its start, so that their times are negative, and nothing but Exchange finds them.
	Lent    []*Exchange `json:"lent,omitempty"`
	Windows []Window    `json:"windows,omitempty"`
	// Died tells how the server ended in this conversation, where it was started for the run.
	Died string `json:"died,omitempty"`
	// Superseded: it could not look, and was recorded anew.
	Superseded bool `json:"superseded,omitempty"`
	// Aborted says why the script ended early (the run was interrupted, a panic in a script); empty otherwise.
	Aborted string `json:"aborted,omitempty"`
}

// ClientSubject is the subject of a transcript that shows a client: Script names the persona that it met, Attempt counts its starts.
const ClientSubject = "client"

// SessionInfo is what an initialize handshake established.
type SessionInfo struct {
	// ID is the Mcp-Session-Id that came with the initialize answer; empty: none was assigned.
	ID string `json:"id,omitempty"`
	// Negotiated is result.protocolVersion of the initialize answer, or empty.
	Negotiated string `json:"negotiated,omitempty"`
	// Opened is true once initialize was answered with a result.
	Opened bool `json:"opened,omitempty"`
}

// An Exchange is one HTTP request and what came back for it. Body, head and times are as they were on the wire; all that can be
// derived (messages, events) is derived by methods, so that a saved transcript and a live one cannot differ.
type Exchange struct {
	// Label is unique within its transcript; reports show it.
	Label string `json:"label"`
	// Origin says where the exchange comes from.
	Origin Origin `json:"origin,omitzero"`
	// Broken names what the script made deliberately wrong with this request; rules about well-formed traffic exempt it.
	Broken string `json:"broken,omitempty"`
	// Stream is the label of the event stream on which HTTP+SSE delivers the answer; empty on Streamable HTTP.
	Stream   string    `json:"stream,omitempty"`
	Request  Request   `json:"request"`
	Response *Response `json:"response,omitempty"` // nil: no final response head arrived
	// Unparsed holds what came instead of a response head that net/http could read; nil where Response is set.
	Unparsed Bytes `json:"unparsed,omitempty"`
	// Error is the transport error that ended the exchange, nil where the body ended as HTTP says or where we closed it.
	Error *NetError `json:"error,omitempty"`
	// EndedBy says who ended the exchange.
	EndedBy EndedBy `json:"endedBy"`
	// Sent, Head and End are offsets from Transcript.Started; Head is zero where no head arrived.
	Sent time.Duration `json:"sent"`
	Head time.Duration `json:"head,omitempty"`
	End  time.Duration `json:"end,omitempty"`
	// Conn numbers the connection (from 1 within the run); Reused tells that an earlier request had used it.
	Conn   int  `json:"conn,omitempty"`
	Reused bool `json:"reused,omitempty"`

	stream *Exchange // the exchange that Stream names
	live   []Located // what that stream brought for this request, while it is still open
	// listening are the GET streams of the same session, which may have brought the answer.
	listening []*Exchange
	cache     messageCache
}

// EndedBy names who ended an exchange.
type EndedBy string

const (
	// ByServer: the body ended as HTTP says it should.
	ByServer EndedBy = "server"
	// ByClient: the recorder had seen enough (a stream that stays open) or the script closed it.
	ByClient EndedBy = "client"
	// ByTimeout: nothing (more) arrived before the deadline.
	ByTimeout EndedBy = "timeout"
	// ByError: the connection broke: reset, unexpected end, malformed HTTP; see Exchange.Error.
	ByError EndedBy = "error"
	// ByLimit: the recorder's limits on heads, bodies or events cut it off.
	ByLimit EndedBy = "limit"
)

// A Request is what was sent.
type Request struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	// Header holds the fields as sent, redacted where they carry credentials; keys keep the spelling that was sent.
	Header http.Header `json:"header,omitempty"`
	// Host is the Host header where it differs from the URL's.
	Host string `json:"host,omitempty"`
	Body Body   `json:"body,omitzero"`
	// RawHead is the head as it stood on the wire, request line to empty line, where a client is under test. Credentials are redacted.
	RawHead Bytes `json:"rawHead,omitempty"`
}

// A Response is a final response head and the body bytes that followed.
type Response struct {
	Proto  string      `json:"proto"` // "HTTP/1.1", "HTTP/2.0"
	Status int         `json:"status"`
	Header http.Header `json:"header,omitempty"`
	// RawHead is the head as it stood on the wire, status line to empty line; empty over HTTP/2. Credentials are redacted.
	RawHead Bytes `json:"rawHead,omitempty"`
	// Interim holds the raw 1xx heads that came first.
	Interim []Bytes `json:"interim,omitempty"`
	Body    Body    `json:"body,omitzero"`
	// Surplus holds bytes that followed a response which by its status or Content-Length has no (more) body.
	Surplus Bytes `json:"surplus,omitempty"`
	// Chunks tell when the body bytes arrived, coalesced to one entry per read.
	Chunks []Chunk `json:"chunks,omitempty"`
}

// A Chunk says that the body had End bytes at the offset At from the transcript's start.
type Chunk struct {
	End int64         `json:"end"`
	At  time.Duration `json:"at"`
}

// A NetError is a typed transport error.
type NetError struct {
	Kind    ErrorKind `json:"kind"`
	Message string    `json:"message"`
	// Phase is where it happened: "dial", "tls", "write", "head", "body".
	Phase string `json:"phase,omitempty"`
	// Reason is why TLS failed, where that is known: one of the reasons below.
	Reason string `json:"reason,omitempty"`
}

// Why a TLS handshake failed.
const (
	TLSUntrusted   = "untrusted"     // the certificate was issued by nobody we know
	TLSExpired     = "expired"       // it is no longer valid
	TLSNotYetValid = "not-yet-valid" // it is not valid yet
	TLSWrongName   = "wrong-name"    // it is for other hosts
	TLSNone        = "no-tls"        // what came is no TLS
	TLSWantsClient = "wants-client"  // the server demands a certificate of the client
)

// ErrorKind classifies transport errors.
type ErrorKind string

// The kinds of transport errors.
const (
	ErrRefused   ErrorKind = "refused"   // nothing listens on that port
	ErrDNS       ErrorKind = "dns"       // the name does not resolve
	ErrTLS       ErrorKind = "tls"       // handshake or certificate
	ErrReset     ErrorKind = "reset"     // connection reset or broken pipe
	ErrClosed    ErrorKind = "closed"    // closed before a complete response (unexpected EOF)
	ErrTimeout   ErrorKind = "timeout"   // the deadline passed
	ErrProtocol  ErrorKind = "protocol"  // not HTTP, malformed head, lying lengths
	ErrLimit     ErrorKind = "limit"     // head, body or event beyond the recorder's limits
	ErrCancelled ErrorKind = "cancelled" // the run was interrupted
	ErrOther     ErrorKind = "other"
)

// ByPerson is what Aborted says where a person, who may have closed their client, let it meet the next server.
const ByPerson = "a person went on"

// A Window is a time during which a stream was watched, so that "nothing arrived" means something.
type Window struct {
	// Stream is the label of the watched exchange, Marker that of the answered request that opened the window.
	Stream string        `json:"stream"`
	Marker string        `json:"marker,omitempty"`
	From   time.Duration `json:"from"`
	To     time.Duration `json:"to"`
	// Want is the length that was asked for: 300 ms or three round trips, the longer. Shorter windows prove nothing.
	Want time.Duration `json:"want"`
}

// Long tells whether the window was as long as it had to be.
func (w Window) Long() bool { return w.To-w.From >= w.Want }

// Exchange returns the exchange with that label, its own or one that was lent to it, or nil.
func (t *Transcript) Exchange(label string) *Exchange {
	for _, exchanges := range [][]*Exchange{t.Exchanges, t.Lent} {
		for _, x := range exchanges {
			if x.Label == label {
				return x
			}
		}
	}
	return nil
}

// Status returns the HTTP status, 0 where no response head arrived.
func (x *Exchange) Status() int {
	if x.Response == nil {
		return 0
	}
	return x.Response.Status
}

// Settle says that all exchanges of the transcript are complete: from here on answers are looked for in whatever they may have come on.
func (t *Transcript) Settle() {
	var streams []*Exchange
	for _, x := range t.Exchanges {
		x.live, x.listening = nil, nil
		if x.Stream == "" && x.Request.Method == http.MethodGet && x.IsSSE() && x.field("Last-Event-ID") == "" {
			streams = append(streams, x)
		}
	}
	for _, x := range t.Exchanges {
		// On HTTP+SSE a stream that is not the client's own is somebody else's.
		if t.Transport == "http-sse" || x.Request.Method != http.MethodPost {
			continue
		}
		for _, s := range streams {
			if s.field("Mcp-Session-Id") == x.field("Mcp-Session-Id") {
				x.listening = append(x.listening, s)
			}
		}
	}
}

// field returns a header field of the request, whatever the spelling of its name.
func (x *Exchange) field(name string) string {
	for k, v := range x.Request.Header {
		if strings.EqualFold(k, name) && len(v) > 0 {
			return v[0]
		}
	}
	return ""
}
