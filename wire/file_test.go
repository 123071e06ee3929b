package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	. "github.com/onsi/gomega"
)

// roundTrip writes a transcript to a file and reads it back.
func roundTrip(t *testing.T, tr *Transcript) *Transcript {
	t.Helper()
	var file bytes.Buffer
	w, err := NewWriter(&file, map[string]any{"tool": "mcpcheck"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(tr); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	read, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Fatalf("got %v", err)
	}
	return read
}

func nasty() *Transcript {
	return &Transcript{
		Script: "a/b", Revision: "2025-06-18", Transport: "streamable-http", Attempt: 2, Shared: true,
		Session: SessionInfo{ID: "s\xff", Negotiated: "2025-06-18", Opened: true},
		Started: time.Date(2026, 8, 1, 12, 0, 0, 123456789, time.UTC), Duration: 1234567,
		Exchanges: []*Exchange{
			{Label: "x", Origin: Origin{Kind: FromScript}, Broken: "id", EndedBy: ByServer, Sent: 1, Head: 2, End: 7, Conn: 3, Reused: true,
				Request: Request{Method: "POST", URL: "http://a/", Host: "b", Header: http.Header{"aCCept": {"\xe9", ""}},
					Body: NewBody([]byte(`{"id":1,"method":"m"}`))},
				Response: &Response{Proto: "HTTP/1.1", Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}, "X": {"<\u2028&\xff>"}},
					RawHead: Bytes("HTTP/1.1 200 \xff\r\n\r\n"), Interim: []Bytes{Bytes("HTTP/1.1 103 \r\n\r\n")},
					Body:    NewBody([]byte("data: {\"id\":1,\ndata: \"result\":\"<\ufffd>\"}\n\n:\x01\n\nda")),
					Surplus: Bytes{0}, Chunks: []Chunk{{20, 5}, {52, 6}}}},
			{Label: "y page 3#2", Origin: Origin{Kind: FromPage, Of: "y", Number: 3, Repeat: 2}, EndedBy: ByError, Sent: 4, End: 5, Request: Request{Method: "GET", URL: "http://a/"},
				Unparsed: Bytes("\x00\x01"), Error: &NetError{Kind: ErrReset, Message: "reset", Phase: "body"}},
			{Label: "z", Origin: Origin{Kind: FromBusy, Of: "w", Number: 1}, EndedBy: ByServer, Request: Request{Method: "POST", URL: "http://a/", Body: NewBody([]byte("\xff\x00"))},
				Response: &Response{Proto: "HTTP/1.1", Status: 202, Header: http.Header{}}},
		},
		Windows: []Window{{Stream: "x", Marker: "y", From: 1, To: 2, Want: 3}},
		Aborted: "why",
	}
}

// same compares transcripts, with all that is derived from them.
func same(t *testing.T, want, got *Transcript) {
	t.Helper()
	bytesOf := cmp.Transformer("Body", func(b Body) string { return string(b.Bytes()) })
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Exchange{}), bytesOf, cmpopts.EquateEmpty()); d != "" {
		t.Fatal(d)
	}
	for i := range want.Exchanges {
		a, b := want.Exchanges[i], got.Exchanges[i]
		if d := cmp.Diff(a.Events(), b.Events()); d != "" {
			t.Fatal(d)
		}
		if d := cmp.Diff(a.Messages(), b.Messages(), cmp.Comparer(func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }),
			cmp.AllowUnexported(Message{}), cmpopts.IgnoreFields(Message{}, "source")); d != "" {
			t.Fatal(d)
		}
		if a.Request.Body.Size() != b.Request.Body.Size() || a.Response != nil && a.Response.Body.Size() != b.Response.Body.Size() {
			t.Fatal("sizes differ")
		}
	}
}

func TestRoundTripIsExact(t *testing.T) {
	tr := nasty()
	same(t, tr, roundTrip(t, tr))
	if n := len(tr.Exchange("x").Events()); n != 3 {
		t.Errorf("%d events", n)
	}
}

