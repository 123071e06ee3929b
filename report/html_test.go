package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// htmlOf are all pages that can be made of a report.
func htmlOf(t *testing.T, r Report) map[string]string {
	t.Helper()
	var matrix bytes.Buffer
	if err := RenderHTMLMatrix(&matrix, []Report{r, cleanReport()}); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"report": rendered(t, "html", r, Options{}), "matrix": matrix.String()}
}

var (
	htmlElements = strings.Fields(`html head meta title style body a header p h1 span dl div dt dd code ul li nav main form fieldset legend
		label input select option button section h2 h3 article details summary pre ol b i table thead tbody tr th td small time br footer script`)
	htmlAttributes = strings.Fields(`lang charset http-equiv content name class href id hidden role aria-label aria-labelledby type value
		tabindex scope colspan open autocomplete spellcheck aria-hidden datetime data-v data-a data-k data-c data-d`)
)

// assertHTML parses a page, which is well-formed XML too, and fails where there is anything that our templates do not write.
func assertHTML(t *testing.T, page string) (text string) {
	t.Helper()
	assertGraphic(t, page)
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("html/template had to throw something away")
	}
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Entity = map[string]string{}
	ids := make(map[string]bool)
	var links []string
	var out strings.Builder
	acting, heading := 0, 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.CharData:
			out.Write(token)
		case xml.Comment, xml.ProcInst:
			t.Errorf("%T %v", token, token)
		case xml.StartElement:
			name := token.Name.Local
			if !slices.Contains(htmlElements, name) {
				t.Errorf("element %s", name)
			}
			if name == "script" || name == "style" {
				acting++
			}
			if level := strings.Index("123", strings.TrimPrefix(name, "h")) + 1; strings.HasPrefix(name, "h") && len(name) == 2 && level > 0 {
				if level > heading+1 {
					t.Errorf("a heading of level %d below one of level %d", level, heading)
				}
				heading = level
			}
			for _, a := range token.Attr {
				if !slices.Contains(htmlAttributes, a.Name.Local) {
					t.Errorf("attribute %s of %s", a.Name.Local, name)
				}
				switch a.Name.Local {
				case "id":
					if ids[a.Value] {
						t.Errorf("id %s twice", a.Value)
					}
					ids[a.Value] = true
				case "href":
					links = append(links, a.Value)
				}
			}
		}
	}
	if acting != 2 {
		t.Errorf("%d elements for styles and scripts", acting)
	}
	for _, link := range links {
		anchor, own := strings.CutPrefix(link, "#")
		if own && !ids[anchor] {
			t.Errorf("nothing is at %s", link)
		}
		if !own && !strings.HasPrefix(link, specPage) && !serverPage.MatchString(link) {
			t.Errorf("link to %s", link)
		}
	}
	return out.String()
}

// serverPage is a page of a server, as the tests call them.
var serverPage = regexp.MustCompile(`^all-servers/\d\d\d-a\.b\.html(#[a-z0-9.-]+)?$`)

func TestHostileHTMLIsInert(t *testing.T) {
	for name, page := range htmlOf(t, hostileReport()) {
		t.Run(name, func(t *testing.T) {
			text := assertHTML(t, page)
			for _, want := range []string{`\x1b]0;owned\x07`, hostileHTML[:20]} {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not shown", want)
				}
			}
		})
	}
	text := assertHTML(t, rendered(t, "html", hostileReport(), Options{}))
	for _, want := range []string{hostileXML, `\u202egnp.exe\u202c`, `nul\x00 bad\xff\xfe end`, "</script>", "# Heading"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not shown", want)
		}
	}
}

// TestHTMLEveryFieldIsEscaped puts hostile text into every string, those of our own words included.
func TestHTMLEveryFieldIsEscaped(t *testing.T) {
	const hostile = hostileHTML + `"'><svg onload=alert(3)>` + hostileXML + hostileBytes + hostileBidi + hostileFence
	all := func(r Report) Report { return escaped(r, func(s string) string { return s + hostile }) }
	for _, r := range []Report{all(hostileReport()), all(diagnosisReport())} {
		for i := range r.Results {
			r.Results[i].Verdict = Verdicts()[i%len(Verdicts())]
		}
		r.Unexpected = []string{hostile}
		for _, page := range htmlOf(t, r) {
			assertHTML(t, page)
		}
	}
}

