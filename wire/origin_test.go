package wire

import (
	"errors"
	"io"
	"net/http"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The file was written by the version before exchanges had an origin, at a server that was busy once.
func TestOriginsOfAnOldFile(t *testing.T) {
	file, err := os.Open("testdata/before-origins.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	found := map[string]Origin{}
	for {
		tr, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range tr.Exchanges {
			if x.Origin.Kind == "" {
				t.Errorf("%s of %s has no origin", x.Label, tr.Script)
			}
			if x.Origin != (Origin{Kind: FromScript}) {
				found[tr.Script+": "+x.Label] = x.Origin
			}
		}
	}
	want := map[string]Origin{
		"survey: auto/delete":                      {Kind: FromCleanUp},
		"survey: auto/delete#2":                    {Kind: FromCleanUp, Repeat: 2},
		"survey: auto/delete#3":                    {Kind: FromCleanUp, Repeat: 3},
		"survey: auto/delete#4":                    {Kind: FromCleanUp, Repeat: 4},
		"inventory: auto/busy/prompts/list/1":      {Kind: FromBusy, Of: "prompts/list", Number: 1},
		"inventory: resources/list page 2":         {Kind: FromPage, Of: "resources/list", Number: 2},
		"inventory: tools/list page 2":             {Kind: FromPage, Of: "tools/list", Number: 2},
		"inventory: tools/list page 3":             {Kind: FromPage, Of: "tools/list", Number: 3},
		"inventory: tools/list page 4":             {Kind: FromPage, Of: "tools/list", Number: 4},
		"inventory: tools/list page 5":             {Kind: FromPage, Of: "tools/list", Number: 5},
		"inventory: tools/list page 6":             {Kind: FromPage, Of: "tools/list", Number: 6},
		"inventory: tools/list page 7":             {Kind: FromPage, Of: "tools/list", Number: 7},
		"transport/dropped: resume call slow":      {Kind: FromResumption, Of: "call slow"},
		"transport/dropped: auto/delete":           {Kind: FromCleanUp},
		"pagination/same-cursor: first page again": {Kind: FromRepetition, Of: "first page"},
	}
	if d := cmp.Diff(want, found); d != "" {
		t.Error(d)
	}
}

func TestOriginsByLabel(t *testing.T) {
	resuming := Request{Method: "GET", Header: http.Header{"Last-Event-ID": {"7"}}}
	asking := func(method string) Request {
		return Request{Method: "POST", Body: NewBody([]byte(`{"jsonrpc":"2.0","id":1,"method":"` + method + `"}`))}
	}
	script := Origin{Kind: FromScript}
	for _, test := range []struct {
		name    string
		x       *Exchange
		others  []string // other labels of the transcript, each a tools/list
		want    Origin
		renamed string // what Name gives where it is not the label
	}{
		{name: "plain", x: &Exchange{Label: "ping"}, want: script},
		{name: "second of its name", x: &Exchange{Label: "ping#2"}, others: []string{"ping"}, want: Origin{Kind: FromScript, Repeat: 2}, renamed: "ping"},
		{name: "a tool with a hash", x: &Exchange{Label: "call c#2"}, want: script},
		{name: "a number that nobody writes", x: &Exchange{Label: "ping#02"}, others: []string{"ping"}, want: script},
		{name: "the first is not numbered", x: &Exchange{Label: "ping#1"}, others: []string{"ping"}, want: script},
		{name: "answer", x: &Exchange{Label: "auto/answer/12"}, want: Origin{Kind: FromAnswer, Number: 12}},
		{name: "clean-up", x: &Exchange{Label: "auto/delete#2"}, others: []string{"auto/delete"}, want: Origin{Kind: FromCleanUp, Repeat: 2}, renamed: "auto/delete"},
		{name: "stale", x: &Exchange{Label: "auto/stale/call a/b/2"}, want: Origin{Kind: FromStale, Of: "call a/b", Number: 2}},
		{name: "busy, of a second of its name", x: &Exchange{Label: "auto/busy/ping#2/1"}, want: Origin{Kind: FromBusy, Of: "ping#2", Number: 1}},
		{name: "resumption", x: &Exchange{Label: "resume call a", Request: resuming}, others: []string{"call a"}, want: ResumptionOf("call a")},
		{name: "resumption of a resumption", x: &Exchange{Label: "resume resume a", Request: resuming}, others: []string{"a", "resume a"}, want: ResumptionOf("resume a")},
		{name: "second resumption", x: &Exchange{Label: "resume a#2", Request: resuming}, others: []string{"a", "resume a"},
			want: Origin{Kind: FromResumption, Of: "a", Repeat: 2}, renamed: "resume a"},
		{name: "resumption of a second of its name", x: &Exchange{Label: "resume a#2", Request: resuming}, others: []string{"a", "resume a", "a#2"}, want: ResumptionOf("a#2")},
		{name: "a GET that resumes nothing", x: &Exchange{Label: "resume a", Request: Request{Method: "GET"}}, others: []string{"a"}, want: script},
		{name: "repetition", x: &Exchange{Label: "after delete again"}, others: []string{"after delete"}, want: RepetitionOf("after delete")},
		{name: "again and nothing before", x: &Exchange{Label: "once again"}, want: script},
		{name: "page", x: &Exchange{Label: "after tools/list page 3", Request: asking("tools/list")}, others: []string{"after tools/list"}, want: PageOf("after tools/list", 3)},
		{name: "a tool called like a page", x: &Exchange{Label: "call c page 3", Request: asking("tools/call")}, others: []string{"call c"}, want: script},
		{name: "a page of nothing", x: &Exchange{Label: "tools/list page 3", Request: asking("tools/list")}, want: script},
	} {
		t.Run(test.name, func(t *testing.T) {
			tr := &Transcript{}
			for _, label := range test.others {
				tr.Exchanges = append(tr.Exchanges, &Exchange{Label: label, Request: asking("tools/list")})
			}
			tr.Exchanges = append(tr.Exchanges, test.x)
			deriveOrigins(tr)
			if test.x.Origin != test.want {
				t.Errorf("got %+v, want %+v", test.x.Origin, test.want)
			}
			if test.renamed == "" {
				test.renamed = test.x.Label
			}
			if name := test.x.Name(); name != test.renamed {
				t.Errorf("its name is %q, want %q", name, test.renamed)
			}
			if label := test.want.Label(); label != "" && label != test.renamed {
				t.Errorf("such an exchange is called %q", label)
			}
			if x := tr.From(test.want); x == nil || x.Origin.Kind != test.want.Kind {
				t.Error("none is found by that origin")
			}
		})
	}
}

// An origin that a file states is not read off the label.
func TestStatedOriginsStay(t *testing.T) {
	tr := &Transcript{Exchanges: []*Exchange{
		{Label: "once"}, {Label: "once again", Origin: Origin{Kind: FromScript}},
	}}
	deriveOrigins(tr)
	if got := tr.Exchanges[1].Origin; got != (Origin{Kind: FromScript}) {
		t.Errorf("got %+v", got)
	}
}

func TestAutomatic(t *testing.T) {
	for kind, want := range map[OriginKind]bool{
		"": false, FromScript: false, FromPage: false, FromResumption: false, FromRepetition: false,
		FromAnswer: true, FromCleanUp: true, FromBusy: true, FromStale: true,
	} {
		if got := (Origin{Kind: kind}).Automatic(); got != want {
			t.Errorf("%q: %v", kind, got)
		}
	}
}
