// Package core has what a method of the server does, whichever era its client is of: tools, resources, prompts, completion,
// logging, pagination, sampling, elicitation and tasks, as functions of a [Caller]. How a caller is known and how a message
// reaches it is for the era, and nothing of HTTP, sessions or streams is known here.
package core

import (
	"encoding/json"
	"sync"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// A Caller is who sent a request, as far as the method that answers it may know. An era fills it in: from what initialize
// agreed on, or from what the request itself says.
type Caller struct {
	Revision     string
	Guessed      bool // nothing told the server which revision it is
	Capabilities ClientCapabilities
	State        *State
	Keeps        bool // there is a session, whose state is that of all its requests
	Pushes       bool // messages that belong to no request reach the client
	Line         Line
}

// ClientCapabilities are what a client declares that it can be asked for. Each is JSON as it came; nil where it is not declared.
type ClientCapabilities struct {
	Roots       json.RawMessage `json:"roots"`
	Sampling    json.RawMessage `json:"sampling"`
	Elicitation json.RawMessage `json:"elicitation"`
}

// A Line is how a method reaches the client while it answers. How that looks on the wire is for the era.
type Line interface {
	// Ask asks the client and returns the results that it gave, in the order of the questions. Where one is missing (yet), instead is
	// what the method has to answer in place of going on: a failure, a *jsonrpc.Error, or the questions themselves where it is the
	// client who comes back with the answers.
	// A method may therefore run again from its beginning, and then has to ask the same in the same order. To ask for nothing has the client
	// come back with a state (2026-07-28).
	Ask(questions ...Question) (answers []json.RawMessage, instead any)
	// Notify sends a notification that belongs to the request, ahead of the response.
	Notify(out jsonrpc.Outgoing)
	// Log sends a log message that belongs to the request, where the client wants messages of that level.
	Log(level, text string)
	// Announce sends a notification that belongs to no request, such as the change of a list.
	Announce(out jsonrpc.Outgoing)
	// CanPark tells whether the connection may end ahead of the response because the client can come back for it.
	CanPark() bool
	// Park ends it. It is called only where CanPark is true.
	Park()
}

// A Question is what a method asks the client.
type Question struct {
	Key    string // names it where the client comes back with the answer; empty: its number does
	Method string
	Params any // nil: none
}

// State is what a client left behind. One that sees another's would break the walls between them, so that the era keeps one
// for each: of a session, for example.
type State struct {
	mu         sync.Mutex
	level      int // of log messages, see logLevels
	subscribed map[string]bool
	notes      []string
	tasks      map[string]task // by task id
}

// NewState is the state of a client that has done nothing so far.
func NewState() *State {
	return &State{level: defaultLevel, subscribed: map[string]bool{}, tasks: map[string]task{}}
}
