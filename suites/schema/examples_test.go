package schema

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// placed are the definitions that have no message of their own, by the sample in which they stand and the place where. An asterisk is an
// array of that one value.
var placed = map[string][2]string{
	"Tool":                           {"ListToolsResult", "tools/*"},
	"Resource":                       {"ListResourcesResult", "resources/*"},
	"TextResourceContents":           {"ReadResourceResult", "contents/*"},
	"BlobResourceContents":           {"ReadResourceResult", "contents/*"},
	"ServerCapabilities":             {"DiscoverResult", "capabilities"},
	"TextContent":                    {"CallToolResult", "content/*"},
	"ImageContent":                   {"CallToolResult", "content/*"},
	"AudioContent":                   {"CallToolResult", "content/*"},
	"ResourceLink":                   {"CallToolResult", "content/*"},
	"EmbeddedResource":               {"CallToolResult", "content/*"},
	"ModelPreferences":               {"CreateMessageRequest", "modelPreferences"},
	"SamplingMessage":                {"CreateMessageRequest", "messages/*"},
	"BooleanSchema":                  {"ElicitRequest", "requestedSchema/properties/x"},
	"NumberSchema":                   {"ElicitRequest", "requestedSchema/properties/x"},
	"StringSchema":                   {"ElicitRequest", "requestedSchema/properties/x"},
	"TitledMultiSelectEnumSchema":    {"ElicitRequest", "requestedSchema/properties/x"},
	"TitledSingleSelectEnumSchema":   {"ElicitRequest", "requestedSchema/properties/x"},
	"UntitledMultiSelectEnumSchema":  {"ElicitRequest", "requestedSchema/properties/x"},
	"UntitledSingleSelectEnumSchema": {"ElicitRequest", "requestedSchema/properties/x"},
}

// whole are the definitions that are the value of a message, by the sample whose value they are.
var whole = map[string]string{
	"CancelledNotificationParams":       "CancelledNotification",
	"LoggingMessageNotificationParams":  "LoggingMessageNotification",
	"ProgressNotificationParams":        "ProgressNotification",
	"ResourceUpdatedNotificationParams": "ResourceUpdatedNotification",
	"CreateMessageRequestParams":        "CreateMessageRequest",
	"ElicitRequestFormParams":           "ElicitRequest",
	"ElicitRequestURLParams":            "ElicitRequest",
}

// ofClients are the definitions of what clients send: these schemas are about servers.
var ofClients = []string{
	"CallToolRequest", "CallToolRequestParams", "ClientCapabilities", "CompleteRequest", "CompleteRequestParams", "CreateMessageResult",
	"DiscoverRequest", "ElicitResult", "GetPromptRequest", "GetPromptRequestParams", "InputResponses", "ListPromptsRequest",
	"ListResourceTemplatesRequest", "ListResourcesRequest", "ListRootsResult", "ListToolsRequest", "PaginatedRequestParams",
	"ReadResourceRequest", "Root", "SubscriptionsListenRequest", "ToolResultContent", "ToolUseContent",
}

// inRounds are the definitions of results that ask: their questions are requests, judged one by one.
var inRounds = []string{"InputRequests", "InputRequiredResult"}

// misshapen are examples that the published schema refuses as well: this one has no caching hints.
var misshapen = []string{"read-resource-result-response.json"}

// member is where a message of a sample has its value.
func member(s sample) string {
	if s.Kind == "result" {
		return "result"
	}
	return "params"
}

