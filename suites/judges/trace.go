package judges

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// The formats of W3C Trace Context and of W3C Baggage, as far as a value can be read by others only if it has them.
var (
	traceParent = regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$`)
	traceKey    = regexp.MustCompile(`^([a-z0-9][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})$`)
	traceValue  = regexp.MustCompile("^[ -+\\--<>-~]{0,255}[!-+\\--<>-~]$")
	baggageKey  = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	baggageText = regexp.MustCompile(`^[!#-+\--:<-\[\]-~]*$`)
)

// maxTraceMembers is how many members tracestate may have.
const maxTraceMembers = 32

// TraceContext judges what _meta carries for tracing.
func TraceContext(t *kit.T) {
	const expected = "values in the formats of W3C Trace Context and Baggage"
	t.Says(expected)
	EachMetaKey(t, func(m kit.Seen, key string, raw json.RawMessage) {
		reads, traces := map[string]func(string) bool{"traceparent": isTraceParent, "tracestate": isTraceState, "baggage": isBaggage}[key]
		switch {
		case !traces:
		case kit.JSONType(raw) == "string" && reads(wire.Unquote(raw)):
			t.OK(m.Exchange, "%s is well-formed", key)
		default:
			t.BreachAt(m, expected, key+" "+kit.JSON(raw))
		}
	})
	if !t.Observed() {
		t.NotApplicable("the server sends neither traceparent nor tracestate nor baggage")
	}
}

// isTraceParent: one of a later version may have more behind it (trace-context, "Versioning of traceparent").
func isTraceParent(v string) bool {
	parts := traceParent.FindStringSubmatch(v)
	return parts != nil && parts[1] != "ff" && strings.Trim(parts[2], "0") != "" && strings.Trim(parts[3], "0") != "" && (parts[1] != "00" || parts[4] == "")
}

func isTraceState(v string) bool {
	members := strings.Split(v, ",")
	for _, member := range members {
		// Members may be empty.
		if member = strings.Trim(member, " \t"); member == "" {
			continue
		}
		key, value, ok := strings.Cut(member, "=")
		if !ok || !traceKey.MatchString(key) || !traceValue.MatchString(value) {
			return false
		}
	}
	return len(members) <= maxTraceMembers
}

func isBaggage(v string) bool {
	for _, member := range strings.Split(v, ",") {
		item, properties, _ := strings.Cut(member, ";")
		if !isBaggageItem(item, true) {
			return false
		}
		for _, property := range strings.Split(properties, ";") {
			if strings.TrimSpace(property) != "" && !isBaggageItem(property, false) {
				return false
			}
		}
	}
	return true
}

// isBaggageItem: a property may be a key alone.
func isBaggageItem(item string, valued bool) bool {
	key, value, ok := strings.Cut(item, "=")
	return (ok || !valued) && baggageKey.MatchString(strings.Trim(key, " \t")) && baggageText.MatchString(strings.Trim(value, " \t"))
}