func TestLargeBodies(t *testing.T) {
	g := NewWithT(t)
	body := []byte(`{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("é\x7f", 300_000) + `"}`)
	binary := bytes.Repeat([]byte{0, 255, 'a'}, 200_000)
	files := &Scratch{}
	collected := func(data []byte) Body {
		w := NewBodyWriter(files)
		for len(data) > 0 {
			n, err := w.Write(data[:min(len(data), 32<<10)])
			g.Expect(err).NotTo(HaveOccurred())
			data = data[n:]
		}
		return w.Body()
	}
	header := http.Header{"Content-Type": {"application/json"}}
	tr := &Transcript{Lent: []*Exchange{
		{Label: "control", Origin: Origin{Kind: FromLender, Of: "before"}, EndedBy: ByServer, Sent: -2, End: -1, Request: Request{Method: "GET"},
			Response: &Response{Status: 200, Header: header, Body: collected(binary)}},
	}, Exchanges: []*Exchange{
		{Label: "x", Origin: Origin{Kind: FromScript}, EndedBy: ByServer,
			Request:  Request{Method: "POST", Body: NewBody([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))},
			Response: &Response{Status: 200, Header: header, Body: collected(body)}},
		{Label: "y", Origin: Origin{Kind: FromScript}, EndedBy: ByServer, Request: Request{Method: "GET"},
			Response: &Response{Status: 200, Header: header, Body: collected(binary)}},
	}}
	x := tr.Exchange("x")
	g.Expect(x.Served()).To(BeTrue())
	g.Expect(x.Response.Body.Size()).To(BeEquivalentTo(len(body)))
	g.Expect(x.Response.Body.Truncated()).To(BeFalse())
	g.Expect(x.Response.Body.Prefix(20)).To(Equal(body[:20]))
	read := roundTrip(t, tr)
	same(t, tr, read)
	g.Expect(read.Exchange("y").Response.Body.Bytes()).To(Equal(binary))
	g.Expect(read.Exchange("control").Response.Body.Bytes()).To(Equal(binary))
	alone, err := x.Response.Body.MarshalJSON()
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(len(alone)).To(BeNumerically("<", 20_000))
	g.Expect(string(alone)).To(ContainSubstring(`"truncated":true`))
	var back Body
	g.Expect(back.UnmarshalJSON(alone)).To(Succeed())
	g.Expect(back.Truncated()).To(BeTrue())
	g.Expect(back.Size()).To(Equal(x.Response.Body.Size()))

	path := x.Response.Body.file.path
	g.Expect(path).To(BeAnExistingFile())
	g.Expect(files.Remove()).To(Succeed())
	g.Expect(path).NotTo(BeAnExistingFile())
	g.Expect(x.Response.Body.Truncated()).To(BeTrue())
	g.Expect(x.Response.Body.Bytes()).To(Equal(body[:prefixLimit]))
	w, err := NewWriter(io.Discard, struct{}{})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(w.Write(tr)).To(MatchError(ContainSubstring(`response body of "x"`)))
}

func TestFileIsReplacedWhenComplete(t *testing.T) {
	g := NewWithT(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "t.jsonl")
	g.Expect(os.WriteFile(path, []byte("old"), 0o644)).To(Succeed())
	entries := func() int {
		list, err := os.ReadDir(dir)
		g.Expect(err).NotTo(HaveOccurred())
		return len(list)
	}

	w, err := CreateFile(path, map[string]int{"a": 1})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(w.Write(nasty())).To(Succeed())
	old, _ := os.ReadFile(path)
	g.Expect(string(old)).To(Equal("old"))
	w.Abort()
	g.Expect(entries()).To(Equal(1))

	_, err = CreateFile(path, []int{1})
	g.Expect(err).To(MatchError(ContainSubstring("want a JSON object")))
	g.Expect(entries()).To(Equal(1))

	w, err = CreateFile(path, map[string]int{"a": 1})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(w.Write(nasty())).To(Succeed())
	g.Expect(w.Close()).To(Succeed())
	info, err := os.Stat(path)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o600)))
	g.Expect(entries()).To(Equal(1))
	file, err := os.Open(path)
	g.Expect(err).NotTo(HaveOccurred())
	defer file.Close()
	r, err := NewReader(file)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(string(r.Header())).To(Equal(`{"a":1}`))

	_, err = CreateFile(dir, struct{}{})
	g.Expect(err).To(MatchError(ContainSubstring("is a directory")))
	_, err = CreateFile(filepath.Join(dir, "none", "t"), struct{}{})
	g.Expect(err).To(MatchError(os.ErrNotExist))
	w, err = CreateFile(os.DevNull, struct{}{})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(w.Close()).To(Succeed())
}

