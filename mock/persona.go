// Package mock stands in as the server when a client is under test: it starts the client once for each persona, a way in which a server
// may behave, and records what the client sends and what it was answered. It judges nothing.
package mock

import (
	"slices"
	"time"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// EchoTool is the tool that every persona lists first: it takes nothing, does nothing, and says its name.
const EchoTool = "mcpcheck_echo"

// A Persona is a way in which a server may behave, as data: a profile of the reference server, and its deviations.
type Persona struct {
	// Name is stable: it is the script of the transcripts.
	Name string
	// About tells people what the server does, in a sentence without a stop.
	About string
	// Person is what a person has to know who uses the client by hand, beside the steps that are the same everywhere: a sentence without a
	// stop, "" for nothing.
	Person string
	// Conforms tells that nothing it does breaks the specification: our own suites of servers have nothing against it, which a test proves.
	Conforms bool
	Profile  refserver.Profile
	// Twice: what a client leaves undone here counts only where it does so on two tries, so that it is started again.
	Twice bool
	// Parts have each something of what this packs into one start; they tell what a client stumbled over.
	Parts []Persona
	// Deviation is what is unusual, and wrong where it does not conform; nil for nothing.
	Deviation *refserver.Deviation
	// Silence is how long the first call of a tool waits for its answer, 0 where it does not: which call that was, and that it was
	// meant to wait, is written down.
	Silence time.Duration
	// Asks are the capabilities that it makes use of where the client declared them, though that costs money or opens dialogs.
	Asks []string
	// Auth is what it wants of its clients, nil for nothing.
	Auth *Auth
}

// Client is what the first starts showed of a client, by which the later personas are chosen.
type Client struct {
	// Legacy and Modern tell which eras it spoke.
	Legacy, Modern bool
	// Asked is the version in its initialize, "" without one.
	Asked string
	// Declares are the names of the capabilities that it declared.
	Declares []string
	// Tasks tells that it declared tasks, or asked for one.
	Tasks bool
	// Other tells that it sent messages that belong to neither: it knows no handshake.
	Other bool
}

// First are the personas that tell what a client speaks: the control, twice, and a server of 2026-07-28 only. In the transport of 2024-11-05
// there is one persona to be the control.
func First(o OnRequest) []Persona {
	first := []Persona{plain(), plain(), modernOnly()}
	if o.asksForOldest() {
		first = append(first, oldSSE(), oldSSE())
	}
	return o.only(first)
}

// Then are the personas for a client of which that much is known, and those that the user asks for.
func Then(c Client, o OnRequest) []Persona {
	var list []Persona
	if c.Legacy {
		list = append(list, streams(), batch(), o.refused(c), lost(), resume())
		if !o.asksForOldest() {
			list = append(list, oldSSE())
		}
		if c.Tasks && slices.Contains(tasks().Profile.Revisions, c.Asked) {
			list = append(list, tasks())
		}
		for _, r := range o.legacy() {
			list = append(list, olderServer(r))
		}
		if older := olderThan(c.Asked); older != "" && len(o.Revisions) == 0 {
			list = append(list, olderServer(older))
		}
		if newest := newestLegacy(); c.Asked != newest && slices.Contains(refserver.LegacyRevisions(), c.Asked) {
			list = append(list, newer(newest))
		}
	}
	if c.Modern {
		list = append(list, modernStreams(), modernRefused(), modernMismatch(), modernCut(), modernInvalid())
	}
	if c.Other && !c.Legacy && !c.Modern {
		list = append(list, open())
	}
	return o.only(append(list, o.personas(c)...))
}

// All are the personas that there are, for lists and for the test that holds those that conform against our own suites.
func All() []Persona {
	all := []Persona{plain(), streams(), batch(), olderServer("2025-06-18"), newer(newestLegacy()), refused(), lost(), resume(), oldSSE(),
		modernOnly(), modernStreams(), modernRefused(), modernMismatch(), modernCut(), modernInvalid()}
	all = append(all, oldSSEAbsolute(), oldSSEElsewhere(), tasks(), open())
	all = append(all, OnRequest{ClientTimeout: time.Second, Provoke: Provocations(), Token: "test token", Rough: true}.personas(Client{Legacy: true, Modern: true, Declares: Provocations()})...)
	for _, p := range all {
		all = append(all, p.Parts...)
	}
	return all
}

func newestLegacy() string {
	all := refserver.LegacyRevisions()
	return all[len(all)-1]
}

// olderThan is the published revision before the one that a client asked for, "" where there is none over Streamable HTTP.
func olderThan(asked string) string {
	all := refserver.LegacyRevisions()
	i := slices.Index(all, asked)
	if i <= 1 {
		return ""
	}
	return all[i-1]
}
