package report

import (
	"fmt"
	"io"
	"strings"
)

// migrationMarkdown writes the way as an issue or a page that its author works off: the steps are a list of tasks.
func migrationMarkdown(w io.Writer, m Migration) error {
	d := &markdown{}
	d.migration(escapedMigration(m, Visible))
	_, err := io.WriteString(w, d.out.String())
	return err
}

func (m *markdown) migration(way Migration) {
	m.printf("## mcpcheck: to %s\n\n", markdownText(way.To))
	what := markdownCode(cut(oneLine(way.Target.Place()), targetLimit))
	if server := serverText(way.Target.Itself()); server != "" {
		what += " (" + markdownText(server) + ")"
	}
	m.printf("%s\n\n", what)
	if d := way.Diagnosis; d != nil {
		m.diagnosis(*d)
		return
	}
	m.printf("%s\n\n", markdownText(way.Lead))
	if way.Probe != nil {
		m.printf("%s\n\n", markdownText(way.Probe.text()))
	}
	for _, remark := range way.Remarks {
		m.printf("- %s\n", markdownText(shorten(oneLine(remark), markdownTextBytes)))
	}
	if len(way.Remarks) > 0 {
		m.printf("\n")
	}
	if len(way.Carries) > 0 {
		m.printf("**Holds already:** %s.\n\n", markdownText(areasText(way.Carries)))
	}
	m.printf("### Steps, in this order\n\n%s\n\n", markdownText(way.Order))
	for i, s := range way.Steps {
		m.step(i, s)
	}
	m.bullets("Goes when nobody speaks older revisions any more", way.Drop)
	m.migrationSDKs(way.SDKs)
	m.migrationClients(way.Clients)
	m.bullets("Cannot be seen from outside", way.Hidden)
	m.printf("%s, %s\n", markdownText(way.Tool.Name+" "+way.Tool.Version), way.Started.UTC().Format("2006-01-02 15:04 UTC"))
}

// step writes a step as a task; what belongs to it is indented below.
func (m *markdown) step(i int, s MigrationStep) {
	m.printf("- %s **%d. %s** (%s)\n", taskBox(s.State), i+1, markdownText(cut(oneLine(s.Title), titleLimit)), markdownText(s.State))
	item := func(name, text string) {
		if text = oneLine(text); text != "" {
			m.printf("  - **%s:** %s\n", name, markdownText(shorten(text, 2*markdownTextBytes)))
		}
	}
	item("Because", s.Because)
	if s.told() {
		item("Do", s.Do)
		item("By itself", s.Alone)
	}
	for _, note := range s.Notes {
		item("Seen", note)
	}
	for _, f := range s.Findings {
		m.printf("  - **%s** %s (%s): %s %s %s\n", strings.ToUpper(string(f.Verdict)), markdownText(cut(oneLine(f.Title), titleLimit)),
			markdownText(f.name()), limitedMarkdown(f.Message), markdownText("Fix: "+oneLine(f.Remedy)), markdownLink("Clause", f.Spec))
	}
	item("Judged by", s.counts())
	if s.told() {
		sdks := []MigrationWord{}
		for _, w := range s.SDKs {
			sdks = append(sdks, MigrationWord{w.Name, w.says()})
		}
		m.words("SDKs", sdks)
		m.words("Clients", s.Clients)
	}
	m.printf("\n")
}

func (m *markdown) words(name string, words []MigrationWord) {
	if len(words) == 0 {
		return
	}
	m.printf("  - **%s**\n", name)
	for _, w := range words {
		m.printf("    - %s: %s\n", markdownText(oneLine(w.Name)), markdownText(oneLine(w.Text)))
	}
}

// taskBox is how GitHub writes a task: one that is open has to be done, all others are struck.
func taskBox(state string) string {
	if state == MigrationDone || state == MigrationSeen || state == MigrationUnneeded {
		return "[x]"
	}
	return "[ ]"
}

func (m *markdown) bullets(title string, items []string) {
	if len(items) == 0 {
		return
	}
	m.printf("### %s\n\n", title)
	for _, item := range items {
		m.printf("- %s\n", markdownText(item))
	}
	m.printf("\n")
}

func (m *markdown) migrationSDKs(sdks []MigrationSDK) {
	if len(sdks) == 0 {
		return
	}
	m.printf("### With an SDK\n\n| SDK | | upgrade | older clients |\n|:---|:---|:---|:---|\n")
	for _, s := range sdks {
		m.printf("| %s | %s | %s %s | %s |\n", markdownCell(s.Name), markdownCell(s.text()), markdownCell(oneLine(s.Upgrade)),
			markdownLink("More", s.Read), markdownCell(oneLine(s.Older)))
	}
	m.printf("\n")
}

func (m *markdown) migrationClients(clients []MigrationClient) {
	if len(clients) == 0 {
		return
	}
	m.printf("### What clients send first\n\n| client | begins with |\n|:---|:---|\n")
	for _, c := range clients {
		fmt.Fprintf(&m.out, "| %s | %s |\n", markdownCell(oneLine(c.Name)), markdownCell(oneLine(c.Begins)))
	}
	m.printf("\n")
}
