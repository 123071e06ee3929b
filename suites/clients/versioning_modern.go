package clients

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func versioningModern(s *kit.Section) {
	s.Passive("modern.client.version.retry-supported", retriesSupported)
	s.Passive("modern.client.version.no-fallback-on-modern-error", noFallbackOnModernError)
	s.Passive("modern.client.version.inspect-400-before-fallback", inspects400)
	s.Passive("modern.client.version.fallback-on-unrecognised", fallsBackToInitialize)
	s.Passive("modern.client.version.era-probe-optional", probesEra)
	s.Passive("modern.client.version.cache-era", cachesEra)
	s.Passive("modern.client.version.extension-id-format", extensionIDs)
	s.Passive("modern.client.version.extension-fallback", extensionMethods)
}

// The codes by which a server shows that it is of this era.
const (
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
)

// modernCode is the code of an error that only servers of this era send, 0 for none.
func modernCode(x *wire.Exchange) int64 {
	m, ok := x.Answer()
	code, has := m.ErrorCode()
	if ok && has && slices.Contains([]int64{codeHeaderMismatch, codeMissingCapability, codeUnsupportedVersion}, code) {
		return code
	}
	return 0
}

// A probe is the first request of this revision in a conversation, and what follows it.
type probe struct {
	tr *wire.Transcript
	x  *wire.Exchange
	// initialized is the first initialize behind it, nil without one; more counts the requests of this revision ahead of that.
	initialized *wire.Exchange
	more        int
}

// probes are those of all conversations, in whatever revision they ended.
func probes(t *kit.T) []probe {
	t.Unseen(kit.Unprovoked, "no server refused a request of this revision as that of the other era would")
	var all []probe
	for _, tr := range t.Everywhere() {
		i := slices.IndexFunc(tr.Exchanges, func(x *wire.Exchange) bool { return isModern(x.RequestMessage()) })
		if i < 0 {
			continue
		}
		p := probe{tr: tr, x: tr.Exchanges[i]}
		for _, x := range tr.Exchanges[i+1:] {
			m := x.RequestMessage()
			if p.initialized == nil && m.Method == methodInitialize {
				p.initialized = x
			}
			if p.initialized == nil && isModern(m) && isRequest(m) {
				p.more++
			}
		}
		all = append(all, p)
	}
	return all
}

// listed are the versions that an error offers in its data.
func supportedIn(x *wire.Exchange) []string {
	var versions []string
	m, _ := x.Answer()
	_ = m.Decode("/error/data/supported", &versions) // a server may leave it out
	return versions
}

// retriesSupported: after a refusal of the version comes one that the server lists, or nothing of this era.
func retriesSupported(t *kit.T) {
	const expected = "a version that the server lists, or an end"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no server refused the version of the client")
	for _, tr := range t.Everywhere() {
		for i, x := range tr.Exchanges {
			m := x.RequestMessage()
			if !isModern(m) || modernCode(x) != codeUnsupportedVersion {
				continue
			}
			if slices.ContainsFunc(tr.Exchanges[:i], func(o *wire.Exchange) bool { return modernCode(o) == codeUnsupportedVersion }) {
				continue // the first tells
			}
			offered, again, wrong := supportedIn(x), 0, false
			for _, o := range tr.Exchanges[i+1:] {
				next, method := versionOf(o.RequestMessage()), o.RequestMessage().Method
				switch {
				case next == "" || o.Sent < x.AnsweredAt() || method != m.Method && method != "server/discover" || slices.Contains(offered, next):
				case next == versionOf(m) && again == 0:
					again++
				case next == versionOf(m):
					t.Warn(o, expected, fmt.Sprintf("%s with %s again and again, where the server lists %s", what(o), next, strings.Join(offered, ", ")))
					wrong = true
				default:
					t.Warn(o, expected, fmt.Sprintf("%s with %s, where the server lists %s", what(o), next, strings.Join(offered, ", ")))
					wrong = true
				}
				if wrong {
					break
				}
			}
			if !wrong {
				t.Saw()
			}
		}
	}
}

// versionOf is the version that a message names in its _meta, "" for those of the other era.
func versionOf(m wire.Message) string {
	var version string
	_ = m.Decode(keyVersion, &version) // modern.client.meta.required-fields has it
	return version
}

// noFallbackOnModernError: what shows a server of this era is no reason to turn to the other.
func noFallbackOnModernError(t *kit.T) {
	const expected = "no initialize after an error that only servers of this era send"
	t.Says(expected)
	for _, p := range probes(t) {
		code := modernCode(p.x)
		switch {
		case code != codeHeaderMismatch && code != codeMissingCapability:
		case p.initialized == nil:
			t.Saw()
		case !slices.ContainsFunc(p.tr.Exchanges, func(x *wire.Exchange) bool {
			return x.Sent < p.initialized.Sent && x.Sent > p.x.Sent && isModern(x.RequestMessage()) && x.Served()
		}):
			t.Warn(p.initialized, expected, fmt.Sprintf("initialize after the error %d", code))
		}
	}
	if !t.Observed() {
		t.Unseen(kit.Unprovoked, "no request of this revision was refused with such an error at first")
	}
}