func TestHTMLPolicy(t *testing.T) {
	page := rendered(t, "html", cleanReport(), Options{})
	between := func(start, end string) string {
		_, rest, _ := strings.Cut(page, start)
		content, _, _ := strings.Cut(rest, end)
		return content
	}
	var policy string
	decoder := xml.NewDecoder(strings.NewReader(page))
	for policy == "" {
		token, err := decoder.Token()
		if err != nil {
			t.Fatal("no policy")
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "meta" && len(e.Attr) == 2 && e.Attr[0].Value == "Content-Security-Policy" {
			policy = e.Attr[1].Value
		}
	}
	if want := htmlPolicy(between("<style>", "</style>"), between("<script>", "</script>")); policy != want {
		t.Errorf("the policy is not that of the style and the script:\n%s\n%s", policy, want)
	}
	for _, bad := range []string{"unsafe", "http", "*", "data:"} {
		if strings.Contains(policy, bad) {
			t.Errorf("%s in %s", bad, policy)
		}
	}
	// The pages stay well-formed XML, which is what the other tests read them as.
	parts := htmlParts()
	if strings.ContainsAny(parts.style+parts.script, "<&") {
		t.Error("< or & in the style or the script")
	}
}

// TestHTMLIsBounded has a server that sends as much as it can.
func TestHTMLIsBounded(t *testing.T) {
	r := hostileReport()
	for i := range 60 {
		r.Results[i].Verdict, r.Results[i].Message = Fail, strings.Repeat("<&", 1<<12)
		for range htmlExchanges + 1 {
			e := exchange(strings.Repeat("label ", 100), r.Results[i].ID+r.Results[i].Revision+strings.Repeat("<", 1<<13), 200, strings.Repeat("\x00&", 1<<12))
			r.Results[i].Evidence = append(r.Results[i].Evidence, e)
		}
	}
	r.Results[0].Evidence[0].Response.Header = []string{"X-Big: " + strings.Repeat("<", 1<<20)}
	page := rendered(t, "html", r, Options{})
	assertHTML(t, page)
	if len(page) > 2<<20 {
		t.Errorf("%d bytes", len(page))
	}
	if !strings.Contains(page, "more exchanges in the JSON report") {
		t.Error("what is left out is not named")
	}
}

func TestHTMLShowsAnExchangeOnce(t *testing.T) {
	r := hostileReport()
	page := rendered(t, "html", r, Options{})
	// session.missing-400 is a fail in one revision and a warning in two others, with the same evidence.
	if n := strings.Count(page, `<a href="#session.missing-400_x1">this exchange above</a>`); n != 1 {
		t.Errorf("%d pointers to an exchange that is shown already", n)
	}
}

func TestHTMLBaseline(t *testing.T) {
	r := hostileReport()
	for i := range r.Results {
		if r.Results[i].ID == "session.missing-400" {
			r.Results[i].Excused = "old clients need it, see #12 <b>"
		}
	}
	r.Unexpected = []string{"tools.list.shape"}
	text := assertHTML(t, rendered(t, "html", r, Options{}))
	_, baseline, ok := strings.Cut(text, "These findings are excused.")
	if !ok || !strings.Contains(baseline, "old clients need it, see #12 <b>") || !strings.Contains(text, "tools.list.shape is met now") {
		t.Error("the baseline is not told")
	}
	findings, _, _ := strings.Cut(text, "These findings are excused.")
	_, findings, _ = strings.Cut(findings, "Findings")
	if strings.Contains(findings, "session.missing-400") {
		t.Error("an excused finding stands among the others")
	}
}

func TestHTMLPoints(t *testing.T) {
	r := diagnosisReport()
	r.Diagnosis.Points = []Point{{"challenge", "broken", "none", "WWW-Authenticate"}, {"metadata", "not observed", "", "a document"}}
	text := assertHTML(t, rendered(t, "html", r, Options{}))
	if !strings.Contains(text, "WWW-Authenticate") || !strings.Contains(text, "mcpcheck --header 'Authorization: Bearer $TOKEN'") {
		t.Error("points or advice are missing")
	}
}

func TestHTMLStrict(t *testing.T) {
	r := cleanReport()
	r.Results[0].Verdict = Warn
	r = Finish(r)
	if text := rendered(t, "html", r, Options{JUnit: JUnitOptions{Strict: true}}); !strings.Contains(text, `<h1><span class="warn">Conformant, with 1 warning (strict)`) {
		t.Error("strict changes nothing")
	}
}

func TestHTMLMatrixGolden(t *testing.T) {
	var out bytes.Buffer
	other := cleanReport()
	other.Target.URL, other.Results[3].Verdict = "http://127.0.0.1:9000/mcp", Warn
	if err := RenderHTMLMatrix(&out, []Report{cleanReport(), Finish(other), hostileReport(), diagnosisReport()}); err != nil {
		t.Fatal(err)
	}
	assertHTML(t, out.String())
	golden(t, "servers.html", out.String())
}
