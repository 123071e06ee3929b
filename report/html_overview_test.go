package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// node is an element of a page with its text.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []node     `xml:",any"`
	Inner    string     `xml:",innerxml"`
}

func (n node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// text is what a reader sees of n, in one line.
func (n node) text() string {
	return strings.Join(strings.Fields(fragmentText(n.Inner)), " ")
}

func fragmentText(inner string) string {
	var out strings.Builder
	decoder := xml.NewDecoder(strings.NewReader("<x>" + inner + "</x>"))
	for {
		token, err := decoder.Token()
		if err != nil {
			return out.String()
		}
		switch token := token.(type) {
		case xml.CharData:
			out.Write(token)
		case xml.StartElement:
			if slices.Contains([]string{"li", "p", "td", "th", "small", "div"}, token.Name.Local) {
				out.WriteByte(' ')
			}
		}
	}
}

// nodes are the elements of a page for which want holds.
func nodes(t *testing.T, page string, want func(node) bool) []node {
	t.Helper()
	_, body, _ := strings.Cut(page, "<body>")
	body, _, _ = strings.Cut(body, "<script>")
	var root node
	if err := xml.Unmarshal([]byte("<body>"+body+"</body>"), &root); err != nil {
		t.Fatal(err)
	}
	var found []node
	var walk func(node)
	walk = func(n node) {
		if want(n) {
			found = append(found, n)
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(root)
	return found
}

func ofClass(class string) func(node) bool {
	return func(n node) bool { return slices.Contains(strings.Fields(n.attr("class")), class) }
}

// entries are the findings that a page lists, "fail session.missing-400" each.
func entries(t *testing.T, page string) []string {
	t.Helper()
	var all []string
	for _, list := range nodes(t, page, ofClass("list")) {
		for _, li := range list.Children {
			mark, rest := li.Children[0], li.Children[1]
			all = append(all, mark.text()+" "+rest.Children[1].Children[0].text())
		}
	}
	return all
}

func TestHTMLAnchors(t *testing.T) {
	anchors := make(htmlAnchors)
	for _, row := range []struct{ name, id, want string }{
		{"an id of the catalogue", "session.missing-400", "session.missing-400"},
		{"found in a second way", "session.missing-400", "session.missing-400_2"},
		{"an id that is a heading of ours", "findings", "requirement_1"},
		{"an id that is an anchor of ours", "session.missing-400_2", "requirement_2"},
		{"markup", `a.b"><b>`, "requirement_3"},
		{"a part of an address", "a.b&verdict=fail", "requirement_4"},
		{"none", "", "requirement_5"},
		{"a long one", "a." + strings.Repeat("b", 500), "requirement_6"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := anchors.of(row.id); got != row.want {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}

// TestHTMLListsWhatItCounts: the numbers on top are those of the list and of the findings below it.
func TestHTMLListsWhatItCounts(t *testing.T) {
	excused := hostileReport()
	for i := range excused.Results {
		if excused.Results[i].ID == "session.missing-400" {
			excused.Results[i].Excused = "known"
		}
	}
	for name, r := range map[string]Report{"hostile": hostileReport(), "clean": cleanReport(), "interrupted": interruptedReport(), "excused": excused} {
		t.Run(name, func(t *testing.T) {
			page := rendered(t, "html", r, Options{})
			listed, shown := make(map[string]int), make(map[string]int)
			for _, e := range entries(t, page) {
				verdict, _, _ := strings.Cut(e, " ")
				listed[verdict]++
			}
			inFull := nodes(t, page, ofClass("finding"))
			for _, f := range inFull {
				shown[f.Children[0].Children[0].text()]++
			}
			counts := CountFindings(r.Results)
			total := 0
			for _, v := range Verdicts() {
				total += counts.Of(v)
				if shown[v.word()] != counts.Of(v) {
					t.Errorf("%d times %s in full, counted %d", shown[v.word()], v, counts.Of(v))
				}
			}
			if want := total - counts.Excused; len(entries(t, page)) != want {
				t.Errorf("%d entries, want %d", len(entries(t, page)), want)
			}
			if lead := nodes(t, page, ofClass("lead"))[0].text(); !strings.HasPrefix(strings.ToLower(lead), findingsText(r)+"; ") {
				t.Errorf("on top stands %q", lead)
			}
		})
	}
}

func TestHTMLPictureCell(t *testing.T) {
	for _, row := range []struct {
		name   string
		counts Summary
		want   string
	}{
		{"nothing of the kind", Summary{}, ""},
		{"all pass", Summary{Pass: 8}, "pass: 8 pass"},
		{"what is not offered is no gap", Summary{Pass: 8, NotApplicable: 3}, "pass: 8 pass"},
		{"a gap", Summary{Pass: 8, NotObserved: 3, NotApplicable: 1}, "pass part: 8 of 11 pass"},
		{"nothing observed", Summary{NotObserved: 3, NotApplicable: 1}, "not-observed:  not observed"},
		{"not offered", Summary{NotApplicable: 4}, "not-applicable:  not applicable"},
		{"the worst decides", Summary{Pass: 5, Fail: 1, Warn: 3, NotObserved: 2}, "fail: 1 fail 5 of 11 pass"},
		{"a failure of ours", Summary{Pass: 5, Error: 1, Warn: 1}, "error: 1 error 5 of 7 pass"},
		{"notes", Summary{Pass: 5, Note: 2}, "note: 2 note 5 of 7 pass"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := newHTMLPictureCell("2025-11-25", row.counts)
			got := ""
			if c.Verdict != "" {
				got = c.Class
				if c.Part {
					got += " part"
				}
				got += strings.TrimRight(": "+c.Word+" "+c.More, " ")
			}
			if got != row.want {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}

// TestHTMLReasons: each cell has its reason in its row, equal ones once, and it is said where others hold.
func TestHTMLReasons(t *testing.T) {
	r := cleanReport()
	r.Results = nil
	for i, revision := range legacyRevisions {
		of := func(id string, v Verdict, message string) {
			r.Results = append(r.Results, Result{
				ID: id, Area: "tools", Level: "MUST", Revision: revision, Transport: "streamable-http", Verdict: v, Title: "A title", Message: message,
				Spec: specPage + revision + "/server/tools",
			})
		}
		of("tools.one", Pass, "3 tools looked at")
		of("tools.two", Pass, fmt.Sprintf("%d tools looked at", 3+i/2))
		of("tools.three", []Verdict{Pass, NotObserved, NotApplicable, NotObserved}[i], []string{"it is there", "no tool was called", "no tools", "no tool was called"}[i])
		of("tools.four", Fail, "it is wrong")
	}
	page := rendered(t, "html", Finish(r), Options{})
	assertHTML(t, page)
	rows := make(map[string]node)
	for _, n := range nodes(t, page, func(n node) bool { return n.attr("data-k") != "" && n.XMLName.Local == "tr" }) {
		rows[n.Children[0].Children[0].Children[0].Children[0].text()] = n
	}
	for _, row := range []struct{ id, text, anchor, class, keys string }{
		{"tools.one", "pass 3 tools looked at Clause", "tools.one", "passes", "pass 0 0.1.2.3"},
		{
			"tools.two", "pass 3 tools looked at 2025-11-25, 2025-06-18 pass 4 tools looked at 2025-03-26, 2024-11-05 Clause",
			"tools.two", "passes", "pass 0 0.1.2.3",
		},
		{
			"tools.three", "pass it is there 2025-11-25 not applicable no tools 2025-03-26 not observed no tool was called 2025-06-18, 2024-11-05 Clause",
			"tools.three", "", "pass 0 0;not-observed 0 1.3;not-applicable 0 2",
		},
		{"tools.four", "fail it is wrong Clause", "", "", "fail 0 0.1.2.3"},
	} {
		t.Run(row.id, func(t *testing.T) {
			n := rows[row.id]
			reasons := n.Children[0].Children[0].Children[1]
			if got := reasons.text(); got != row.text {
				t.Errorf("reasons: %s\nwant:    %s", got, row.text)
			}
			if n.attr("id") != row.anchor || n.attr("class") != row.class || n.attr("data-k") != row.keys {
				t.Errorf("id %q, class %q, keys %q", n.attr("id"), n.attr("class"), n.attr("data-k"))
			}
		})
	}
	if found := nodes(t, page, func(n node) bool { return n.attr("id") == "tools.four" }); len(found) != 1 || found[0].attr("class") != "finding" {
		t.Error("the id of a finding does not lead to it")
	}
}

// TestHTMLReasonsAreBounded has a report in which every cell tells a story. Those of passes go first.
func TestHTMLReasonsAreBounded(t *testing.T) {
	r := cleanReport()
	r.Results = nil
	for i := range 4000 {
		result := Result{ID: fmt.Sprintf("tools.number-%d", i), Area: "tools", Level: "MUST", Revision: "2025-11-25", Transport: "streamable-http", Verdict: Pass}
		result.Message = fmt.Sprintf("%d %s", i, strings.Repeat("<", 2000))
		if i >= 3900 {
			result.Verdict, result.Message = NotObserved, fmt.Sprintf("reason %d", i)
		}
		r.Results = append(r.Results, result)
	}
	page := rendered(t, "html", Finish(r), Options{})
	assertHTML(t, page)
	if !strings.Contains(page, "reason 3999") || !strings.Contains(page, "more reasons in the JSON report") {
		t.Error("the reasons of passes have left no room for the others, or it is not said that some are left out")
	}
	if len(page) > 3<<20 {
		t.Errorf("%d bytes", len(page))
	}
}

func TestHTMLServersList(t *testing.T) {
	other := hostileReport()
	other.Started = other.Started.Add(26 * time.Hour)
	var out bytes.Buffer
	if err := RenderHTMLMatrix(&out, []Report{hostileReport(), cleanReport(), other}); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	assertHTML(t, page)
	want := []string{
		"fail lifecycle.initialize.server-info", "fail session.missing-400", "error utilities.ping.promptly", "warn tools.list.unique-names",
		"note tools.list.annotations",
	}
	if got := entries(t, page); !slices.Equal(got, want) {
		t.Errorf("listed: %q", got)
	}
	if !strings.Contains(page, "</code> fail on 1, 3</p>") {
		t.Error("it is not said which servers have it")
	}
	if top := nodes(t, page, ofClass("product"))[0].text(); top != "mcpcheck report, 2026-11-02 09:30 UTC to 2026-11-03 11:30 UTC" {
		t.Errorf("on top stands %q", top)
	}
	for _, id := range []string{"lifecycle.initialize.server-info", "session.missing-400"} {
		if !strings.Contains(page, `<tr id="`+id+`"`) {
			t.Errorf("%s is no anchor", id)
		}
	}
}
