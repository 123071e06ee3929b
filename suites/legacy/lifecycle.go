package legacy

import (
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

func lifecycle(s *kit.Section) {
	lifecycleInitialize(s)
	lifecycleVersion(s)
	lifecycleCapabilities(s)
	lifecycleInitialized(s)
	lifecycleOperation(s)
	lifecycleTimeouts(s)
}

// publishedVersions are the revisions that the specification has published, and the pre-release that SDKs still list.
var publishedVersions = append(revision.All(), revision.Prerelease)

// lifecycleInitialize is about the answer to initialize: what a server says about itself.
func lifecycleInitialize(s *kit.Section) {
	s.Check("lifecycle.initialize.answered", inventory, func(t *kit.T) {
		x := t.In(inventory).Sent("initialize")
		t.MustConclude(x)
		if t.OldTransport() && (x.Status() == 404 || x.Status() == 405) {
			t.Blocked("http-sse.two-endpoints", "the announced endpoint takes no POST: "+kit.Describe(x))
		}
		t.Expect(x, kit.Served())
	})

	s.Check("lifecycle.initialize.protocol-version", inventory, func(t *kit.T) {
		t.Control("initialize")
		x := t.Answered("initialize")
		answer, _ := x.Answer()
		t.Says("a non-empty string protocolVersion")
		version, _ := kit.Text(answer.Result, "protocolVersion")
		if version == "" {
			raw, _ := answer.Pointer("/result/protocolVersion")
			t.Breach(x, "a non-empty string protocolVersion", "protocolVersion "+kit.JSON(raw))
			return
		}
		t.OK(x, "protocolVersion is %q", version)
	})

	s.Passive("lifecycle.initialize.known-version", func(t *kit.T) {
		t.Says("a version that the specification has published")
		seen := map[string]bool{}
		for _, x := range t.Exchanges() {
			version := offeredVersion(x)
			if version == "" || seen[version] {
				continue
			}
			seen[version] = true
			if slices.Contains(publishedVersions, version) {
				t.OK(x, "every version that was answered is a published one, such as %s", version)
				continue
			}
			t.Cause("")
			if version == askedVersion(x) {
				t.Cause(causeRepeated)
			}
			t.Note(x, "initialize is answered with the version %q, which was never published; clients that keep a list of versions disconnect", version)
		}
	})

	s.Check("lifecycle.initialize.capabilities", inventory, func(t *kit.T) {
		t.Control("initialize")
		x := t.Answered("initialize")
		answer, _ := x.Answer()
		t.Says("capabilities as the schema has them")
		capabilities, _ := answer.Pointer("/result/capabilities")
		if kit.JSONType(capabilities) != "object" {
			t.Breach(x, "capabilities, an object", "capabilities "+kit.JSON(capabilities))
			return
		}
		for _, c := range knownCapabilities {
			raw, declared := answer.Pointer("/result/capabilities/" + c.name)
			if !declared || revision.Before(spokenRevision(t), c.since) {
				continue
			}
			if kit.JSONType(raw) != "object" {
				t.Breach(x, "capabilities."+c.name+", an object", kit.JSON(raw))
				continue
			}
			for _, flag := range c.flags {
				value, present := answer.Pointer("/result/capabilities/" + c.name + "/" + flag)
				if present && kit.JSONType(value) != "boolean" {
					t.Breach(x, fmt.Sprintf("capabilities.%s.%s, a boolean", c.name, flag), kit.JSON(value))
				}
			}
		}
		t.OK(x, "capabilities is an object and so is every known member")
	})

	s.Check("lifecycle.initialize.server-info", inventory, func(t *kit.T) {
		t.Control("initialize")
		x := t.Answered("initialize")
		answer, _ := x.Answer()
		t.Says("serverInfo with the strings name and version")
		info, _ := answer.Pointer("/result/serverInfo")
		if kit.JSONType(info) != "object" {
			t.Breach(x, "serverInfo, an object", "serverInfo "+kit.JSON(info))
			return
		}
		for _, m := range serverInfoMembers {
			raw, present := answer.Pointer("/result/serverInfo/" + m.name)
			switch {
			case revision.Before(spokenRevision(t), m.since), !present && !m.required:
			case kit.JSONType(raw) != m.kind:
				t.Breach(x, fmt.Sprintf("serverInfo.%s, of type %s", m.name, m.kind), kit.JSON(raw))
			case m.required && string(raw) == `""`:
				t.Note(x, "serverInfo.%s is an empty string", m.name)
			}
		}
		t.OK(x, "serverInfo has name and version, and every known member has its type")
	})

	s.Check("lifecycle.initialize.instructions", inventory, func(t *kit.T) {
		t.Control("initialize")
		x := t.Answered("initialize")
		answer, _ := x.Answer()
		t.Says("instructions, a string")
		raw, present := answer.Pointer("/result/instructions")
		if !present {
			t.NotApplicable("the server gives no instructions")
		}
		if kit.JSONType(raw) != "string" {
			t.Breach(x, "instructions, a string", kit.JSON(raw))
		}
		t.OK(x, "instructions is a string")
	})
}

// knownCapabilities are the server capabilities that the schemas define, from the revision that introduced each; the flags are their
// boolean members. Under an older revision they are just unknown members, and those are allowed.
var knownCapabilities = []struct {
	name, since string
	flags       []string
}{
	{"experimental", "", nil},
	{"logging", "", nil},
	{"prompts", "", []string{"listChanged"}},
	{"resources", "", []string{"listChanged", "subscribe"}},
	{"tools", "", []string{"listChanged"}},
	{"completions", "2025-03-26", nil},
	{"tasks", "2025-11-25", nil},
}

// serverInfoMembers are the members of Implementation in the schemas, from the revision that introduced each.
var serverInfoMembers = []struct {
	name, kind, since string
	required          bool
}{
	{"name", "string", "", true},
	{"version", "string", "", true},
	{"title", "string", "2025-06-18", false},
	{"description", "string", "2025-11-25", false},
	{"icons", "array", "2025-11-25", false},
	{"websiteUrl", "string", "2025-11-25", false},
}

// spokenRevision is the revision whose message rules hold: the negotiated one, or the one that was asked for where the answer names
// none.
func spokenRevision(t *kit.T) string {
	if negotiated := t.Facts().Negotiated; negotiated != "" {
		return negotiated
	}
	return t.Revision()
}
