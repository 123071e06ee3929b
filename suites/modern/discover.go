package modern

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func discover(s *kit.Section) {
	s.Check("modern.discover.implemented", inventory, func(t *kit.T) {
		const expected = "a result of server/discover"
		t.Says(expected)
		x := t.Conclusive(methodDiscover, gatewayless...)
		switch code := codeOf(x); {
		case processed(x):
			t.OK(x, "%s", kit.Describe(x))
		case code == codeInvalidParams:
			t.Blocked("modern.discover.no-params-needed", "refused for its params", x)
		default:
			misanswered(t, x, expected)
		}
	})
	s.Check("modern.discover.no-params-needed", inventory, func(t *kit.T) {
		const expected = "a result for params that hold nothing but _meta"
		t.Says(expected)
		x := t.Conclusive(methodDiscover)
		switch code := codeOf(x); {
		case processed(x):
			t.OK(x, "%s", kit.Describe(x))
		case code == codeInvalidParams:
			t.Breach(x, expected, kit.Describe(x))
		default:
			t.Blocked("modern.discover.implemented", "server/discover is not served", x)
		}
	})
	s.Check("modern.discover.result-shape", inventory, func(t *kit.T) {
		t.Says("supportedVersions as an array of strings and capabilities as an object, with members of their types")
		x, answer := discovered(t)
		breach := func(what string) { t.Breach(x, "a DiscoverResult", what) }
		versions, there := answer.Pointer("/result/supportedVersions")
		switch {
		case !there:
			breach("no supportedVersions")
		case !allStrings(versions):
			breach("supportedVersions " + kit.JSON(versions))
		}
		capabilities, there := answer.Pointer("/result/capabilities")
		switch {
		case !there:
			breach("no capabilities")
		case kit.JSONType(capabilities) != "object":
			breach("capabilities " + kit.JSON(capabilities))
		default:
			for _, what := range mistypedCapabilities(capabilities) {
				breach(what)
			}
		}
		if raw, there := answer.Pointer("/result/instructions"); there && kit.JSONType(raw) != "string" {
			breach("instructions " + kit.JSON(raw))
		}
		t.OK(x, "every member has its type")
	})
	s.Check("modern.discover.server-info", inventory, func(t *kit.T) {
		const expected = "name and version in _meta." + keyServerInfo
		t.Says(expected)
		x, answer := discovered(t)
		raw, there := member(answer, "/result/_meta", keyServerInfo)
		switch _, old := answer.Pointer("/result/serverInfo"); {
		case there:
			t.OK(x, "it says that it is %s", kit.JSON(raw))
		case old:
			t.Breach(x, expected, "serverInfo beside _meta, as before the release")
		default:
			t.Breach(x, expected, "no "+keyServerInfo)
		}
	})
}

// mistypedCapabilities lists what is wrong in declared capabilities; names that the revision does not know are free.
func mistypedCapabilities(raw json.RawMessage) []string {
	var declared map[string]json.RawMessage
	_ = json.Unmarshal(raw, &declared)
	var wrong []string
	for _, name := range []string{"tools", "prompts", "resources", "completions", "logging", "extensions", "experimental"} {
		value, there := declared[name]
		if !there {
			continue
		}
		if kit.JSONType(value) != "object" {
			wrong = append(wrong, "capabilities."+name+" "+kit.JSON(value))
			continue
		}
		var members map[string]json.RawMessage
		_ = json.Unmarshal(value, &members)
		if name == "extensions" || name == "experimental" {
			for key, v := range members {
				if kit.JSONType(v) != "object" {
					wrong = append(wrong, fmt.Sprintf("capabilities.%s[%q] %s", name, key, kit.JSON(v)))
				}
			}
			continue
		}
		for _, flag := range []string{"listChanged", "subscribe"} {
			if v, there := members[flag]; there && kit.JSONType(v) != "boolean" {
				wrong = append(wrong, fmt.Sprintf("capabilities.%s.%s %s", name, flag, kit.JSON(v)))
			}
		}
	}
	slices.Sort(wrong)
	return wrong
}
