package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// An Option changes one request of a script. A nil Option changes nothing.
type Option func(*outgoing)

// An outgoing is a request while its options are applied.
type outgoing struct {
	dialect    Dialect
	label      string
	origin     wire.Origin // where it is not just what the script asked for
	httpMethod string
	url        string
	host       string
	http2      bool

	rpc    bool // a JSON-RPC message that we build; otherwise body is sent as it is
	method string
	id     json.RawMessage // nil: none
	params json.RawMessage // nil: none
	meta   map[string]any
	body   []byte

	session, version     string
	noSession, noVersion bool
	noCredentials        bool
	bogus                string // an Authorization that is nobody's secret
	edits                []func(http.Header)
	lines                []string

	broken       string
	timeout      time.Duration
	linger       time.Duration
	keepOpen     bool
	patience     time.Duration
	headWithin   time.Duration
	capabilities any
	mirror       func(tool string, arguments json.RawMessage) map[string]string
	urgent       bool // does not wait for a slot: an answer that the server may be waiting for
}

func rawJSON(what string, v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("client: %s cannot be written as JSON: %v", what, err))
	}
	return raw
}

// dropHeader removes a header whatever its spelling.
func dropHeader(h http.Header, name string) {
	for key := range h {
		if strings.EqualFold(key, name) {
			delete(h, key)
		}
	}
}

// WithoutSession leaves out the session id.
func WithoutSession() Option { return func(o *outgoing) { o.noSession = true } }

// WithSession sends this session id.
func WithSession(id string) Option {
	return func(o *outgoing) { o.session, o.noSession = id, false; o.setHeader("Mcp-Session-Id", id) }
}

// WithoutVersion leaves out MCP-Protocol-Version.
func WithoutVersion() Option {
	return func(o *outgoing) {
		o.noVersion = true
		o.edits = append(o.edits, func(h http.Header) { dropHeader(h, "MCP-Protocol-Version") })
	}
}

// WithVersion sends this MCP-Protocol-Version.
func WithVersion(v string) Option {
	return func(o *outgoing) { o.version, o.noVersion = v, false; o.setHeader("MCP-Protocol-Version", v) }
}

func (o *outgoing) setHeader(k, v string) {
	o.edits = append(o.edits, func(h http.Header) { dropHeader(h, k); h[k] = []string{v} })
}

// WithHeader replaces a header. Its name is sent as spelt here (over HTTP/2 in lower case); the value loses white space around it,
// see WithLine.
func WithHeader(k, v string) Option {
	if strings.EqualFold(k, "Host") {
		return WithHost(v)
	}
	return func(o *outgoing) { o.setHeader(k, v) }
}

// AddHeader adds another line for a header.
func AddHeader(k, v string) Option {
	return func(o *outgoing) {
		o.edits = append(o.edits, func(h http.Header) {
			for key := range h {
				if strings.EqualFold(key, k) {
					h[key] = append(slices.Clone(h[key]), v)
					return
				}
			}
			h[k] = []string{v}
		})
	}
}

// WithoutHeader leaves out a header, also one of the user's credentials.
func WithoutHeader(k string) Option {
	return func(o *outgoing) { o.edits = append(o.edits, func(h http.Header) { dropHeader(h, k) }) }
}

// WithLine adds a header line exactly as given, without its line end: for spaces, bytes and spellings that net/http would not
// send. HTTP/1.1 only; leave the header itself out with WithoutHeader where it should come once.
func WithLine(line string) Option { return func(o *outgoing) { o.lines = append(o.lines, line) } }

// WithHost sends another Host header; the connection goes to the same place.
func WithHost(h string) Option { return func(o *outgoing) { o.host = h } }

// WithAccept sends another Accept header.
func WithAccept(v string) Option { return WithHeader("Accept", v) }

// WithURL sends the request elsewhere. Credentials stay with the target's origin.
func WithURL(u string) Option { return func(o *outgoing) { o.url = u } }

// WithoutCredentials leaves out the header fields that the user configured.
func WithoutCredentials() Option { return func(o *outgoing) { o.noCredentials = true } }

// WithBogusAuthorization sends this Authorization in place of the user's. It is nobody's secret, so it is recorded as it is.
func WithBogusAuthorization(v string) Option {
	return func(o *outgoing) { o.bogus = v; o.setHeader("Authorization", v) }
}

// WithHTTP2 sends this request over the untapped transport, which speaks HTTP/2 where the server does.
func WithHTTP2() Option { return func(o *outgoing) { o.http2 = true } }

// WithID sends this id: any JSON value, a json.RawMessage as it is spelt.
func WithID(id any) Option { return func(o *outgoing) { o.id = rawJSON("id", id) } }

// WithoutID leaves out the id.
func WithoutID() Option { return func(o *outgoing) { o.id = nil } }

// WithParams sends these params.
func WithParams(p any) Option { return func(o *outgoing) { o.params = rawJSON("params", p) } }

// WithMeta puts members into params._meta; one that is nil is taken out, also one that the modern era puts there.
func WithMeta(m map[string]any) Option {
	return func(o *outgoing) {
		if o.meta == nil {
			o.meta = map[string]any{}
		}
		for k, v := range m {
			o.meta[k] = v
		}
	}
}

// WithCapabilities declares these client capabilities: in initialize, and in the _meta of the modern era.
func WithCapabilities(c any) Option { return func(o *outgoing) { o.capabilities = c } }

// Mirroring says which arguments of a tool call the modern era repeats in headers: their values as text, by what follows Mcp-Param- in the
// name.
func Mirroring(mirror func(tool string, arguments json.RawMessage) map[string]string) Option {
	return func(o *outgoing) { o.mirror = mirror }
}

// From says what a request of a script continues or repeats.
func From(o wire.Origin) Option { return func(out *outgoing) { out.origin = o } }

// Broken says what is deliberately wrong with the request, so that rules about well-formed traffic exempt it.
func Broken(what string) Option { return func(o *outgoing) { o.broken = what } }

// WithTimeout is another deadline for this answer, up to its head and from there to its end.
func WithTimeout(d time.Duration) Option { return func(o *outgoing) { o.timeout = d } }

// GiveUp ends the exchange after d, whether or not it was answered, as a client does that has lost interest: EndedBy is ByClient, and
// no rule about unanswered requests applies.
func GiveUp(d time.Duration) Option { return func(o *outgoing) { o.patience = d } }

// GiveUpSoon is GiveUp after a few times what answers take: for a request of which little can be learnt.
func (c *Client) GiveUpSoon() Option { return GiveUp(c.Soon()) }

// HeadWithin gives a stream up whose head has not come after d; once it is there, the stream lasts. It concerns Get and Stream.
func HeadWithin(d time.Duration) Option { return func(o *outgoing) { o.headWithin = d } }

// Linger is how long an event stream that stays open after its answer is watched; default Config.Window.
func Linger(d time.Duration) Option { return func(o *outgoing) { o.linger = d } }

// KeepOpen reads an event stream until the server ends it; on one that Conversation.Stream returned, until the script closes it.
func KeepOpen() Option { return func(o *outgoing) { o.keepOpen = true } }
