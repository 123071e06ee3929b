package modern_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/legacy"
	"github.com/mcpcheck/mcpcheck/suites/modern"
)

// check runs the suite of both eras against a handler and returns what the checks of this one give.
func check(t *testing.T, h *small) (*suites.Record, map[string]kit.Result) {
	t.Helper()
	suite, err := suites.New(legacy.Era(), modern.Era())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(h)
	if b, ok := bends[h.wrong]; ok {
		b.Listener = server.Listener
		server.Listener = b
	}
	server.Start()
	defer server.Close()
	record, err := suites.Run(context.Background(), suite, suites.Options{Client: client.Config{
		URL: server.URL + "/mcp", Timeout: time.Minute, Window: time.Millisecond, ClientName: "mcpcheck", ClientVersion: "test",
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer record.Close()
	found := map[string]kit.Result{}
	for _, r := range record.JudgeAll(suite) {
		if r.Revision == revision {
			found[r.ID] = r
		}
	}
	return record, found
}

// TestConforming: nothing is held against conforming servers, and every check has something to look at in one of them.
func TestConforming(t *testing.T) {
	green := map[string]bool{}
	for name, server := range map[string]*small{
		"json": {}, "stream": {stream: true}, "rich": {rich: true}, "nothing offered": {wrong: "no tools"}, "refuses notifications": {wrong: "notification refused"}, "both eras": {handshake: true},
	} {
		record, found := check(t, server)
		if d := record.Survey.Diagnosis; d != nil {
			t.Fatalf("%s: %v", name, d)
		}
		for id, r := range found {
			switch r.Verdict {
			case kit.Pass:
				green[id] = true
			case kit.Fail, kit.Warn, kit.Error:
				if !server.handshake || id != "modern.headers.version-missing-400" {
					t.Errorf("%s: %s: %s: %s", name, id, r.Verdict, r.Message)
				}
			case kit.NotObserved:
				if r.Class == kit.CouldNotLook {
					t.Errorf("%s: %s is not observed (%s): %s", name, id, r.Cause, r.Message)
				}
			}
		}
	}
	suite, err := suites.New(modern.Era())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range suite.Checks() {
		if id := c.Entry.ID; covered(id) && !green[id] && id != "modern.version.listed-legacy-versions-answer-initialize" {
			t.Errorf("%s is green nowhere", id)
		}
	}
}

// TestBothEras: a server of both eras that takes requests without the header for those of the older one is not accused for it.
func TestBothEras(t *testing.T) {
	_, found := check(t, &small{handshake: true})
	for id, r := range found {
		if r.Verdict.Accuses() && id != "modern.headers.version-missing-400" || r.Verdict == kit.Error {
			t.Errorf("%s: %s: %s", id, r.Verdict, r.Message)
		}
	}
	// It speaks nothing before 2025-06-18, so that its older half has no reason to.
	if r := found["modern.headers.version-missing-400"]; r.Verdict != kit.Warn {
		t.Errorf("%s: %s: %s", r.ID, r.Verdict, r.Message)
	}
}

// TestBreaches: every check can fail.
func TestBreaches(t *testing.T) {
	rows := []struct {
		wrong, id string
		want      kit.Verdict
	}{
		{"one method only", "modern.transport.single-post-endpoint", kit.Fail},
		{"text", "modern.transport.response-content-type", kit.Fail},
		{"array", "modern.transport.json-is-single-object", kit.Fail},
		{"latin-1", "modern.transport.utf8", kit.Fail},
		{"201", "modern.transport.success-is-200", kit.Warn},
		{"result under 404", "modern.transport.success-is-200", kit.Fail},
		{"unknown under 200", "modern.transport.method-not-found-404", kit.Fail},
		{"ping served", "modern.transport.removed-methods-not-found", kit.Warn},
		{"prompts under 200", "modern.transport.undeclared-capability-method-not-found", kit.Fail},
		{"notification 200", "modern.transport.notification-accepted-202", kit.Fail},
		{"notification with a body", "modern.transport.notification-accepted-202", kit.Warn},
		{"notification refused under 200", "modern.transport.notification-rejected-status", kit.Fail},
		{"notification refused with id", "modern.transport.notification-error-without-id", kit.Note},
		{"response answered", "modern.transport.rejects-jsonrpc-responses", kit.Warn},
		{"answers without id", "modern.jsonrpc.notification-no-response", kit.Fail},
		{"mixed up", "modern.transport.concurrent-requests", kit.Fail},
		{"code -32002", "modern.jsonrpc.code-32002-not-emitted", kit.Fail},
		{"code -32000", "modern.jsonrpc.legacy-range-avoided", kit.Warn},
		{"code -32500", "modern.jsonrpc.custom-codes-outside-reserved", kit.Warn},
		{"no JSON taken", "modern.jsonrpc.parse-error", kit.Fail},
		{"no method taken", "modern.jsonrpc.invalid-request", kit.Warn},
		{"asks", "modern.sse.no-server-requests", kit.Fail},
		{"list changed on the stream of a request", "modern.sse.request-scoped-notifications", kit.Fail},
		{"nothing on the stream", "modern.sse.response-arrives", kit.Fail},
		{"twice on the stream", "modern.sse.response-arrives", kit.Fail},
		{"no X-Accel-Buffering", "modern.sse.x-accel-buffering", kit.Warn},
		{"text on streams", "modern.sse.well-formed", kit.Fail},
		{"get served", "modern.legacy.get-405", kit.Warn},
		{"delete served", "modern.legacy.delete-405", kit.Warn},
		{"session refused", "modern.legacy.session-id-ignored", kit.Warn},
		{"event id refused", "modern.legacy.last-event-id-ignored", kit.Warn},
		{"any origin", "modern.security.origin-validated", kit.Fail},
		{"origin of the host", "modern.security.origin-validated", kit.Fail},
		{"origin 404", "modern.security.origin-invalid-403", kit.Fail},
		{"origin refused with id", "modern.security.origin-403-body", kit.Note},
		{"origin wanted", "modern.security.absent-origin-served", kit.Warn},
		{"handshake unknown", "modern.legacy.initialize-rejected", kit.Warn},
		{"handshake refused without versions", "modern.legacy.initialize-error-names-versions", kit.Warn},
		{"endpoint named", "modern.legacy.httpsse-not-adopted", kit.Note},
		{"cursor 500", "modern.pagination.invalid-cursor-graceful", kit.Warn},
		{"no name header", "modern.headers.name-missing-400", kit.Fail},
		{"any name header", "modern.headers.name-mismatch-400", kit.Fail},
		{"name folded", "modern.headers.name-case-sensitive", kit.Fail},
		{"no Base64", "modern.headers.name-base64-decoded", kit.Fail},
		{"sentinel folded", "modern.headers.sentinel-case-sensitive", kit.Fail},
		{"lenient Base64", "modern.headers.invalid-base64-rejected", kit.Warn},
		{"raw bytes taken", "modern.headers.invalid-characters-rejected", kit.Fail},
		{"nothing in place of a resource", "modern.resources.no-empty-contents", kit.Fail},
		{"missing resource -32002", "modern.resources.not-found-code", kit.Fail},
		{"any tool", "modern.tools.unknown-tool-error", kit.Fail},
		{"tool -32601", "modern.tools.unknown-tool-error", kit.Warn},
		{"any call", "modern.tools.malformed-call-error", kit.Fail},
		{"a cursor for one use", "modern.pagination.stable-cursors", kit.Warn},
		{"any prompt", "modern.prompts.unknown-name", kit.Warn},
		{"mints sessions", "modern.legacy.session-id-not-minted", kit.Warn},
		{"no discover", "modern.discover.implemented", kit.Fail},
		{"params of discover", "modern.discover.no-params-needed", kit.Fail},
		{"no supportedVersions", "modern.discover.result-shape", kit.Fail},
		{"flag as text", "modern.discover.result-shape", kit.Fail},
		{"no serverInfo", "modern.discover.server-info", kit.Warn},
		{"any version", "modern.version.unsupported-error", kit.Fail},
		{"another code for versions", "modern.version.unsupported-error", kit.Fail},
		{"past version served", "modern.version.unsupported-past-version-error", kit.Fail},
		{"version under 200", "modern.version.unsupported-http-400", kit.Fail},
		{"no requested", "modern.version.unsupported-data-shape", kit.Fail},
		{"another list", "modern.version.supported-lists-agree", kit.Fail},
		{"lists legacy", "modern.version.listed-legacy-versions-answer-initialize", kit.Warn},
		{"no version header", "modern.headers.version-missing-400", kit.Fail},
		{"version header only", "modern.headers.version-mismatch-400", kit.Fail},
		{"no method header", "modern.headers.method-missing-400", kit.Fail},
		{"any method header", "modern.headers.method-mismatch-400", kit.Fail},
		{"method folded", "modern.headers.method-value-case-sensitive", kit.Fail},
		{"spaces are values", "modern.headers.surrounding-whitespace-ignored", kit.Fail},
		{"names by letter", "modern.headers.names-case-insensitive", kit.Fail},
		{"Mcp-Param refused", "modern.headers.unknown-param-header-ignored", kit.Warn},
		{"mismatch under 200", "modern.headers.validation-error-form", kit.Fail},
		{"mismatch bare", "modern.headers.validation-error-form", kit.Fail},
		{"lists refused for headers", "modern.headers.correct-request-accepted", kit.Fail},
		{"no meta needed", "modern.meta.missing-meta-400", kit.Fail},
		{"no meta version needed", "modern.meta.missing-protocol-version-400", kit.Fail},
		{"no capabilities needed", "modern.meta.missing-client-capabilities-400", kit.Fail},
		{"capabilities remembered", "modern.meta.missing-field-not-remembered", kit.Fail},
		{"capabilities of any type", "modern.meta.mistyped-field-rejected", kit.Warn},
		{"clientInfo needed", "modern.meta.client-info-optional", kit.Fail},
		{"unknown keys refused", "modern.meta.unknown-keys-tolerated", kit.Warn},
		{"no serverInfo in lists", "modern.meta.server-info-on-results", kit.Warn},
		{"serverInfo without version", "modern.meta.server-info-shape", kit.Fail},
		{"bad key", "modern.meta.key-format", kit.Fail},
		{"jsonrpc 1.0", "modern.jsonrpc.version-field", kit.Fail},
		{"result and error", "modern.jsonrpc.result-xor-error", kit.Fail},
		{"result of a list is an array", "modern.jsonrpc.result-member", kit.Fail},
		{"no message in errors", "modern.jsonrpc.error-shape", kit.Fail},
		{"codes as text", "modern.jsonrpc.error-code-integer", kit.Fail},
		{"ids as text", "modern.jsonrpc.result-echoes-id", kit.Fail},
		{"errors with another id", "modern.jsonrpc.error-echoes-id", kit.Fail},
		{"no resultType", "modern.jsonrpc.result-type-present", kit.Fail},
		{"odd resultType", "modern.jsonrpc.result-type-known", kit.Fail},
		{"reserved code", "modern.jsonrpc.reserved-codes-undefined", kit.Fail},
		{"code -32042", "modern.jsonrpc.code-32042-not-emitted", kit.Fail},
		{"notification with id", "modern.jsonrpc.server-notifications-without-id", kit.Fail},
	}
	broken := map[string]bool{
		// A MAY that is met either way.
		"modern.version.dual-era-allowed": true,
	}
	for _, row := range rows {
		broken[row.id] = true
		t.Run(row.wrong, func(t *testing.T) {
			t.Parallel()
			_, found := check(t, &small{wrong: row.wrong, rich: needsRich(row.id), stream: strings.HasPrefix(row.id, "modern.sse.")})
			if r := found[row.id]; r.Verdict != row.want {
				t.Errorf("%s: %s, want %s: %s", row.id, r.Verdict, row.want, r.Message)
			}
		})
	}
	for _, row := range listed {
		broken[row.id] = true
		t.Run(row.id+" "+row.to, func(t *testing.T) {
			t.Parallel()
			_, found := check(t, &small{rich: true, edit: [2]string{row.from, row.to}})
			if r := found[row.id]; r.Verdict != row.want {
				t.Errorf("%s, want %s: %s", r.Verdict, row.want, r.Message)
			}
		})
	}
	suite, err := suites.New(modern.Era())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range suite.Checks() {
		if covered(c.Entry.ID) && !broken[c.Entry.ID] {
			t.Errorf("no row breaks %s", c.Entry.ID)
		}
	}
}

// TestEras: which servers are judged by this era, and which are not.
func TestEras(t *testing.T) {
	for _, row := range []struct {
		name    string
		server  *small
		modern  bool
		legacy  bool
		dualEra kit.Fact
	}{
		{"modern-only", &small{}, true, false, kit.No},
		{"dual-era", &small{handshake: true}, true, true, kit.Yes},
		{"modern without server/discover", &small{wrong: "no discover"}, true, false, kit.No},
		{"legacy that answers server/discover out of courtesy", &small{handshake: true, courtesy: true}, false, true, kit.Unknown},
	} {
		t.Run(row.name, func(t *testing.T) {
			record, _ := check(t, row.server)
			modern := slices.Contains(record.Plan.Revisions, revision)
			older := slices.Contains(record.Plan.Revisions, "2025-11-25")
			if modern != row.modern || older != row.legacy || record.Plan.DualEra != row.dualEra {
				t.Errorf("revisions %v, dual-era %v", record.Plan.Revisions, record.Plan.DualEra)
			}
			if name := record.Survey.Server.Name; name != "small" && row.server.wrong == "" {
				t.Errorf("the server is called %q", name)
			}
		})
	}
}

// asJSON writes a value that can be written.
func asJSON(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// listed are breaches in what the rich server lists: bytes in place of others.
var listed = []struct {
	id, from, to string
	want         kit.Verdict
}{
	{"modern.tools.list-answered", `"tools":[`, `"tool":[`, kit.Fail},
	{"modern.tools.input-schema-object", `"type":"object","prop`, `"type":"array","prop`, kit.Fail},
	{"modern.tools.input-schema-object", `"inputSchema":{"type":"object"}`, `"inputSchema":null`, kit.Fail},
	{"modern.tools.schemas-valid", `"type":"string"`, `"type":"text"`, kit.Fail},
	{"modern.tools.schema-dialect", `{"type":"object"}`, `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`, kit.Note},
	{"modern.tools.no-external-refs", `{"type":"object"}`, `{"$ref":"https://example.com/a.json","type":"object"}`, kit.Warn},
	{"modern.tools.name-length", `"name":"read"`, `"name":""`, kit.Warn},
	{"modern.tools.name-charset", `"name":"read"`, `"name":"re ad"`, kit.Warn},
	{"modern.tools.name-unique", `"name":"write"`, `"name":"read"`, kit.Warn},
	{"modern.tools.declared", `,"tools":{}`, ``, kit.Fail},
	{"modern.prompts.declared", `"prompts":{},`, ``, kit.Fail},
	{"modern.resources.declared", `"resources":{},`, ``, kit.Fail},
	{"modern.tools.list-shape", `"name":"read"`, `"name":7`, kit.Fail},
	{"modern.prompts.list-shape", `"name":"greet"`, `"name":7`, kit.Fail},
	{"modern.resources.list-shape", `"uri":"file:///a"`, `"uri":7`, kit.Fail},
	{"modern.security.icons-safe", `"data:,"`, `"file:///a"`, kit.Fail},
	{"modern.prompts.list-answered", `"prompts":[`, `"prompt":[`, kit.Fail},
	{"modern.resources.list-answered", `"resources":[`, `"resource":[`, kit.Fail},
	{"modern.resources.templates-list", `"resourceTemplates":[]`, `"resourceTemplates":[{"name":"a"}]`, kit.Fail},
	{"modern.resources.read-shape", `"text":"a"`, `"text":7`, kit.Fail},
	{"modern.caching.hints-resources-read", `"cacheScope":"public","contents"`, `"contents"`, kit.Fail},
	{"modern.resources.uri-valid", `"uri":"file:///a"`, `"uri":"a b"`, kit.Fail},
	{"modern.pagination.next-cursor-string", `"nextCursor":"second"`, `"nextCursor":2`, kit.Fail},
	{"modern.pagination.cursor-accepted", `"nextCursor":"second"`, `"nextCursor":"third"`, kit.Fail},
	{"modern.pagination.invalid-cursor", `"error":{"code":-32602`, `"error":{"code":-32000`, kit.Warn},
	{"modern.caching.hints-discover", `"cacheScope":"public",`, ``, kit.Fail},
	{"modern.caching.ttl-value", `"ttlMs":60000`, `"ttlMs":-1`, kit.Fail},
	{"modern.caching.ttl-value", `"ttlMs":60000`, `"ttlMs":"60000"`, kit.Fail},
	{"modern.caching.scope-value", `"cacheScope":"private"`, `"cacheScope":"Private"`, kit.Fail},
	{"modern.caching.same-scope-across-pages", `"cacheScope":"private","nextCursor"`, `"cacheScope":"public","nextCursor"`, kit.Fail},
	{"modern.caching.hints-tools-list", `"cacheScope":"private",`, ``, kit.Fail},
	{"modern.caching.hints-prompts-list", `"cacheScope":"private",`, ``, kit.Fail},
	{"modern.caching.hints-resources-list", `"cacheScope":"private",`, ``, kit.Fail},
	{"modern.caching.hints-resource-templates-list", `"ttlMs":60000`, `"ttl":60000`, kit.Fail},
	{"modern.headers.x-mcp-header-non-empty", `"Region"`, `""`, kit.Fail},
	{"modern.headers.x-mcp-header-non-empty", `"Region"`, `7`, kit.Fail},
	{"modern.headers.x-mcp-header-token", `"Region"`, `"Re gion"`, kit.Fail},
	{"modern.headers.x-mcp-header-no-control-chars", `"Region"`, `"Re\u000agion"`, kit.Fail},
	{"modern.headers.x-mcp-header-safe-integers", `"type":"integer"`, `"type":"integer","default":9007199254740993`, kit.Fail},
	{"modern.headers.x-mcp-header-no-secrets", `"region":{`, `"apiKey":{`, kit.Warn},
	{"modern.headers.x-mcp-header-unique", `"Region"`, `"zone"`, kit.Fail},
	{"modern.headers.x-mcp-header-primitive-only", `"type":"string"`, `"type":"number"`, kit.Fail},
	{"modern.headers.x-mcp-header-statically-reachable", `"region":{"type":"string","x-mcp-header":"Region"}`, `"region":{"type":"array","items":{"type":"string","x-mcp-header":"Region"}}`, kit.Fail},
}

// needsRich tells that a requirement is about something that only the rich server has.
func needsRich(id string) bool {
	for _, about := range []string{"modern.pagination.", "modern.resources.no", "modern.tools.unknown", "modern.tools.malformed", "modern.prompts.unknown", "modern.headers.name-m", "modern.headers.name-case", "modern.headers.name-base64", "modern.headers.sentinel", "modern.headers.invalid-"} {
		if strings.HasPrefix(id, about) {
			return true
		}
	}
	return false
}

// covered tells whether the small server has the feature that a requirement is about. Of the others the reference server is the proof.
func covered(id string) bool {
	for _, beyond := range []string{
		"modern.subscriptions.", "modern.progress.", "modern.logging.", "modern.cancellation.", "modern.mrtr.", "modern.completion.",
		"modern.prompts.get", "modern.prompts.image", "modern.prompts.audio", "modern.prompts.embedded", "modern.prompts.missing", "modern.prompts.internal",
		"modern.tools.call", "modern.tools.structured", "modern.tools.embedded", "modern.tools.annotations", "modern.tools.execution", "modern.tools.list-not", "modern.tools.deterministic", "modern.resources.list-not", "modern.prompts.list-not",
		"modern.resources.binary", "modern.resources.internal", "modern.caching.no-hints", "modern.meta.missing-capability-", "modern.headers.param-", "modern.auth.",
		"modern.meta.client-info-no-", "modern.meta.key-prefix-", "modern.meta.reserved-keys-", "modern.meta.trace-context-",
		"modern.version.extension-", "modern.version.modern-meta-", "modern.sse.response-ends-",
		"modern.jsonrpc.reserved-codes-meaning", "modern.jsonrpc.no-connection-", "modern.jsonrpc.any-connection",
	} {
		if strings.HasPrefix(id, beyond) {
			return false
		}
	}
	return true
}
