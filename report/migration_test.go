package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// hostileMigration has hostile text wherever a server can put any: its name, its address, and the sentences of findings.
func hostileMigration() Migration {
	finding := MigrationFinding{
		Verdict: Fail, Title: "Foreign Origin is refused", ID: "security.origin-validated", Revision: "2025-11-25", There: "modern.security.origin-validated",
		Message: "expected HTTP 403, got HTTP 200 OK with a result " + hostileAll + hostileFence, Remedy: "Refuse what is not allowed. Then say so.",
		Spec: specPage + "2026-07-28/basic/transports#security-warning",
	}
	odd := finding
	odd.Verdict, odd.Title, odd.There, odd.Spec = Warn, hostileMark, "", "javascript:alert(1)"
	return Migration{
		Schema: MigrationSchema, Tool: Tool{"mcpcheck", "0.1.0"}, To: "2026-07-28", From: "2025-11-25", Outcome: MigrationLeft,
		Target:  Target{URL: "http://127.0.0.1:8931/mcp?" + hostileBidi, Server: Server{hostileTitle + hostileHTML, hostileColour}, Eras: []string{"legacy"}, Revisions: []string{"2025-11-25"}},
		Lead:    "It speaks 2025-11-25, and not 2026-07-28.",
		Order:   "Clients choose by what server/discover says, so the step that answers it comes last.",
		Remarks: []string{"the server calls itself " + hostileMark + hostileFence},
		Probe: &MigrationProbe{Answer: "answered HTTP 500 Internal Server Error without a JSON-RPC message", GivesUp: []string{"client A 1.0"},
			FallsBack: []string{"client B 2.0"}},
		Carries: []MigrationArea{{"tools", []string{"modern.tools.declared", "modern.tools.list-answered"}}, {"jsonrpc", []string{"modern.jsonrpc.version-field"}}},
		Steps: []MigrationStep{
			{ID: "both-eras", Title: "Mend what both eras ask for", State: MigrationOpen, Do: "Mend it.", Alone: "At once.", Findings: []MigrationFinding{finding, odd},
				Requirements: []MigrationRequirement{
					{ID: "modern.security.origin-validated", Level: "MUST", State: MigrationOpen, Because: hostileAll},
					{ID: "modern.tools.declared", Level: "MUST", State: MigrationDone, Because: "declared"},
					{ID: "modern.tools.server-safeguards", Level: "MUST", State: MigrationHidden, Because: "Nothing shows it."},
				},
				SDKs: []MigrationSDKWord{{Name: "Go", Text: "Set `CrossOriginProtection`.", Run: "v1.8.0"}, {Name: "Java", Comes: true, Text: "Comes with it.", Run: "2.1.0", Breaks: []string{"modern.tools.declared"}}}, Clients: []MigrationWord{{"client A 1.0", "Asks first."}}},
			{ID: "input", Title: "Ask in results", State: MigrationAsk, Because: "Only you can tell.", Do: "Return it.", Alone: "Nobody asks yet.",
				Notes: []string{"It was seen."}, Requirements: []MigrationRequirement{{ID: "modern.mrtr.optional", Level: "MAY", State: MigrationAsk}}},
			{ID: "subscriptions", Title: "Serve subscriptions/listen", State: MigrationUnneeded, Because: "It declares neither.", Do: "Serve it.", Alone: "Later."},
			{ID: "results", Title: "Put resultType into results", State: MigrationSeen, Do: "Put it there.", Alone: "Yes."},
			{ID: "discover", Title: "Answer server/discover", State: MigrationUnseen, Because: "Nothing of it could be seen."},
			{ID: "modern-only", Title: "Speak nothing older", State: MigrationLater, Do: "Refuse it.", Alone: "Look first."},
		},
		Drop: []string{"initialize"}, Hidden: []string{"Which clients come to you."},
		SDKs: []MigrationSDK{
			{Name: "Go", Package: "github.com/modelcontextprotocol/go-sdk", Since: "v1.7.0", Run: "v1.8.0", Upgrade: "go get it.", Older: "By the same handler.", Read: "https://example.com/go"},
			{Name: "Java", Package: "io.modelcontextprotocol.sdk:mcp", Run: "2.1.0", Upgrade: "Wait.", Older: "By every release.", Read: "https://example.com/java"},
		},
		Clients: []MigrationClient{{"client A 1.0", "server/discover"}}, Started: started,
	}
}

func TestMigrationGoldens(t *testing.T) {
	for _, v := range []struct {
		name, format string
		options      TerminalOptions
	}{
		{"migration.txt", "text", TerminalOptions{}},
		{"migration.120.v.txt", "text", TerminalOptions{Width: 120, Verbose: 1}},
		{"migration.colour.txt", "text", TerminalOptions{Color: true}},
		{"migration.quiet.txt", "text", TerminalOptions{Quiet: true}},
		{"migration.json", "json", TerminalOptions{}},
		{"migration.md", "markdown", TerminalOptions{}},
	} {
		t.Run(v.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := RenderMigrationAs(v.format, &out, hostileMigration(), v.options); err != nil {
				t.Fatal(err)
			}
			golden(t, v.name, out.String())
			// Every format shows what is odd, and lets none of it act.
			for _, raw := range []string{hostileTitle, "\x1b[2J", "\u202e"} {
				if strings.Contains(out.String(), raw) {
					t.Errorf("%q comes through", raw)
				}
			}
		})
	}
	if err := RenderMigrationAs("svg", &bytes.Buffer{}, hostileMigration(), TerminalOptions{}); err == nil {
		t.Error("a format of nobody was written")
	}
}

// TestMigrationUntested: a server that could not be tested is explained, and no step is told.
func TestMigrationUntested(t *testing.T) {
	d := diagnosisReport()
	m := Migration{To: "2026-07-28", Target: d.Target, Diagnosis: d.Diagnosis, Order: "ORDER", Lead: "LEAD"}
	for _, format := range []string{"text", "markdown"} {
		var out bytes.Buffer
		if err := RenderMigrationAs(format, &out, m, TerminalOptions{}); err != nil {
			t.Fatal(err)
		}
		if text := out.String(); !strings.Contains(text, "401") || strings.Contains(text, "ORDER") {
			t.Errorf("%s:\n%s", format, text)
		}
	}
}

// TestMigrationJSON: the JSON has what the model has, and lists are never null.
func TestMigrationJSON(t *testing.T) {
	var out bytes.Buffer
	if err := RenderMigrationAs("json", &out, Migration{Schema: MigrationSchema}, TerminalOptions{}); err != nil {
		t.Fatal(err)
	}
	var read map[string]any
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	for _, member := range []string{"remarks", "carries", "steps", "drop", "hidden", "sdks", "clients"} {
		if _, list := read[member].([]any); !list {
			t.Errorf("%s is %v", member, read[member])
		}
	}
}
