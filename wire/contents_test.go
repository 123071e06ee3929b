package wire

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// large returns an exchange whose answer lives in a file.
func large(t *testing.T, s *Scratch, media, body string) *Exchange {
	t.Helper()
	w := NewBodyWriter(s)
	if _, err := w.Write([]byte(body)); err != nil {
		t.Fatal(err)
	}
	x := &Exchange{
		Request:  Request{Method: "POST", Body: NewBody([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))},
		Response: &Response{Status: 200, Header: http.Header{"Content-Type": {media}}, Body: w.Body()},
		EndedBy:  ByServer,
	}
	if !x.Response.Body.inFile() {
		t.Fatalf("%d bytes are not in a file", len(body))
	}
	return x
}

// TestContentsAreKeptOnce: answers that hold the same share it, and a message that keeps no bytes of its own says the same as one that does.
func TestContentsAreKeptOnce(t *testing.T) {
	s := &Scratch{}
	defer s.Remove()
	result := `{"tools":[{"name":"` + strings.Repeat("n", inlineLimit) + `"}]}`
	bodies := map[string]string{
		"application/json":  ` {"jsonrpc":"2.0","id":%d,"result":` + result + `,"more":{"a":7}} `,
		"text/event-stream": ": hello\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":%d,\ndata: \"result\":" + result + ",\"more\":{\"a\":7}}\n\n",
	}
	var first *Message
	for media, body := range bodies {
		for id := range 3 {
			x := large(t, s, media, fmt.Sprintf(body, id))
			list := x.Messages()
			if len(list) != 1 || x.Excess() != "" {
				t.Fatalf("%s: %d messages, %q", media, len(list), x.Excess())
			}
			m := list[0].Message
			if first == nil {
				first = &m
			}
			if &m.Result[0] != &first.Result[0] {
				t.Errorf("%s: answer %d keeps what it holds for itself", media, id)
			}
			if m.raw != nil || string(m.ID) != fmt.Sprint(id) {
				t.Errorf("%s: id %s, %d bytes of its own", media, m.ID, len(m.raw))
			}
			whole := ReadMessage(m.Raw())
			if whole.Kind != m.Kind || !bytes.Equal(whole.Result, m.Result) || !bytes.Equal(whole.ID, m.ID) {
				t.Errorf("%s: read anew it is another message: %.80s", media, m.Raw())
			}
			for _, pointer := range []string{"", "/id", "/result/tools/0/name", "/more/a", "/result/other", "/results", "/error"} {
				a, found := m.Pointer(pointer)
				b, there := whole.Pointer(pointer)
				if found != there || !bytes.Equal(a, b) {
					t.Errorf("%s: %q is %.40s, and %.40s read anew", media, pointer, a, b)
				}
			}
			if m.Digest() != whole.Digest() || id > 0 && m.Digest() == first.Digest() {
				t.Error("digests do not tell messages apart")
			}
		}
	}
	if s.shelf.held != int64(len(result)) {
		t.Errorf("%d bytes are held, for one content of %d", s.shelf.held, len(result))
	}
}

// TestMessagesOfLongStreams: each message of a stream that lives in a file says what it said, whatever its size and place.
func TestMessagesOfLongStreams(t *testing.T) {
	s := &Scratch{}
	defer s.Remove()
	var stream strings.Builder
	var want []string
	for i := range 200 {
		text := fmt.Sprintf(`{"jsonrpc":"2.0","method":"n","params":{"i":%d,"x":"%s"}}`, i, strings.Repeat("x", 40*i))
		want = append(want, text)
		fmt.Fprintf(&stream, "id: %d\r\ndata: %s \r\n\r\n", i, text)
	}
	x := large(t, s, "text/event-stream", stream.String())
	list := x.Messages()
	if len(list) != len(want) {
		t.Fatalf("%d messages of %d", len(list), len(want))
	}
	own := 0
	for i, m := range list {
		if string(m.Raw()) != want[i] {
			t.Fatalf("message %d is %.80s", i, m.Raw())
		}
		if m.raw != nil {
			own++
		}
	}
	if own == 0 || own == len(want) {
		t.Errorf("%d of %d messages keep their own text", own, len(want))
	}
}

// TestContentsAreBounded: what the run has no room for is said, and not kept.
func TestContentsAreBounded(t *testing.T) {
	s := &Scratch{}
	defer s.Remove()
	size := maxContents / 4
	for i := range 5 {
		result := fmt.Sprintf(`{"x":"%d%s"}`, i, strings.Repeat("x", size-10))
		excess := large(t, s, "application/json", `{"jsonrpc":"2.0","id":1,"result":`+result+`}`).Excess()
		if (excess != "") != (i == 4) {
			t.Errorf("content %d: %q", i, excess)
		}
	}
	if s.shelf.held > maxContents || len(s.shelf.contents) != 4 {
		t.Errorf("%d contents of %d bytes are held", len(s.shelf.contents), s.shelf.held)
	}
}

// TestExcess: lists that nobody can want, batches without end and values without number are excess; what an honest server sends is none.
func TestExcess(t *testing.T) {
	list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("{},", n), ",") + "]" }
	answer := func(result string) string { return `{"jsonrpc":"2.0","id":1,"result":` + result + `}` }
	for name, row := range map[string]struct{ body, says string }{
		"a long list":            {answer(`{"tools":` + list(maxItems) + `}`), ""},
		"a longer one":           {answer(`{"a":1,"tools":` + list(maxItems+1) + `}`), "a list of more than 10000 items"},
		"a long string":          {answer(`{"tools":[{"name":"` + strings.Repeat(`[\",{`, maxValues) + `"}]}`), ""},
		"many values":            {answer(`{"tools":[{"x":` + list(maxValues) + `}]}`), "more than 500000 JSON values"},
		"a batch":                {list(maxBatch - 1), ""},
		"a batch without end":    {list(10 * maxBatch), "a batch of 1000 messages or more"},
		"what is no JSON at all": {strings.Repeat("[", 2*maxValues), ""},
	} {
		x := &Exchange{
			Request:  Request{Method: "POST", Body: NewBody([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))},
			Response: &Response{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: NewBody([]byte(row.body))}, EndedBy: ByServer,
		}
		if got := x.Excess(); (got == "") != (row.says == "") || !strings.Contains(got, row.says) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
