package wire

import (
	"net/http"
	"strings"
	"testing"
)

// What is derived from a large body is kept as long as its file.
func TestLargeBodiesAreReadOnce(t *testing.T) {
	s := &Scratch{}
	w := BodyWriter{scratch: s}
	if _, err := w.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":{"x":"` + strings.Repeat("x", inlineLimit) + `"}}`)); err != nil {
		t.Fatal(err)
	}
	x := &Exchange{
		Request:  Request{Method: "POST", Body: NewBody([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))},
		Response: &Response{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: w.Body()},
		EndedBy:  ByServer,
	}
	if !x.Served() || !x.Response.Body.inFile() {
		t.Fatal("a large answer is not read from its file")
	}
	if a, b := x.Messages(), x.Messages(); &a[0] != &b[0] {
		t.Error("a large answer is read twice")
	}
	if err := s.Remove(); err != nil {
		t.Fatal(err)
	}
	if len(s.shelf.kept) != 0 || s.shelf.used != 0 {
		t.Error("the shelf outlives the files")
	}
}

// A shelf is bounded, and full where there is enough to keep.
func TestShelfIsBounded(t *testing.T) {
	var s shelf
	const size = 8 << 20
	for range 3 * shelfSize / size {
		x := &Exchange{}
		s.put(x, &derived{size: size})
		if s.get(x) == nil || s.used > shelfSize || s.used != int64(len(s.kept))*size {
			t.Fatalf("the shelf says that it keeps %d bytes of %d answers", s.used, len(s.kept))
		}
	}
	if s.used != shelfSize {
		t.Errorf("a full shelf keeps %d bytes", s.used)
	}
	huge, small := &Exchange{}, &Exchange{}
	if s.put(huge, &derived{size: shelfSize + 1}); s.get(huge) == nil || len(s.kept) != 1 || s.used != shelfSize+1 {
		t.Errorf("what is larger than the shelf is not kept alone: %d kept, %d bytes", len(s.kept), s.used)
	}
	if s.put(small, &derived{size: 1}); s.get(small) == nil || s.get(huge) != nil || s.used != 1 {
		t.Errorf("what is larger than the shelf stays: %d kept, %d bytes", len(s.kept), s.used)
	}
}

// What is derived from an event stream costs more than its bytes, and is kept within the bound all the same.
func TestDerivedFormsAreBounded(t *testing.T) {
	s := &Scratch{}
	defer s.Remove()
	var all []*Exchange
	block := strings.Repeat("data: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\n", 1000)
	for range 100 {
		w := NewBodyWriter(s)
		if _, err := w.Write([]byte(block)); err != nil {
			t.Fatal(err)
		}
		x := &Exchange{EndedBy: ByServer, Response: &Response{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: w.Body()}}
		if len(x.Messages()) != 1000 {
			t.Fatalf("%d messages", len(x.Messages()))
		}
		if x.cache.p.Load() != nil {
			t.Fatal("an exchange keeps a thousand events for ever")
		}
		all = append(all, x)
	}
	if s.shelf.used > shelfSize || len(s.shelf.kept) == 0 || len(s.shelf.kept) == len(all) {
		t.Errorf("the shelf keeps %d bytes of %d exchanges", s.shelf.used, len(s.shelf.kept))
	}
	small := &Exchange{EndedBy: ByServer, Response: &Response{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: Body{data: []byte(`{"jsonrpc":"2.0"}`), size: 17, shelf: &s.shelf}}}
	if a, b := small.Messages(), small.Messages(); len(a) != 1 || &a[0] != &b[0] {
		t.Error("a small answer is read twice")
	}
}
