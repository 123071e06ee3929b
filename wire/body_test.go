package wire

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"testing"
)

// Many bodies that are small each do not fill the memory: once they are many, they go to files.
func TestBodiesInMemoryAreBounded(t *testing.T) {
	s := &Scratch{}
	defer s.Remove()
	block := bytes.Repeat([]byte("x"), 200<<10)
	inFiles := 0
	for range 2 * inlineTotal / len(block) {
		w := NewBodyWriter(s)
		if _, err := w.Write(block); err != nil {
			t.Fatal(err)
		}
		b := w.Body()
		if !bytes.Equal(b.Bytes(), block) {
			t.Fatal("a body has changed")
		}
		if b.inFile() {
			inFiles++
		}
	}
	if inFiles == 0 || s.inline.Load() > inlineTotal {
		t.Errorf("%d bytes are in memory, %d bodies in files", s.inline.Load(), inFiles)
	}
	w := NewBodyWriter(s)
	if _, err := w.Write([]byte("short")); err != nil || w.Body().inFile() {
		t.Errorf("a short body went to a file (%v)", err)
	}
}

func TestCutBodies(t *testing.T) {
	for _, size := range []int{100, 300 << 10} {
		s := &Scratch{}
		w := NewBodyWriter(s)
		if _, err := w.Write(bytes.Repeat([]byte("x"), size)); err != nil {
			t.Fatal(err)
		}
		w.Cut(int64(size)) // nothing to do
		w.Cut(50)
		if b := w.Body(); b.Size() != 50 || len(b.Bytes()) != 50 || len(b.Prefix(100)) != 50 {
			t.Errorf("of %d bytes %d are kept, the beginning %d", size, len(b.Bytes()), len(b.Prefix(100)))
		}
		if err := s.Remove(); err != nil {
			t.Fatal(err)
		}
	}
}

// What a body unpacks to is counted without keeping it, and no further than asked.
func TestUnpacked(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(make([]byte, 3<<20))
	z.Close()
	x := &Exchange{EndedBy: ByServer, Response: &Response{Header: http.Header{"Content-Encoding": {"gzip"}}, Body: NewBody(packed.Bytes())}}
	for limit, want := range map[int64]int64{1 << 20: 1<<20 + 1, 3 << 20: 3 << 20, 9 << 20: 3 << 20} {
		if n := x.Unpacked(limit); n != want {
			t.Errorf("up to %d bytes: %d, want %d", limit, n, want)
		}
	}
	if body, plain := x.Decoded(); plain || len(body) != 3<<20 {
		t.Errorf("%d bytes, plain %v", len(body), plain)
	}
	x.EndedBy = ByLimit
	if body, plain := x.Decoded(); plain || body != nil {
		t.Errorf("%d bytes of an answer that was cut off", len(body))
	}
	x.Response.Header = nil
	if n := x.Unpacked(10); n != int64(packed.Len()) {
		t.Errorf("%d bytes of a plain body of %d", n, packed.Len())
	}
}
