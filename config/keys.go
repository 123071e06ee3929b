package config

// A kind is what the value of a key looks like.
type kind int

const (
	text     kind = iota // one line
	list                 // a text, or a list of them
	truth                // true or false
	number               // a whole number, 0 or more
	duration             // 10s, 5m
	file                 // a path, relative to the folder of the configuration
	headers              // names and values
	calls                // tools and their arguments
	outputs              // formats and paths
)

// keyHeaders is the one key whose defaults and own values add up.
const keyHeaders = "headers"

// A key is a word that a file may have at its top, among the defaults or in a target. The one list is also what the schema, the hints and
// the file that init writes are made from.
type key struct {
	name string
	// flag is what it sets; "" for what only a target is.
	flag string
	kind kind
	// help is a sentence without its full stop, example a value.
	help, example string
	// words are all values that there are, where those are few.
	words []string
}

// Expectations are the outcomes that a target may be expected to have.
var Expectations = []string{"conformant", "not-conformant", "incomplete", "not-tested"}

// settingKeys stand among the defaults and in targets.
var settingKeys = []key{
	{keyHeaders, "header", headers, "header fields that are sent; $VARIABLE is taken from the environment", "{Authorization: Bearer $TOKEN}", nil},
	{"revisions", "revision", list, "only these revisions (default: all that the server speaks)", "[2025-06-18, 2025-11-25]", nil},
	{"era", "era", text, "only this era", "legacy", []string{"legacy", "modern"}},
	{"only", "only", list, "only these requirements: ids, areas, levels, or ids with * in them", "[session, tools]", nil},
	{"skip", "skip", list, "all but these", "[session.id-entropy]", nil},
	{"calls", "call", calls, "tools that may be called, with their arguments", "{echo: {text: hello}}", nil},
	{"baseline", "baseline", file, "findings that are known and do not count", "known.yaml", nil},
	{"strict", "strict", truth, "warnings count as failures", "true", nil},
	{"accept-incomplete", "accept-incomplete", truth, "what could not be looked at does not count", "true", nil},
	{"timeout", "timeout", duration, "how long to wait for an answer", "10s", nil},
	{"window", "window", duration, "how long to watch a stream on which nothing should arrive", "300ms", nil},
	{"concurrency", "concurrency", number, "requests in flight to one server", "8", nil},
	{"wait", "wait", duration, "wait so long for the server to listen", "30s", nil},
	{"max-time", "max-time", duration, "end the run of a server after that time", "5m", nil},
	{"insecure", "insecure", truth, "do not verify the TLS certificate", "true", nil},
	{"ca-cert", "ca-cert", file, "trust the authorities in this PEM file too", "ca.pem", nil},
}

// targetKeys stand in targets only.
var targetKeys = []key{
	{"url", "", text, "the MCP endpoint", "http://localhost:3000/mcp", nil},
	{"name", "", text, "what reports call the server", "staging", nil},
	{"group", "", text, "what --group selects by", "payments", nil},
	{"expect", "", text, "the outcome that is wanted; any other one is a failure", "not-tested", Expectations},
}

// runKeys stand at the top of a file.
var runKeys = []key{
	{"outputs", "output", outputs, "reports that every run writes, each a format and a path", "{junit: mcpcheck.xml, html: mcpcheck.html}", nil},
	{"parallel", "parallel", number, "servers that are checked at a time", "4", nil},
	{"in-flight", "in-flight", number, "requests in flight to all servers together", "32", nil},
	{"per-host", "per-host", number, "requests in flight to the servers of one host together", "8", nil},
}

// The sections of a file.
const (
	sectionDefaults = "defaults"
	sectionTargets  = "targets"
)

func names(keys ...[]key) []string {
	var all []string
	for _, some := range keys {
		for _, k := range some {
			all = append(all, k.name)
		}
	}
	return all
}

func lookup(name string, keys ...[]key) (key, bool) {
	for _, some := range keys {
		for _, k := range some {
			if k.name == name {
				return k, true
			}
		}
	}
	return key{}, false
}
