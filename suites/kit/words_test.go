package kit

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
	"github.com/mcpcheck/mcpcheck/wire/wiretest"
)

const pingSent = "== ping\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"

// TestDescribe: what came, in a phrase.
func TestDescribe(t *testing.T) {
	for name, row := range map[string]struct{ came, want string }{
		"a result":          {"< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", "HTTP 200 OK with a result"},
		"a null":            {"< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\": null }", "HTTP 200 OK with a result that is null"},
		"another's":         {"< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":7,\"message\":\"no\"}}", `HTTP 200 OK with JSON-RPC error 7 "no"`},
		"a page":            {"< 200 text/html\n<\n< hello", `HTTP 200 OK with text/html "hello"`},
		"no type":           {"< 200\n<\n< hello", `HTTP 200 OK with untyped "hello"`},
		"nothing":           {"< 202", "HTTP 202 Accepted with an empty body"},
		"an unknown status": {"< 299", "HTTP 299 with an empty body"},
		"a stream":          {"< 200 text/event-stream\n<\n< : open\n<", "HTTP 200 OK with an event stream"},
		"a time-out":        {`. timeout timeout "no answer within 10s"`, "no response: no answer within 10s"},
		"a broken body":     {"< 200 application/json\n< {\"jsonrpc\":\n. error reset \"connection reset\"", "HTTP 200 OK with an incomplete body: connection reset"},
		"an answer in time": {"< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n. error reset \"connection reset\"", "HTTP 200 OK with a result"},
		"hung up":           {". client", "no response within 0s, when mcpcheck hung up"},
		"the server left":   {". server", "no response (ended by server)"},
		"after another":     {"< 200 text/event-stream\n<\n< data: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n<\n< data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n<", "HTTP 200 OK with a result"},
		"a late one":        {"< 202\n. timeout", "HTTP 202 Accepted with an empty body"},
	} {
		x := wiretest.Transcript(t, pingSent+row.came+"\n").Exchanges[0]
		if got := Describe(x); got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
	const listening = "== get\nat: 0s 1ms 9s\n> GET\n< 200 text/event-stream\n<\n< data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n<\n@ 5s\n. client\n"
	for name, row := range map[string]struct{ came, want string }{
		"on another stream":                  {"at: 1s 2s 3s\n" + strings.TrimPrefix(pingSent, "== ping\n") + "< 202\n", "a result on the stream"},
		"on another stream, after a refusal": {"at: 1s 2s 3s\n" + strings.TrimPrefix(pingSent, "== ping\n") + "< 400\n", "HTTP 400 Bad Request with a result"},
		"on a stream that brought nothing":   {"stream: other\nat: 6s 7s 8s\n" + strings.TrimPrefix(pingSent, "== ping\n") + "< 202\n. timeout\n", "HTTP 202 Accepted and no response on the stream"},
		"on a stream, given up":              {"stream: other\nat: 6s 7s 8s\n" + strings.TrimPrefix(pingSent, "== ping\n") + "< 202\n. client\n", "HTTP 202 Accepted"},
	} {
		if got := Describe(wiretest.Transcript(t, listening+"== ping\n"+row.came).Exchange("ping")); got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
	if got := Describe(nil); got != "nothing was sent" {
		t.Errorf("nothing: %q", got)
	}
}

// TestHungUp: an answer that came ahead of it is none that was given up.
func TestHungUp(t *testing.T) {
	stream := "< 200 text/event-stream\n<\n< data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n<\n. client\n"
	if HungUp(wiretest.Transcript(t, pingSent+stream).Exchanges[0]) || !HungUp(wiretest.Transcript(t, pingSent+". client\n").Exchanges[0]) ||
		HungUp(wiretest.Transcript(t, pingSent+". timeout timeout \"x\"\n").Exchanges[0]) {
		t.Error("who hung up is not told rightly")
	}
}

// TestQuote: long texts are cut between characters.
func TestQuote(t *testing.T) {
	full := strings.Repeat("a", maxQuote)
	for _, row := range []struct{ text, want string }{
		{full, `"` + full + `"`},
		{full + "b", `"` + full + `…"`},
		{full[1:] + "é", `"` + full[1:] + `…"`},
		{strings.Repeat("\x80", maxQuote+1), `"…"`},
		{" a ", `"a"`},
	} {
		if got := Quote([]byte(row.text)); got != row.want {
			t.Errorf("%q: %q", row.text, got)
		}
	}
}

// TestOr: phrases are joined as in a sentence.
func TestOr(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := Or(words...); got != want {
			t.Errorf("%q: %q", words, got)
		}
	}
}

// TestCauses: which class a cause has, and which cause an exchange tells.
func TestCauses(t *testing.T) {
	classes := map[Class][]Cause{
		NothingToSee: {Unprovoked, NotOffered, Unnamed, Raced, TurnedAway, Denied, Ended, Limited, Inconclusive},
		CouldNotLook: {Unanswered, BrokenOff, Unreachable, Busy, Gateway, Failing, Intermediary, Unrecorded, Interrupted, Cut, OutOfTime, Unstable, Unconfirmed},
		"":           {Blocked},
	}
	for class, causes := range classes {
		for _, c := range causes {
			if c.Class() != class {
				t.Errorf("%s is %q, want %q", c, c.Class(), class)
			}
		}
	}
	for came, want := range map[string]Cause{
		"< 200": Ended, "< 408": Busy, "< 429": Busy, "< 500": Failing, "< 505": Failing, "< 502": Gateway, "< 503": Gateway, "< 504": Gateway, ". client": Limited,
		`. timeout timeout "x"`: Unanswered, `. error refused "x"`: Unreachable, `. error dns "x"`: Unreachable, `. error tls "x"`: Unreachable,
		`. error cancelled "x"`: Interrupted, `. limit limit "x"`: Cut, `. error reset "x"`: BrokenOff,
	} {
		if got := CauseOf(wiretest.Transcript(t, pingSent+came+"\n").Exchanges[0], Ended); got != want {
			t.Errorf("%s: %s, want %s", came, got, want)
		}
	}
	if CauseOf(nil, Ended) != Ended {
		t.Error("what was not sent tells a cause")
	}
}

// TestInconclusive: the statuses that say nothing about a probe, and the causes of a refusal.
func TestInconclusive(t *testing.T) {
	for status, want := range map[int]bool{200: false, 400: false, 401: true, 402: true, 403: true, 404: false, 407: true, 408: true, 429: true, 499: false, 500: true} {
		if inconclusive(status) != want {
			t.Errorf("%d", status)
		}
	}
	for came, want := range map[string]Cause{"< 400": TurnedAway, "< 401": Denied, "< 402": Denied, "< 403": Denied, "< 407": Denied, "< 404": TurnedAway} {
		if got := refusal(wiretest.Transcript(t, pingSent+came+"\n").Exchanges[0]); got != want {
			t.Errorf("%s: %s", came, got)
		}
	}
}

// TestRanks: the weightiest finding leads, the first of equals.
func TestRanks(t *testing.T) {
	order := []Verdict{Pass, Note, Warn, Fail, Error}
	for i, v := range order {
		for j, w := range order {
			if got := mildest(v, w); got != order[min(i, j)] {
				t.Errorf("the milder of %s and %s is %s", v, w, got)
			}
			lead := worst([]Finding{{Verdict: v, Got: "first"}, {Verdict: w, Got: "second"}})
			if want := map[bool]string{true: "second", false: "first"}[j > i]; lead.Got != want {
				t.Errorf("of %s and %s leads the %s", v, w, lead.Got)
			}
		}
	}
	for v, want := range map[Verdict]bool{Fail: true, Warn: true, Note: false, Pass: false, NotObserved: false, Error: false} {
		if v.Accuses() != want {
			t.Errorf("%s accuses: %v", v, v.Accuses())
		}
	}
}

// TestSharing: who has a session, and who has it for himself.
func TestSharing(t *testing.T) {
	for s, want := range map[Sharing][2]bool{
		Shared: {true, false}, Own: {true, false}, Bare: {false, false}, Last: {true, false}, Deadly: {true, true}, Alone: {true, true}, BareAlone: {false, true},
	} {
		if got := [2]bool{s.Opens(), s.IsAlone()}; got != want {
			t.Errorf("%d: %v, want %v", s, got, want)
		}
	}
}

// TestWording: the phrases for violations of a schema, and which of them are left to others.
func TestWording(t *testing.T) {
	found := []schema.Violation{{Path: "/a/b", Want: "a string", Got: "7"}, {Path: "/a/c/d", Want: "a string", Got: "7"}}
	for _, row := range []struct {
		found []schema.Violation
		want  [2]string
	}{
		{found, [2]string{"a string at /a/b", "/a/b is 7, and 1 more like it"}},
		{found[:1], [2]string{"a string at /a/b", "/a/b is 7"}},
		{[]schema.Violation{{Want: "an object", Got: "7"}}, [2]string{"an object at the value", "the value is 7"}},
	} {
		expected, got := Wording(row.found)
		if diff := cmp.Diff(row.want, [2]string{expected, got}); diff != "" {
			t.Error(diff)
		}
	}
	for _, row := range []struct {
		pattern string
		within  int
	}{{"/a", 2}, {"/a/b", 1}, {"/a/*", 2}, {"/a/*/d", 1}, {"/*/b", 1}, {"/b/b", 0}, {"/a/b/c/d", 0}} {
		if in, out := len(Within(found, row.pattern)), len(Without(found, row.pattern)); in != row.within || out != 2-row.within {
			t.Errorf("%s: %d within, %d without", row.pattern, in, out)
		}
	}
}

// TestLists: what is read of listed items, and what is left out.
func TestLists(t *testing.T) {
	list := func(method, member, items string) string {
		return "== " + method + "\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\"}\n< 200 application/json\n" +
			"< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"" + member + "\":" + items + "}}\n"
	}
	tr := wiretest.Transcript(t, list("tools/list", "tools", `[{"name":"a","annotations":{"readOnlyHint":true}},{"name":"b","annotations":{"readOnlyHint":true},"inputSchema":{"required":["x"]}},`+
		`{"name":"c","annotations":{"readOnlyHint":true},"inputSchema":{"required":"x"}},{"name":"d"},{"name":""},{"name":7},7]`)+
		list("prompts/list", "prompts", `[{"name":"p","arguments":[{"name":"a"},{"name":"b","required":true}]},{"name":"q","arguments":7},{"name":"r"},{"name":""},{"name":7}]`)+
		list("resources/list", "resources", `[{"uri":"a:b","mimeType":"text/plain","size":3},{"uri":""},{"uri":7},{"uri":"c:d","mimeType":7}]`)+
		list("resources/templates/list", "resourceTemplates", `[{"uriTemplate":"a:{b}"},{"uriTemplate":""},{"uriTemplate":7}]`)+
		strings.Replace(list("prompts/get", "tools", `[{"name":"of another method"}]`), "== ", "== not a list ", 1)+
		"== refused\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/list\"}\n< 400 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{\"tools\":[{\"name\":\"x\"}]}}\n")
	f := NewFacts("2025-11-25", StreamableHTTP, Given{})
	f.ReadLists(tr)
	var callable, tools, required []string
	for _, tool := range f.Tools {
		required = append(required, tool.Required...)
		tools = append(tools, tool.Name)
		if tool.Callable() {
			callable = append(callable, tool.Name)
		}
	}
	if diff := cmp.Diff([][]string{{"a", "b", "c", "d"}, {"a"}, {"a:{b}"}}, [][]string{tools, callable, f.Templates}); diff != "" {
		t.Errorf("tools, callable ones and templates (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"x", "?"}, required); diff != "" {
		t.Errorf("what tools require (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Prompt{{"p", []string{"a", "b"}, []string{"b"}}, {"q", nil, []string{"?"}}, {"r", nil, nil}}, f.Prompts); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Resource{{"a:b", "text/plain", 3}, {URI: "c:d"}}, f.Resources); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}

// TestManyListed: what comes behind the first ten thousand tools is left out, unless the user named it.
func TestManyListed(t *testing.T) {
	items := make([]string, MaxListed+2)
	for i := range items {
		items[i] = `{"name":"t"}`
	}
	items[MaxListed], items[MaxListed+1] = `{"name":"late"}`, `{"name":"named"}`
	tr := wiretest.Transcript(t, "== tools/list\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n< 200 application/json\n"+
		"< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":["+strings.Join(items, ",")+"]}}\n")
	f := NewFacts("2025-11-25", StreamableHTTP, Given{Named: []string{"named"}})
	f.ReadLists(tr)
	if n := len(f.Tools); n != MaxListed+1 || f.Tools[n-1].Name != "named" || f.Tools[n-2].Name != "t" {
		t.Errorf("%d tools, the last %q", n, f.Tools[n-1].Name)
	}
}

// TestResources: which resources are read, one text and one other where there are, and which are watched.
func TestResources(t *testing.T) {
	long := "a:" + strings.Repeat("b", maxURI-2)
	text, jsons, image, bare := Resource{"a:text", "text/plain", 0}, Resource{"a:json", "application/json", 0}, Resource{"a:image", "image/png", maxSize}, Resource{URI: "a:bare"}
	for name, row := range map[string]struct {
		listed []Resource
		want   string
	}{
		"none":                      {nil, ""},
		"a text and another":        {[]Resource{bare, image, text}, "a:text a:image"},
		"JSON is text":              {[]Resource{image, jsons}, "a:json a:image"},
		"a text and none of a type": {[]Resource{jsons, text, bare}, "a:json a:bare"},
		"texts":                     {[]Resource{text, jsons}, "a:text a:json"},
		"no text":                   {[]Resource{bare, image}, "a:bare a:image"},
		"one":                       {[]Resource{image}, "a:image"},
		"the same twice":            {[]Resource{text, text}, "a:text"},
		"one that is too large":     {[]Resource{{"a:large", "text/plain", maxSize + 1}, bare}, "a:bare"},
		"one that is just short":    {[]Resource{{long, "text/plain", 0}}, long},
		"one that is too long":      {[]Resource{{long + "b", "text/plain", 0}}, ""},
	} {
		var got []string
		for _, r := range (&Facts{Resources: row.listed}).Read() {
			got = append(got, r.URI)
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	f := &Facts{Resources: []Resource{text, text, {"a:large", "", maxSize + 1}, image, bare, jsons}}
	if diff := cmp.Diff([]Resource{text, image, bare}, f.Watch(3)); diff != "" {
		t.Errorf("watched (-want +got):\n%s", diff)
	}
}

// TestPages: what is a page of a list, and what can be read of it.
func TestPages(t *testing.T) {
	for came, want := range map[string]bool{
		`< 200 application/json` + "\n" + `< {"jsonrpc":"2.0","id":1,"result":{"tools":[{}],"nextCursor":"a"}}`:   true,
		`< 200 application/json` + "\n" + `< {"jsonrpc":"2.0","id":1,"result":{"tools":{},"nextCursor":"a"}}`:     false,
		`< 200 application/json` + "\n" + `< {"jsonrpc":"2.0","id":1,"result":[{"tools":[{}],"nextCursor":"a"}]}`: false,
		`< 200 application/json` + "\n" + `< {"jsonrpc":"2.0","id":1,"error":{"code":1,"tools":[]}}`:              false,
		`< 202`: false,
	} {
		p := ReadPage(wiretest.Transcript(t, pingSent+came+"\n").Exchanges[0], Lists[0])
		if p.Readable != want || want && (len(p.Items) != 1 || p.Next() != "a") {
			t.Errorf("%s: readable %v", came, p.Readable)
		}
	}
	first := &wire.Exchange{Label: "tools/list"}
	second := &wire.Exchange{Label: "tools/list page 2", Origin: wire.PageOf("tools/list", 2)}
	resumed := &wire.Exchange{Label: "another", Origin: wire.Origin{Kind: wire.FromResumption, Of: "tools/list"}}
	for x, want := range map[*wire.Exchange]bool{first: true, second: true, resumed: false, {Label: "prompts/list"}: false} {
		if IsPage(x, "tools/list") != want {
			t.Errorf("%s is a page: %v", x.Label, !want)
		}
	}
	a, b := json.RawMessage(`{"name":"a"}`), json.RawMessage(`{"name":"b"}`)
	if !(Page{Items: []json.RawMessage{a, b}}).Same(Page{Items: []json.RawMessage{a, b}}) || (Page{Items: []json.RawMessage{a, b}}).Same(Page{Items: []json.RawMessage{a, a}}) {
		t.Error("pages of the same length are not told apart")
	}
	for _, l := range Lists {
		if ListFor(l.Method) != l {
			t.Errorf("the list of %s is that of %s", l.Method, ListFor(l.Method).Method)
		}
	}
	if ListFor("ping") != Lists[0] {
		t.Error("a method without a list has none to stand in")
	}
	if again(2, true) != 3 || again(2, false) != 1 {
		t.Error("what came again is counted wrongly")
	}
}

// TestWatched: a stream shows that nothing came only where it was watched long enough.
func TestWatched(t *testing.T) {
	for name, row := range map[string]struct {
		window wire.Window
		want   Verdict
	}{
		"long enough":    {wire.Window{Stream: "get", To: time.Second, Want: time.Second}, Pass},
		"too short":      {wire.Window{Stream: "get", To: time.Second - 1, Want: time.Second}, NotObserved},
		"another stream": {wire.Window{Stream: "other", To: time.Second, Want: time.Second}, NotObserved},
	} {
		tr := wiretest.Transcript(t, "== get\n> GET\n< 200 text/event-stream\n<\n< : open\n<\n. client\n")
		tr.Script, tr.Windows = "s", []wire.Window{row.window}
		got := judged(tr, nil, func(t *T) { t.Watched("get"); t.Saw() })
		if got.Verdict != row.want {
			t.Errorf("%s: %s", name, got.Verdict)
		}
	}
}
