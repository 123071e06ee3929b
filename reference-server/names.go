package refserver

import (
	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/legacy"
	"github.com/mcpcheck/mcpcheck/reference-server/modern"
	"github.com/mcpcheck/mcpcheck/reference-server/profile"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// A Profile is what the specification leaves open.
type Profile = profile.Profile

// A Deviation is what is wrong.
type Deviation = deviation.Deviation

// An Edit changes what goes out.
type Edit = deviation.Edit

// An EventEdit changes the lines of an event.
type EventEdit = deviation.EventEdit

// A Splice replaces a text by bytes.
type Splice = deviation.Splice

// A WireEdit changes what comes in.
type WireEdit = deviation.WireEdit

// A Condition narrows a deviation to some exchanges.
type Condition = deviation.Condition

const (
	// DefaultProfile is the name of the profile that shows the most.
	DefaultProfile = profile.Default

	// Values of Profile.Era.
	EraLegacy = profile.EraLegacy
	EraModern = profile.EraModern
	EraDual   = profile.EraDual

	// Values of Profile.Transport.
	TransportStreamable = profile.TransportStreamable
	TransportHTTPSSE    = profile.TransportHTTPSSE
	TransportUnified    = profile.TransportUnified

	// Where a server is mounted by [Serve] and [Listen], and where it takes the messages of HTTP+SSE.
	Path        = web.Path
	MessagePath = legacy.MessagePath

	// The tokens of a server that wants some (Profile.Auth).
	TokenFull          = web.TokenFull
	TokenNarrow        = web.TokenNarrow
	TokenOtherAudience = web.TokenOtherAudience
)

// Profiles returns the names of the profiles of the legacy era that speak Streamable HTTP alone to everybody, the default first.
func Profiles() []string { return profile.Names() }

// AllProfiles returns the names of all profiles, the default first.
func AllProfiles() []string { return profile.AllNames() }

// ProfileByName returns a known profile; the empty name means the default.
func ProfileByName(name string) (Profile, bool) { return profile.ByName(name) }

// Transports returns the values of Profile.Transport, the default first.
func Transports() []string { return profile.Transports() }

// Eras returns the values of Profile.Era, the default first.
func Eras() []string { return profile.Eras() }

// LegacyRevisions returns the revisions with an initialize handshake, oldest first.
func LegacyRevisions() []string { return revision.Legacy() }

// Revisions returns every revision that the server can speak, oldest first.
func Revisions() []string { return revision.All() }

// words are all that a deviation can name.
func words() deviation.Vocabulary {
	return deviation.Join(core.Words(), web.Words(), legacy.Words(), modern.Words())
}

// Outcomes returns the names of all HTTP answers, refusals first: what Edit.On may be besides a selector of messages.
func Outcomes() []string { return words().Outcomes() }
