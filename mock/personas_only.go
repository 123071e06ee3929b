package mock

import (
	"slices"
	"strings"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// legacy are the revisions with a handshake that were asked for.
func (o OnRequest) legacy() []string {
	return slices.DeleteFunc(slices.Clone(o.Revisions), func(r string) bool { return !slices.Contains(refserver.LegacyRevisions(), r) })
}

// only are the personas of the revisions that were asked for: each of the legacy era once for each of them, speaking nothing else.
func (o OnRequest) only(list []Persona) []Persona {
	if len(o.Revisions) == 0 {
		return list
	}
	var some []Persona
	for _, p := range list {
		if p.Profile.HasModern() && slices.ContainsFunc(o.Revisions, func(r string) bool { return !slices.Contains(o.legacy(), r) }) {
			some = append(some, p)
		}
	}
	for _, r := range o.legacy() {
		for _, p := range list {
			if !p.Profile.HasModern() && p.canSpeak(r) {
				some = append(some, p.speaking(r))
			}
		}
	}
	return some
}

// asksForOldest tells that the revision was named whose only transport is HTTP+SSE.
func (o OnRequest) asksForOldest() bool {
	return slices.Contains(o.Revisions, refserver.LegacyRevisions()[0])
}

// refused belongs to the revision that the client asks for: no other is agreed on.
func (o OnRequest) refused(c Client) Persona {
	p := refused()
	if len(o.Revisions) > 0 {
		p.Profile.Revisions = []string{c.Asked}
	}
	return p
}

// canSpeak tells that a persona is one of a revision: not of another, nor of its transport.
func (p Persona) canSpeak(revision string) bool {
	oldest := revision == refserver.LegacyRevisions()[0]
	return p.Profile.HasHTTPSSE() == oldest && (len(p.Profile.Revisions) == 0 || slices.Contains(p.Profile.Revisions, revision))
}

// speaking is the persona with nothing but a revision.
func (p Persona) speaking(revision string) Persona {
	p.Profile.Revisions = []string{revision}
	if !strings.Contains(p.About, revision) {
		p.About = revision + " only, " + p.About
	}
	p.Parts = slices.Clone(p.Parts)
	for i := range p.Parts {
		p.Parts[i] = p.Parts[i].speaking(revision)
	}
	return p
}

// same tells that two personas are one, to be met again.
func (p Persona) same(o Persona) bool {
	return p.Name == o.Name && slices.Equal(p.Profile.Revisions, o.Profile.Revisions)
}
