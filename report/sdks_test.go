package report

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
)

// hostileSDKs is a table of a server that means harm, one that is clean, and one that could not be tested.
func hostileSDKs() SDKTable {
	clean := cleanReport()
	clean.Results = append(clean.Results, Result{ID: "modern.discover.implemented", Revision: "2026-07-28", Transport: "streamable-http", Area: "discover",
		Level: "MUST", Verdict: Warn, Title: "Server answers server/discover", Message: "late", Expected: "a result", Got: "a late result"})
	clean.Target.Revisions = append(clean.Target.Revisions, "2026-07-28")
	clean.Started = started.AddDate(0, 0, 1)
	return SDKTable{
		Rows: []SDKRow{
			{Name: "evil" + hostileTitle + "](x) <b>", SDK: hostileMark, Language: hostileHTML, Version: hostileBytes, What: hostileFence, Report: hostileReport(),
				Reasons: map[SDKReason]string{{"session.missing-400", Warn}: "Looked at: " + hostileAll + hostileFence}},
			{Name: "clean", SDK: "SDK", Language: "Go", Version: "v1", What: "A small server.", Report: Finish(clean)},
			{Name: "closed", SDK: "SDK", Language: "Rust", Version: "1", What: "It wants credentials.", Report: diagnosisReport()},
		},
		NotRun: []SDKNotRun{{"slow" + hostileBidi, "it takes long to build " + hostileHTML}},
	}
}

func TestSDKGoldens(t *testing.T) {
	for name, render := range map[string]func(io.Writer, SDKTable) error{"sdks.md": RenderSDKMarkdown, "sdks.html": RenderSDKHTML} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := render(&out, hostileSDKs()); err != nil {
				t.Fatal(err)
			}
			golden(t, name, out.String())
			for _, raw := range []string{hostileTitle, "\x1b[2J", "\u202e"} {
				if strings.Contains(out.String(), raw) {
					t.Errorf("%q comes through", raw)
				}
			}
		})
	}
}

// TestSDKLinks: every link of a cell leads to a heading, and each heading's anchor is its own.
func TestSDKLinks(t *testing.T) {
	var markdown, html bytes.Buffer
	if err := RenderSDKMarkdown(&markdown, hostileSDKs()); err != nil {
		t.Fatal(err)
	}
	if err := RenderSDKHTML(&html, hostileSDKs()); err != nil {
		t.Fatal(err)
	}
	headings := map[string]int{}
	for _, h := range regexp.MustCompile(`(?m)^### (.*)$`).FindAllStringSubmatch(markdown.String(), -1) {
		headings[strings.ReplaceAll(strings.ToLower(h[1]), " ", "-")]++
	}
	links := regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(markdown.String(), -1)
	if len(links) < 4 {
		t.Errorf("only %d links", len(links))
	}
	for _, l := range links {
		if headings[l[1]] != 1 {
			t.Errorf("%d headings have the anchor %s", headings[l[1]], l[1])
		}
		if n := strings.Count(html.String(), `id="`+l[1]+`"`); n != 1 {
			t.Errorf("%d elements of the page are %s", n, l[1])
		}
	}
}

// TestSDKBounds: a server that sends much gets no more of the page than one exchange for each finding.
func TestSDKBounds(t *testing.T) {
	table := hostileSDKs()
	for i := range table.Rows[0].Report.Results {
		r := &table.Rows[0].Report.Results[i]
		for j := range r.Evidence {
			r.Evidence[j].Request.Body = strings.Repeat("much ", 4000)
			if r.Evidence[j].Response != nil {
				r.Evidence[j].Response.Body = strings.Repeat("much ", 4000)
			}
		}
	}
	var out bytes.Buffer
	if err := RenderSDKMarkdown(&out, table); err != nil {
		t.Fatal(err)
	}
	if n := out.Len(); n > 64<<10 {
		t.Errorf("%d bytes", n)
	}
}