func TestReaderErrors(t *testing.T) {
	const header = `{"type":"header","schema":"mcpcheck.transcript/v1","payload":{}}` + "\n"
	const one = `{"type":"transcript","transcript":{"script":"a"}}` + "\n"
	const end = `{"type":"end","count":1}` + "\n"
	tests := []struct {
		name, file, want string
	}{
		{"good", header + one + end, ""},
		{"unknown records and members, empty lines", header + `{"type":"new","x":1}` + "\n\n" + one + `{"type":"end","count":1,"more":1}` + "\n", ""},
		{"empty", "", "transcript file: it is empty"},
		{"something else", "hello\n", `transcript file: line 1: not a transcript file of mcpcheck (want a record of type "header")`},
		{"no header", one, `transcript file: line 1: not a transcript file of mcpcheck (want a record of type "header")`},
		{"future", `{"type":"header","schema":"mcpcheck.transcript/v2","payload":{}}` + "\n",
			`transcript file: line 1: schema "mcpcheck.transcript/v2" is unknown to this version, which reads "mcpcheck.transcript/v1"`},
		{"no payload", `{"type":"header","schema":"mcpcheck.transcript/v1"}` + "\n", "transcript file: line 1: the header has no payload"},
		{"only a header", header, "transcript file: it was cut off at line 2: 0 transcripts are complete, the rest and the end record are missing"},
		{"cut between lines", header + one, "transcript file: it was cut off at line 3: 1 transcripts are complete, the rest and the end record are missing"},
		{"cut within a line", header + one + one[:20], "transcript file: it was cut off at line 3: 1 transcripts are complete, the rest and the end record are missing"},
		{"transcript missing", header + end, "transcript file: line 2: the file should have 1 transcripts and has 0"},
		{"something follows", header + one + end + one, "transcript file: line 4: something follows the end record"},
		{"bad JSON", header + "{\n", "transcript file: line 2: unexpected end of JSON input"},
		{"bad type", header + `{"type":"transcript","transcript":{"script":1}}` + "\n", "transcript file: line 2: json: cannot unmarshal number"},
		{"no transcript", header + `{"type":"transcript"}` + "\n", "transcript file: line 2: a transcript record without transcript"},
		{"null exchange", header + `{"type":"transcript","transcript":{"script":"a","exchanges":[null]}}` + "\n", `transcript file: line 2: transcript "a" has an exchange that is null`},
		{"body missing", header + `{"type":"transcript","transcript":{"exchanges":[{"label":"x","request":{"body":{"ref":1,"size":9}}}]}}` + "\n", `transcript file: line 2: the body of "x" is not whole`},
		{"bad bytes", header + `{"type":"transcript","transcript":{"exchanges":[{"request":{"body":{"x":1}}}]}}` + "\n", "transcript file: line 2: bytes are neither"},
		{"second header", header + header, "transcript file: line 2: a second header"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := NewWithT(t)
			r, err := NewReader(strings.NewReader(test.file))
			for err == nil {
				_, err = r.Next()
			}
			if test.want == "" {
				g.Expect(err).To(BeIdenticalTo(io.EOF))
			} else {
				g.Expect(err).To(MatchError(HavePrefix(test.want)))
				g.Expect(errors.Is(err, io.EOF)).To(BeFalse())
			}
			if r != nil {
				_, again := r.Next()
				g.Expect(again).To(Equal(err))
			}
		})
	}
}

func FuzzReader(f *testing.F) {
	var file bytes.Buffer
	w, err := NewWriter(&file, map[string]int{"a": 1})
	if err != nil {
		f.Fatal(err)
	}
	if err := errors.Join(w.Write(nasty()), w.Close()); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add(file.Bytes()[:file.Len()-30])
	f.Add([]byte(`{"type":"header","schema":"mcpcheck.transcript/v1","payload":{}}` + "\n" + `{"type":"body","ref":1,"part":"aa"}` + "\n" +
		`{"type":"transcript","transcript":{"exchanges":[{"label":"x","stream":"x","response":{"status":200,"body":{"ref":1,"size":2},"chunks":[{"end":-1}]}}]}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := NewReader(bytes.NewReader(data))
		if err != nil {
			return
		}
		defer r.Close()
		for {
			tr, err := r.Next()
			if err != nil {
				return
			}
			for _, x := range tr.Exchanges {
				x.Events()
				x.Answer()
			}
			same(t, tr, roundTrip(t, tr))
		}
	})
}