// messageOf makes the message in which a published example stands, and the sample by which it is judged; nil for what no server sends.
func messageOf(t *testing.T, all []sample, revision, definition string, value any) (s sample, message object) {
	named := func(name string) *sample {
		i := slices.IndexFunc(all, func(s sample) bool {
			return s.Definition == name && revision >= s.Since && (s.Until == "" || revision <= s.Until)
		})
		if i < 0 {
			return nil
		}
		found := all[i]
		found.revision = revision
		return &found
	}
	m, _ := value.(object)
	if s := named(definition); s != nil {
		switch {
		case s.Kind == "result":
			return *s, s.message(value, true)
		case m["jsonrpc"] == nil:
			return *s, s.message(m["params"], m["params"] != nil)
		}
		return *s, m
	}
	if name, ok := strings.CutSuffix(definition, "ResultResponse"); ok {
		if s := named(name + "Result"); s != nil {
			return *s, m
		}
	}
	if strings.HasSuffix(definition, "Error") {
		s := named("JSONRPCError")
		if m["error"] == nil { // the value of error
			m = object{"jsonrpc": "2.0", "id": json.Number("1"), "error": value}
		}
		return *s, m
	}
	if name, ok := whole[definition]; ok {
		if s := named(name); s != nil {
			return *s, s.message(value, true)
		}
	}
	if at, ok := placed[definition]; ok {
		if s := named(at[0]); s != nil {
			raw, err := json.Marshal(s.Value)
			if err != nil {
				t.Fatal(err)
			}
			good, _ := decode(raw, lenient)
			return *s, s.message(place(good, strings.Split(at[1], "/"), value), true)
		}
	}
	return sample{}, nil
}

// place puts a value into another.
func place(into any, path []string, value any) any {
	switch {
	case len(path) == 0:
		return value
	case path[0] == "*":
		return []any{place(nil, path[1:], value)}
	}
	members, ok := into.(object)
	if !ok {
		members = object{}
	}
	members[path[0]] = place(members[path[0]], path[1:], value)
	return members
}

// TestExamples judges every published example of 2026-07-28 of what servers send: by that revision all of them are good, and what is made
// of them by a change is refused by both schemas or by none. Where a definition of 2025-11-25 has the same name both schemas of that one say
// the same.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the published examples are left to whole runs")
	}
	dir := specification(t)
	all := samples(t)
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		set, err := For(revision)
		if err != nil {
			t.Fatal(err)
		}
		p := published(t, dir, revision)
		n, compared, reported := 0, 0, 0
		files, err := filepath.Glob(filepath.Join(dir, "examples", "2026-07-28", "*", "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatal("no examples: ", err)
		}
		for _, file := range files {
			definition := filepath.Base(filepath.Dir(file))
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			value, err := decode(data, lenient)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			s, m := messageOf(t, all, revision, definition, value)
			if m == nil {
				if revision == "2026-07-28" && !slices.Contains(ofClients, definition) && !slices.Contains(inRounds, definition) {
					t.Errorf("%s: nobody says what a %s stands in", file, definition)
				}
				continue
			}
			n++
			found, want := ours(t, set, s, m), p.judge(s, m)
			if (len(found) == 0) != want {
				t.Errorf("%s %s: published says %v, we say %v", revision, file, want, found)
			}
			if revision != "2026-07-28" {
				continue
			}
			if len(found) > 0 && !slices.Contains(misshapen, filepath.Base(file)) {
				t.Errorf("%s: a published example is refused: %v", file, found)
			}
			build := func(variant any) (sample, object) { return messageOf(t, all, revision, definition, variant) }
			if envelope, _ := value.(object); envelope["jsonrpc"] != nil && s.Kind != "error" {
				// What is around a result or params has judges of its own.
				value, build = m[member(s)], func(variant any) (sample, object) { return s, s.message(variant, true) }
			}
			mutations(value, func(variant any) {
				s, m := build(variant)
				if m == nil || reported > 20 {
					return
				}
				compared++
				if found, want := ours(t, set, s, m), p.judge(s, m); (len(found) == 0) != want && acceptedAs(s, m) == "" {
					reported++
					b, _ := json.Marshal(m)
					t.Errorf("%s %s: published says %v, we say %v\n%s", revision, definition, want, found, b)
				}
			})
		}
		t.Log(revision, n, "examples,", compared, "changed ones")
	}
}
