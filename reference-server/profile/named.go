package profile

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/reference-server/revision"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// Default is the name of the profile that shows the most.
const Default = "sse"

// profiles is the closed list, the default first.
func profiles() []Profile {
	full := Profile{Sessions: true, SSE: true, GET: true, DELETE: true, Store: true}
	named := func(name, about string, change func(*Profile)) Profile {
		p := full
		p.Name, p.About = name, about
		change(&p)
		return p
	}
	return []Profile{
		named(Default, "sessions, SSE answers, GET stream, resumption", func(*Profile) {}),
		named("json", "JSON answers wherever one message suffices, no resumption", func(p *Profile) { p.SSE, p.Store = false, false }),
		named("stateless", "no sessions, JSON answers, GET and DELETE refused with 405", func(p *Profile) {
			*p = Profile{Name: p.Name, About: p.About}
		}),
		named("stateless-sse", "no sessions, SSE answers, GET and DELETE refused with 405", func(p *Profile) {
			*p = Profile{Name: p.Name, About: p.About, SSE: true}
		}),
		named("no-get", "sessions and SSE answers, GET refused with 405", func(p *Profile) { p.GET, p.Store = false, false }),
		named("no-delete", "sessions that clients cannot end: DELETE refused with 405", func(p *Profile) { p.DELETE = false }),
		named("no-store", "SSE answers without event ids", func(p *Profile) { p.Store = false }),
		named("talkative", "like sse, with pings and log messages on the GET stream", func(p *Profile) { p.Talkative = true }),
		named("paging", "like sse, lists come in pages of two", func(p *Profile) { p.PageSize = 2 }),
		named("short-lived", "like sse, sessions end after 8 exchanges", func(p *Profile) { p.Lifetime = 8 }),
		named("tasks", "like sse, with a tool that must be called as a task", func(p *Profile) { p.Tasks = true }),
		named("bare", "like stateless, with tools and no other feature", func(p *Profile) {
			*p = Profile{Name: p.Name, About: p.About, ToolsOnly: true}
		}),
		named("failing", "like json, prompts and completions fail inside the server", func(p *Profile) {
			p.SSE, p.Store, p.Failing = false, false, true
		}),
		named("latest-only", "like sse, speaks 2025-11-25 only", func(p *Profile) { p.Revisions = []string{revision.V20251125} }),
		named("old", "like sse, speaks nothing newer than 2025-03-26", func(p *Profile) {
			p.Revisions = []string{revision.V20241105, revision.V20250326}
		}),
		named("oldest", "like sse, speaks 2024-11-05 only", func(p *Profile) { p.Revisions = []string{revision.V20241105} }),
		named("oldest-stateless", "like stateless, speaks 2024-11-05 only", func(p *Profile) {
			*p = Profile{Name: p.Name, About: p.About, Revisions: []string{revision.V20241105}}
		}),
	}
}

// oldProfiles speak the transport of 2024-11-05, alone or too.
func oldProfiles() []Profile {
	return []Profile{
		{Name: "http-sse", About: "the HTTP+SSE transport of 2024-11-05 only", Transport: TransportHTTPSSE, Sessions: true, SSE: true, GET: true},
		{Name: "unified", About: "like sse, with HTTP+SSE on the same endpoint", Transport: TransportUnified,
			Sessions: true, SSE: true, GET: true, DELETE: true, Store: true},
	}
}

// authProfiles want credentials: whoever has none gets no further than the metadata.
func authProfiles() []Profile {
	return []Profile{
		{Name: "auth", About: "like sse, wants the token " + web.TokenFull, Auth: true,
			Sessions: true, SSE: true, GET: true, DELETE: true, Store: true},
		{Name: "modern-auth", About: "like modern-json, wants the token " + web.TokenFull, Era: EraModern, Auth: true},
		{Name: "dual-auth", About: "like dual, wants the token " + web.TokenFull, Era: EraDual, Auth: true,
			Sessions: true, SSE: true, GET: true, DELETE: true, Store: true},
	}
}

// modernProfiles speak 2026-07-28, alone or too. It has no sessions, so that only few things are left open.
func modernProfiles() []Profile {
	return []Profile{
		{Name: "modern", About: "2026-07-28 only, SSE answers", Era: EraModern, SSE: true},
		{Name: "modern-json", About: "2026-07-28 only, JSON answers wherever one message suffices", Era: EraModern},
		{Name: "modern-paging", About: "like modern, lists come in pages of two", Era: EraModern, SSE: true, PageSize: 2},
		{Name: "modern-bare", About: "like modern-json, with tools and no other feature", Era: EraModern, ToolsOnly: true},
		{Name: "modern-deaf", About: "like modern-json, has no tools and refuses notifications", Era: EraModern, NoTools: true, Deaf: true},
		{Name: "modern-failing", About: "like modern-json, prompts and completions fail inside the server", Era: EraModern, Failing: true},
		{Name: "dual", About: "like sse, and 2026-07-28 on the same endpoint", Era: EraDual,
			Sessions: true, SSE: true, GET: true, DELETE: true, Store: true},
		{Name: "official", About: "like dual, with what the scenarios of the official conformance suite call", Era: EraDual,
			Sessions: true, SSE: true, GET: true, DELETE: true, Store: true, Official: true},
	}
}

// Names returns the names of the profiles of the legacy era that speak Streamable HTTP alone to everybody, the default first.
func Names() []string { return names(profiles()) }

// AllNames returns the names of all profiles, the default first.
func AllNames() []string { return names(allProfiles()) }

func allProfiles() []Profile {
	return slices.Concat(profiles(), modernProfiles(), oldProfiles(), authProfiles())
}

func names(profiles []Profile) []string {
	var names []string
	for _, p := range profiles {
		names = append(names, p.Name)
	}
	return names
}

// ByName returns a known profile; the empty name means the default.
func ByName(name string) (Profile, bool) {
	if name == "" {
		name = Default
	}
	all := allProfiles()
	i := slices.IndexFunc(all, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, false
	}
	p := all[i]
	if p.Era == "" {
		p.Era = EraLegacy
	}
	if p.Transport == "" {
		p.Transport = TransportStreamable
	}
	return p, true
}
