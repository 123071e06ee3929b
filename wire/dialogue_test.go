package wire

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// saved is a transcript as the file of one has it, so that two can be compared with all that they hold.
func saved(t *testing.T, tr *Transcript) string {
	t.Helper()
	raw, err := json.MarshalIndent(tr, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func read(t *testing.T, text string) *Transcript {
	t.Helper()
	d, err := ReadDialogue(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	tr, err := d.Transcript()
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return tr
}

// TestDialogueKeepsEverything: what a transcript holds is there after it was written and read.
func TestDialogueKeepsEverything(t *testing.T) {
	tr := &Transcript{
		Script: "area/script", Revision: "2025-11-25", Transport: "streamable-http", Attempt: 2, Shared: true,
		Session: SessionInfo{ID: "a\nb", Negotiated: "2025-06-18", Opened: true}, Started: time.Unix(7, 9).UTC(), Duration: time.Second,
		Died: "exit status 2\npanic: no", Aborted: "interrupted", Superseded: true,
		Windows: []Window{{Stream: "get it", Marker: "x", From: 1, To: 2 * time.Second, Want: time.Millisecond}, {Stream: `"`}},
	}
	add := func(x *Exchange) { tr.Exchanges = append(tr.Exchanges, x) }
	request := Request{Method: "POST", URL: DefaultURL, Body: NewBody([]byte(`{"a":1}`))}
	add(&Exchange{Label: "plain", Request: request, EndedBy: ByServer, Sent: 0, Head: step, End: 2 * step,
		Response: &Response{Proto: "HTTP/1.1", Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: NewBody([]byte(`{"b":2}`))}})
	odd := Request{Method: "GE T", URL: "http://[::1]/ x", Host: "evil.example", Header: http.Header{
		"mcp-session-ID": {"a", " b "}, "bad name": {"x"}, "{": {""}, "X": {"\x00\xff", "ü"}}, Body: Body{data: []byte("no\xff JSON"), size: 99}}
	for i, body := range []string{"", "\n", "a", "a\n", "a\r\nb", "\n\na\n\n", "{\n}\n", " {}", "{} ", "data: x\n\n", "data: x", "a\x00\n", "\"q\"", "\u2028", "-- a --\n== b\n"} {
		for _, media := range []string{"text/event-stream", "application/json", "", "x y;"} {
			header := http.Header{"Content-Type": {media}, "X-Two": {"1", "2"}}
			if media == "" {
				header = nil
			}
			label := fmt.Sprint(i, " ", media)
			add(&Exchange{Label: label, Origin: Origin{Kind: FromPage, Of: "a b", Number: 2, Repeat: 3}, Broken: "so", Stream: "plain", Conn: 3, Reused: i%2 == 0,
				Request: odd, Sent: 5, Head: 6, End: 7, EndedBy: ByError, Error: &NetError{Kind: ErrReset, Message: "x \" y", Phase: "body", Reason: "why"},
				Response: &Response{Proto: "HTTP/2.0", Status: 299, Header: header, Body: NewBody([]byte(body)), RawHead: Bytes("HTTP/1.1 \r\n"),
					Interim: []Bytes{Bytes("100"), Bytes("103\r\n")}, Surplus: Bytes("s\n")}})
			if n := int64(len(body)); n > 0 {
				x := tr.Exchanges[len(tr.Exchanges)-1]
				x.Response.Chunks = []Chunk{{End: (n + 1) / 2, At: 4 * time.Second}, {End: n, At: 5 * time.Second}}[:min(2, n)]
			}
		}
	}
	add(&Exchange{Label: "", Origin: Origin{Kind: FromScript}, Request: Request{}, EndedBy: ByTimeout, Unparsed: Bytes("SSH-2.0\r\n"), Sent: 1, End: 2})
	for _, x := range tr.Exchanges {
		if x.Origin.Kind == "" {
			x.Origin.Kind = FromScript // a dialogue knows no exchange without
		}
	}
	tr.Lent = []*Exchange{{Label: "control", Origin: Origin{Kind: FromLender, Of: "before it"}, Request: request, EndedBy: ByServer, Sent: -3, Head: -2, End: -1,
		Response: &Response{Proto: "HTTP/1.1", Status: 200}}}
	text := tr.Dialogue()
	if d := cmp.Diff(saved(t, tr), saved(t, read(t, text))); d != "" {
		t.Errorf("%s\n%s", d, text)
	}
}

const dialogue = `
# What happens between two.
script: area/script
session: s
window: "get" 0s to 1s want 300ms after "ping"

== ping
> POST
> Content-Type: application/json
> {"jsonrpc":"2.0","id":1,"method":"ping"}
< 200 application/json
< {"jsonrpc":"2.0",
<  "id":1,"result":{}}

== get
at: 1s
> GET http://example.com/
< 200 text/event-stream
<
< data: {"jsonrpc":"2.0","method":"a"}
<
@ 1500ms
<"data: {\"jsonrpc\":\"2.0\",\"method\":\"b\"}\r\n\r\n"
. client

== silent
> DELETE
. timeout timeout "no answer within 10s"
`

// TestDialogueIsRead: the text means what its description says.
func TestDialogueIsRead(t *testing.T) {
	tr := read(t, dialogue)
	ping, get, silent := tr.Exchange("ping"), tr.Exchange("get"), tr.Exchange("silent")
	if tr.Script != "area/script" || tr.Session.ID != "s" || tr.Attempt != 1 || len(tr.Windows) != 1 || !tr.Windows[0].Long() || tr.Windows[0].Marker != "ping" {
		t.Errorf("%+v", tr)
	}
	if !ping.Served() || ping.EndedBy != ByServer || ping.Request.URL != DefaultURL || ping.Request.Header.Get("Content-Type") != "application/json" ||
		string(ping.Response.Body.Bytes()) != "{\"jsonrpc\":\"2.0\",\n \"id\":1,\"result\":{}}" || ping.Sent != 0 || ping.Head != step || ping.End != 2*step {
		t.Errorf("%+v %+v", ping, ping.Response)
	}
	m := get.Messages()
	if len(m) != 2 || m[0].Method != "a" || m[1].Method != "b" || m[0].At != 1500*time.Millisecond || get.EndedBy != ByClient || get.Sent != time.Second ||
		get.End != 1500*time.Millisecond || get.Request.URL != "http://example.com/" {
		t.Errorf("%+v %+v", get, m)
	}
	if silent.Response != nil || silent.EndedBy != ByTimeout || silent.Error.Kind != ErrTimeout || silent.Error.Message != "no answer within 10s" || silent.Sent != get.End+step {
		t.Errorf("%+v %+v", silent, silent.Error)
	}
}

// TestDialogueDiffers: what a dialogue does not say is as in the one that it differs from.
func TestDialogueDiffers(t *testing.T) {
	base, err := ReadDialogue(dialogue)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ReadDialogue("session:\nwithout: silent\nwindow: none\n== ping\n< 500\n== new\n> PUT\n< 201\n== get\nbroken: so\n== last\n> PUT\n. error reset\n")
	if err != nil {
		t.Fatal(err)
	}
	both, err := d.On(base)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := both.Transcript()
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for _, x := range tr.Exchanges {
		labels = append(labels, x.Label)
	}
	ping, get := tr.Exchange("ping"), tr.Exchange("get")
	if strings.Join(labels, " ") != "ping new get last" || tr.Script != "area/script" || tr.Session.ID != "" || len(tr.Windows) != 0 {
		t.Errorf("%q %+v", labels, tr)
	}
	if ping.Status() != 500 || ping.Response.Body.Size() != 0 || ping.RequestMessage().Method != "ping" || get.Broken != "so" || len(get.Events()) != 2 || get.EndedBy != ByClient || get.Sent != time.Second {
		t.Errorf("%+v %+v", ping, get)
	}
	whole, err := base.Transcript()
	if err != nil || saved(t, whole) != saved(t, read(t, dialogue)) {
		t.Errorf("the base has changed: %v", err)
	}
	for _, text := range []string{"without: none\n", "== none\n< 200\n"} {
		d, err := ReadDialogue(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.On(base); err == nil {
			t.Errorf("%q differs from what is not there", text)
		}
	}
}

// TestDialogueErrors: what is no dialogue is refused, with the line.
func TestDialogueErrors(t *testing.T) {
	const begun = "== a\n> POST\n"
	for text, want := range map[string]string{
		"nonsense":                                `line 1: "nonsense" is no line`,
		"\ncolour: red":                           "line 2: colour: a transcript has no such line",
		"shared: perhaps":                         "neither yes nor no",
		"window: x":                               "a window is",
		"duration: soon":                          "line 1: duration",
		"> POST":                                  `line 1: "== LABEL" begins`,
		"== a\n== a":                              "line 2: there is an exchange",
		"== a\ncolour: red":                       "line 2: colour: an exchange has no such line",
		"== a\nat: 1s 2s 3s 4s":                   "at most three times",
		begun + "broken: x":                       "line 3: broken: such a line stands ahead",
		begun + "< 200\n. client\n< more":         "line 5: the response goes on",
		begun + "< 200\n. server\n. client":       "one end",
		begun + ". nobody":                        "is ended by",
		begun + "@ 1s":                            "line 3: \"@ TIME\"",
		begun + "> no header":                     "is no header field",
		begun + "<200":                            "a space follows",
		begun + "<\"200\"":                        "a body stands behind",
		begun + "< OK":                            "begins with its status",
		begun + "< 200\n<\"\\z\"":                 "no Go string",
		begun + "< 200\n< X: \"\\z\"":             "no Go string",
		"== a\norigin: page 2 3":                  "an origin is",
		"session: \"":                             "no Go string",
		"died: \xff":                              "not UTF-8",
		"== \"a":                                  "no Go string",
		"== a\n> \"POST":                          "no Go string",
		begun + ". error reset \"":                "no Go string",
		begun + "< 200 \"x\n":                     "no Go string",
		begun + "< 200\n< \"x: y":                 "no Go string",
		"== a\nsize: many\n> POST\n< 200\n< {}\n": "size",
	} {
		if _, err := ReadDialogue(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"== a\n< 200": "no request",
		begun:         "does not say what ended it",
	} {
		d, err := ReadDialogue(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Transcript(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// FuzzDialogue: whatever can be read is written so that it reads the same, and writing that again changes nothing.
func FuzzDialogue(f *testing.F) {
	f.Add(dialogue)
	f.Add("== a\norigin: page 2 of \"b c\" #3\nconn: 2 reused\nat: 1s 2s 3s\ninterim: \"100\\r\\n\"\n> \"G T\" \"\"\n> \"{\": x\n<\"a\"\n< HTTP/2.0 200 \"\"\n<\n< \n@ 1s\n. limit limit \"x\" body why")
	f.Add("started: 2025-01-01T00:00:00Z\n== a\nsize: 9\nsurplus: x\n> POST\n< 200\n<\n<\n< x\n<\"\"\n@ 1s\n@ 2s\n< y\n. client\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ReadDialogue(text)
		if err != nil {
			return
		}
		tr, err := d.Transcript()
		if err != nil {
			return
		}
		written := tr.Dialogue()
		again := read(t, written)
		if d := cmp.Diff(saved(t, tr), saved(t, again)); d != "" {
			t.Fatalf("%s\n%q", d, written)
		}
		if third := again.Dialogue(); third != written {
			t.Fatal(cmp.Diff(written, third))
		}
	})
}
