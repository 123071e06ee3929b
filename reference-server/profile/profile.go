// Package profile has what the specification leaves to a server, as data, and the profiles that the reference server is known
// by.
package profile

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// Values of Profile.Transport.
const (
	TransportStreamable = "streamable-http"
	TransportHTTPSSE    = "http-sse" // of 2024-11-05: GET at the endpoint, POST at a path of its own
	TransportUnified    = "unified"  // both: a GET without a session id that asks for events is HTTP+SSE
)

// Transports returns the values of Profile.Transport, the default first.
func Transports() []string { return []string{TransportStreamable, TransportHTTPSSE, TransportUnified} }

// Values of Profile.Era.
const (
	EraLegacy = "legacy" // the revisions with an initialize handshake
	EraModern = "modern" // those in which every request stands on its own
	EraDual   = "dual"   // both, on the same endpoint
)

// Eras returns the values of Profile.Era, the default first.
func Eras() []string { return []string{EraLegacy, EraModern, EraDual} }

// A Profile decides what the specification leaves to a server. Profiles are plain data: copy one and change it.
type Profile struct {
	Name      string
	About     string
	Era       string   // see Eras; empty means the first
	Transport string   // of the legacy era, see Transports; empty means the first
	Revisions []string // negotiated by initialize; none means all of the legacy era
	Sessions  bool     // assigns session ids and demands them
	SSE       bool     // answers requests on event streams where JSON would do
	GET       bool     // offers a stream for messages of the server
	DELETE    bool     // lets clients end their sessions
	Store     bool     // gives events ids, keeps them and replays them
	Talkative bool     // pings and logs on the GET stream
	PageSize  int      // items of a list page; 0 means all
	Lifetime  int      // exchanges after which the server ends a session; 0 means none
	Tasks     bool     // has a tool that must be called as a task
	Auth      bool     // wants a token, see web/auth.go
	ToolsOnly bool     // has tools and no other feature
	NoTools   bool     // has every feature but tools
	Completes bool     // has one of two arguments ahead of Prompts, and completes it
	Tools     []string // offered in place of its own ones: each takes nothing, does nothing, and says a fixed text
	Prompts   []string // offered beside Tools where there is nothing else: each takes nothing, and says its name
	Parks     bool     // ends the connection ahead of the answers of those, where a client can come back for it
	Pages     []int    // items of each list page, in place of PageSize; its cursors are full of characters that need care
	Task      string   // the one of Tools that must be called as a task, with Tasks
	State     string   // the one of Tools that has the client come back with a state, where results can (2026-07-28)
	Deaf      bool     // refuses notifications, where none means anything (2026-07-28)
	Failing   bool     // cannot serve prompts and completions for a reason of its own: -32603
	Official  bool     // has what the scenarios of the official conformance suite call, beside its own

	// Reports is how long those of Tools take that are called with a progress token, telling in eight steps how far they are; 0: no time.
	Reports time.Duration

	Inputs map[string]map[string]any // input schemas of some of Tools; the others take nothing
}

// Settle fills in the transport, and what that of 2024-11-05 alone leaves no choice in. It fails where choices exclude each other.
func (p *Profile) Settle() error {
	if p.Era == "" {
		p.Era = EraLegacy
	}
	if !slices.Contains(Eras(), p.Era) {
		return fmt.Errorf("profile: unknown era %q; known are: %s", p.Era, strings.Join(Eras(), ", "))
	}
	if p.Transport == "" {
		p.Transport = TransportStreamable
	}
	if !slices.Contains(Transports(), p.Transport) {
		return fmt.Errorf("profile: unknown transport %q; known are: %s", p.Transport, strings.Join(Transports(), ", "))
	}
	if p.HasModern() && p.HasHTTPSSE() {
		return fmt.Errorf("profile: the transport %s has no place for the era %s", p.Transport, p.Era)
	}
	if p.Transport == TransportHTTPSSE {
		p.Sessions, p.SSE, p.GET, p.DELETE, p.Store, p.Lifetime = true, true, true, false, false, 0
	}
	if p.Store && !p.Sessions {
		return errors.New("profile: events are stored in sessions, so Store needs Sessions")
	}
	return nil
}

// HasModern tells whether 2026-07-28 is served, alone or too.
func (p Profile) HasModern() bool { return p.Era == EraModern || p.Era == EraDual }

// HasLegacy tells whether initialize is served.
func (p Profile) HasLegacy() bool { return p.Era != EraModern }

// HasHTTPSSE tells whether the transport of 2024-11-05 is served, alone or too.
func (p Profile) HasHTTPSSE() bool {
	return p.Transport == TransportHTTPSSE || p.Transport == TransportUnified
}

// Negotiate answers the version that a client asked for: the same where supported, otherwise the newest
// (basic/lifecycle#version-negotiation).
func (p Profile) Negotiate(asked string) string {
	if p.Supports(asked) {
		return asked
	}
	return revision.Newest(p.Spoken())
}

// Supports tells whether a revision is spoken.
func (p Profile) Supports(rev string) bool {
	return slices.Contains(p.Spoken(), rev)
}

// Spoken returns the revisions that initialize may agree on, oldest first.
func (p Profile) Spoken() []string {
	if len(p.Revisions) == 0 {
		return revision.Legacy()
	}
	return p.Revisions
}

// Versions returns every revision of every era that is served, newest first: what server/discover lists.
func (p Profile) Versions() []string {
	var all []string
	if p.HasLegacy() {
		all = append(all, p.Spoken()...)
	}
	if p.HasModern() {
		all = append(all, revision.Modern()...)
	}
	slices.Reverse(all)
	return all
}
