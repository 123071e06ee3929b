package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// MaxBody is the size of the largest body that is read, in bytes.
const MaxBody = 4 << 20

// The switches of what a reader lets pass.
var (
	switchAnyVersion = switches.Add("any-jsonrpc-version", "serves messages whose jsonrpc is not 2.0")
	switchNullID     = switches.Add("null-id", "serves requests whose id is null or a fraction")
)

// An Exchange is one HTTP request and the answer to it, as far as that is the same in every era.
type Exchange struct {
	Site     *Site
	W        http.ResponseWriter
	R        *http.Request
	Messages []jsonrpc.Message // of the body
	Batch    bool              // the body was an array
	Unread   bool              // the body was no JSON
	Revision string            // by whose rules it is answered

	// Describe adds to a scene what the era knows of the client beyond this exchange; nil adds nothing.
	Describe func(*deviation.Scene)
}

// Only returns the message of a POST that is no batch.
func (x *Exchange) Only() jsonrpc.Message {
	if x.Batch || len(x.Messages) == 0 {
		return jsonrpc.Message{}
	}
	return x.Messages[0]
}

// Requests returns the messages that want an answer, those included that are no message at all.
func (x *Exchange) Requests() []jsonrpc.Message {
	return slices.DeleteFunc(slices.Clone(x.Messages), func(m jsonrpc.Message) bool {
		return m.Kind == jsonrpc.KindNotification || m.Kind == jsonrpc.KindResponse
	})
}

// ReadBody reads the messages of a POST, and answers itself where the body is too large.
func (x *Exchange) ReadBody() bool {
	body, err := io.ReadAll(http.MaxBytesReader(x.W, x.R.Body, MaxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		x.Send(plain("too-large", http.StatusRequestEntityTooLarge, "the body is larger than 4 MiB"))
		return false
	}
	if err != nil {
		return false // the client has gone
	}
	var fault *jsonrpc.Error
	x.Messages, x.Batch, fault = jsonrpc.Read(body, jsonrpc.Leniency{AnyVersion: x.On(switchAnyVersion), NullID: x.On(switchNullID)})
	x.Unread = fault != nil
	return true
}

// Scene of the exchange as a whole.
func (x *Exchange) Scene() deviation.Scene { return x.SceneOf(x.Only()) }

// SceneOf one message of the exchange.
func (x *Exchange) SceneOf(m jsonrpc.Message) deviation.Scene {
	sc := deviation.Scene{HTTP: x.R.Method, RPC: m.Method, Revision: x.Revision, Header: x.R.Header, Request: m.Raw}
	if x.Describe != nil {
		x.Describe(&sc)
	}
	if x.Batch {
		if m.Raw == nil {
			sc.Request = x.array()
		}
		switch len(x.Requests()) {
		case len(x.Messages):
			sc.Batch = "requests"
		case 0:
			sc.Batch = "none"
		default:
			sc.Batch = "mixed"
		}
	}
	return sc
}

// array is a batch as it came.
func (x *Exchange) array() json.RawMessage {
	elements := make([][]byte, len(x.Messages))
	for i, m := range x.Messages {
		elements[i] = m.Raw
	}
	return slices.Concat([]byte("["), bytes.Join(elements, []byte(",")), []byte("]"))
}

// On tells whether a switch is thrown for the exchange.
func (x *Exchange) On(s *deviation.Switch) bool {
	return x.Site.Dev.Has(s) && x.Site.Dev.Applies(x.Scene())
}

// Skips tells whether a guard is left out of the exchange.
func (x *Exchange) Skips(guard string) bool { return x.Site.Dev.Skips(guard, x.Scene) }