// inspects400: the body of a 400 decides. It sees the same bytes as noFallbackOnModernError, which reports what is wrong.
func inspects400(t *kit.T) {
	t.Says("initialize after a 400 that is no error of this era, and not after one that is")
	modern, legacy := false, false
	for _, p := range probes(t) {
		switch {
		case p.x.Status() != 400:
		case modernCode(p.x) == 0:
			legacy = legacy || p.initialized != nil
		case modernCode(p.x) != codeUnsupportedVersion && p.initialized == nil:
			modern = true
		case modernCode(p.x) == codeHeaderMismatch && p.initialized != nil:
			t.Blocked("modern.client.version.no-fallback-on-modern-error", "it falls back whatever the body says")
		}
	}
	t.Unseen(kit.Unprovoked, "the client did not meet both: a 400 with an error of this era, and one without, after which it goes on")
	if modern && legacy {
		t.Saw()
	}
}

// unrecognised tells that a probe was refused with 400 by what is no error of this era.
func (p probe) unrecognised() bool { return p.x.Status() == 400 && modernCode(p.x) == 0 }

// fallsBackToInitialize: a 400 that says nothing of this era leaves the other.
func fallsBackToInitialize(t *kit.T) {
	const expected = "initialize after a 400 that is no error of this era"
	t.Says(expected)
	var gaveUp []probe
	bothEras := slices.ContainsFunc(t.Everywhere(), func(tr *wire.Transcript) bool { return sends(tr, methodInitialize) })
	for _, p := range probes(t) {
		switch {
		case !p.unrecognised():
		case p.initialized != nil:
			t.Saw()
		default:
			gaveUp = append(gaveUp, p)
		}
	}
	switch {
	case len(gaveUp) > 1 && bothEras:
		t.Warn(gaveUp[0].x, expected, "no initialize, though the client sends it to other servers")
	case len(gaveUp) > 0 && !t.Observed():
		t.Unseen(kit.Inconclusive, "the client sends no initialize to anybody: one that speaks this era alone is right to give up")
	}
}

// probesEra tells in which way a client of both eras finds out what a server speaks: each is right.
func probesEra(t *kit.T) {
	t.Says("a request of this revision first, or initialize")
	t.Unseen(kit.Unprovoked, "the client speaks one era only")
	both := slices.ContainsFunc(t.Everywhere(), func(tr *wire.Transcript) bool { return sends(tr, methodInitialize) })
	for _, p := range probes(t) {
		before := slices.ContainsFunc(p.tr.Exchanges, func(x *wire.Exchange) bool {
			return x.Sent < p.x.Sent && x.RequestMessage().Method == methodInitialize
		})
		switch {
		case before:
			t.OK(p.x, "initialize came first")
		case both:
			t.OK(p.x, "%s came first", what(p.x))
		}
	}
}

// manyProbes is how many requests of this revision one origin gets, each followed by the handshake of the other era, before the client
// cannot have remembered.
const manyProbes = 3

// cachesEra: which era a server is of is found out once.
func cachesEra(t *kit.T) {
	const expected = "at most one try in this revision, once it had to fall back"
	t.Says(expected)
	for _, tr := range t.Everywhere() {
		var tried []*wire.Exchange
		fellBack := false
		for _, x := range tr.Exchanges {
			m := x.RequestMessage()
			fellBack = fellBack || m.Method == methodInitialize && x.Served()
			if isModern(m) && isRequest(m) && !x.Served() && modernCode(x) == 0 {
				tried = append(tried, x)
			}
		}
		switch {
		case len(tried) == 0 || !fellBack:
		case len(tried) >= manyProbes:
			t.Warn(tried[1], expected, fmt.Sprintf("%d tries in one conversation, each refused as a server of the other era does", len(tried)))
		default:
			t.Saw()
		}
	}
	t.Unseen(kit.Unprovoked, "the client did not fall back to the other era")
}

// extensionsOf are the extensions that a message declares.
func extensionsOf(m wire.Message) []string {
	var members map[string]any
	if m.Decode(keyMeta+"clientCapabilities/extensions", &members) != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(members))
}

func extensionIDs(t *kit.T) {
	const expected = "keys with a prefix, such as com.example/name"
	t.Says(expected)
	eachModern(t, func(x *wire.Exchange, m wire.Message) {
		for _, key := range extensionsOf(m) {
			fault, _ := judges.KeyFault(key)
			switch {
			case !strings.Contains(key, "/"):
				t.Breach(x, expected, fmt.Sprintf("the extension %q", key))
			case fault != "":
				t.Breach(x, expected, fmt.Sprintf("the extension %q: %s", key, fault))
			default:
				t.Saw()
			}
		}
	})
	if !t.Observed() {
		t.NotApplicable("the client declares no extensions")
	}
}

// core are the features whose methods belong to the revision itself.
var core = []string{"server", "tools", "resources", "prompts", "completion", "subscriptions", "logging", "initialize", "ping", "notifications", "tasks"}

func extensionMethods(t *kit.T) {
	const expected = "no method of an extension that the server does not declare"
	t.Says(expected)
	for _, tr := range t.Transcripts() {
		discover := discovered(tr)
		if discover == nil {
			continue
		}
		answer, _ := discover.Answer()
		if _, declared := answer.Pointer("/result/capabilities/extensions"); declared {
			continue
		}
		for _, x := range tr.Exchanges {
			m := x.RequestMessage()
			if feature, _, _ := strings.Cut(m.Method, "/"); x.Sent >= discover.AnsweredAt() && isModern(m) && isRequest(m) {
				if !slices.Contains(core, feature) && strings.Contains(m.Method, "/") {
					t.Warn(x, expected, what(x))
					continue
				}
				t.Saw()
			}
		}
	}
	t.Unseen(kit.Unprovoked, "the client asked no server what it can do before it went on")
}
