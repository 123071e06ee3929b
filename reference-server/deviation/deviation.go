// Package deviation makes a server wrong on purpose, one behaviour at a time: every answer has a named outcome, every message a
// selector, and a [Deviation] edits them on their way out; a [Switch] or an [Identity] is read by the code that it changes, which
// declares it. What there is to name comes from the packages of the server as a [Vocabulary]; none is listed here.
package deviation

import (
	"encoding/json"
	"net/http"
)

// A Deviation makes a server wrong in one way. Most are data: edits of what the server would have sent. Identities that must
// stay coherent are generated another way, and what cannot be data is a switch. The members of its JSON form are those of the
// fault files.
type Deviation struct {
	Edits     []Edit            `json:"edits,omitempty"`
	Switches  []string          `json:"switches,omitempty"`  // names of switches, or "skip GUARD"
	Generate  map[string]string `json:"generate,omitempty"`  // identity -> way, see Identity
	Wire      []WireEdit        `json:"wire,omitempty"`      // of the bytes that clients send
	Revisions []string          `json:"revisions,omitempty"` // of the edits and switches; none means all
	When      *Condition        `json:"when,omitempty"`      // of the edits, the switches and the endpoint that is generated
	Unless    *Condition        `json:"unless,omitempty"`
}

// An Edit changes a message, an event or an HTTP answer on its way out. On selects what, see [Selectors]. The groups of members
// apply to what their comment says; an edit may have several, and they work from top to bottom.
type Edit struct {
	On        string     `json:"on"`
	Revisions []string   `json:"revisions,omitempty"`
	When      *Condition `json:"when,omitempty"`
	Unless    *Condition `json:"unless,omitempty"`
	Nth       int        `json:"nth,omitempty"`   // only the nth time that all else holds
	Every     int        `json:"every,omitempty"` // only every nth time: a flaky server

	// The message. Pointers are JSON pointers (RFC 6901); "*" is every element and "-" appends to an array.
	Remove string          `json:"remove,omitempty"`
	Set    *string         `json:"set,omitempty"`    // the place of Value, From or Text; "" is the whole message
	Value  json.RawMessage `json:"value,omitempty"`  // any JSON, null included
	From   *string         `json:"from,omitempty"`   // the place of the message that is copied
	Text   *string         `json:"text,omitempty"`   // the place of the message that is copied as a string: 7 becomes "7"
	Raw    *string         `json:"raw,omitempty"`    // the bytes of the message
	Splice []Splice        `json:"splice,omitempty"` // in the bytes of the message
	Before []any           `json:"before,omitempty"` // more messages; "same" is the message itself, the id "same" its id, and a time such as 1s a pause
	After  []any           `json:"after,omitempty"`
	Drop   bool            `json:"drop,omitempty"`  // do not send it; of an answer: break the connection
	Close  bool            `json:"close,omitempty"` // end the stream instead
	Delay  string          `json:"delay,omitempty"` // such as 300ms, before the message or the answer

	// The answer: selected by its outcome, or as JSON by the message in it.
	Status    int                `json:"status,omitempty"`
	Header    map[string]*string `json:"header,omitempty"` // null removes
	AddHeader map[string]string  `json:"add-header,omitempty"`
	Body      *string            `json:"body,omitempty"` // of a stream: an answer with this body instead
	Prefix    string             `json:"prefix,omitempty"`
	Suffix    string             `json:"suffix,omitempty"`

	// The event.
	Event *EventEdit `json:"event,omitempty"`
}

// An EventEdit changes the lines of one event. An empty string removes a field.
type EventEdit struct {
	Type       *string  `json:"type,omitempty"`
	ID         *string  `json:"id,omitempty"`
	Retry      *string  `json:"retry,omitempty"`
	Data       *string  `json:"data,omitempty"`
	NoData     bool     `json:"no-data,omitempty"`    // leave out the data line itself
	Before     []string `json:"before,omitempty"`     // raw lines ahead of the others
	After      []string `json:"after,omitempty"`      // raw lines behind the others
	Break      *string  `json:"break,omitempty"`      // raw text put into the data after its first comma
	LineEnd    *string  `json:"line-end,omitempty"`   // instead of LF
	Terminator *string  `json:"terminator,omitempty"` // instead of the empty line
	Raw        *string  `json:"raw,omitempty"`        // the whole event
}

// A Splice replaces the first occurrence of a text by bytes that JSON or YAML could not carry.
type Splice struct {
	Find   string `json:"find"`
	Base64 string `json:"base64"`
}

// A WireEdit replaces bytes that a client sent, before the server reads them; both texts are of one length. It works on
// connections that [Deviator.Listener] accepted.
type WireEdit struct {
	Find    string `json:"find"`
	Replace string `json:"replace"`
}

// A Condition narrows an edit or a switch to some exchanges. What is left out does not matter; all that is there must hold.
type Condition struct {
	HTTP    string            `json:"http,omitempty"` // GET, POST or DELETE
	RPC     []string          `json:"rpc,omitempty"`  // methods of the request of the client
	Header  map[string]string `json:"header,omitempty"`
	Request map[string]any    `json:"request,omitempty"` // JSON pointer -> value in the message of the client
	Ready   *bool             `json:"ready,omitempty"`   // whether notifications/initialized has arrived
	Batch   string            `json:"batch,omitempty"`   // a batch of: requests, mixed, none (no request in it)
	// In Header and Request the value "*" is any, and "" or null is none at all.
}

// A Scene is where something is sent: what conditions ask about.
type Scene struct {
	HTTP     string // the method
	RPC      string // the method of the client's message
	Revision string
	Header   http.Header
	Request  json.RawMessage // the client's message
	Ready    bool            // notifications/initialized has arrived
	Batch    string          // see Condition
}
