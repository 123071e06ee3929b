package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// inlineLimit is how many bytes of a body stay in memory; a longer one lives in a temporary file.
const inlineLimit = 256 << 10

// inlineTotal is how many bytes of bodies a run has in memory as they are; once they are used up, a body beyond spillLimit goes to a file.
const (
	inlineTotal = 24 << 20
	spillLimit  = 4 << 10
)

// prefixLimit is how much of a body in a file stays in memory as well, for evidence and for the time after the file is gone.
const prefixLimit = 4 << 10

// MaxBodies bounds the bytes of all bodies of one run, and of one transcript file.
const MaxBodies = 2 << 30

// A Body holds the bytes of a request or response: up to 256 KiB in memory, beyond that in a temporary file that the recorder
// (or Reader.Close) removes. The zero Body is empty. Bodies are immutable and safe for concurrent readers.
type Body struct {
	data []byte    // the bytes, or their first prefixLimit where file is set
	file *bodyFile // nil: data is all there is
	size int64     // of the whole body; more than len(data) where it is in a file or cut
	ref  int       // number of the "body" records that carry it in a transcript file
	// shelf keeps what is derived from the body, where that is too much to keep for ever; nil for bodies that were not received.
	shelf *shelf
}

// NewBody returns a body of these bytes, which must not change afterwards.
func NewBody(b []byte) Body { return Body{data: b, size: int64(len(b))} }

// Bytes returns all bytes. A body in a file is read anew each time, so that memory stays bounded; where its file is gone only
// the beginning comes back (Truncated tells).
func (b Body) Bytes() []byte {
	if b.file == nil {
		return b.data
	}
	if all, err := b.file.read(b.size); err == nil {
		return all
	}
	return b.data
}

// Prefix returns up to n bytes from the beginning (at most 4 KiB of a body that lives in a file).
func (b Body) Prefix(n int) []byte { return b.data[:min(n, len(b.data))] }

// Beginning is what stays of the body of an answer that is cut: 4 KiB at most.
func (b Body) Beginning() Body {
	data := bytes.Clone(b.Prefix(prefixLimit))
	return Body{data: data, size: int64(len(data)), shelf: b.shelf}
}

// Size is the number of bytes that were received or sent, also where they are not kept.
func (b Body) Size() int64 { return b.size }

// Truncated tells that Bytes returns less than Size.
func (b Body) Truncated() bool {
	if b.file != nil {
		return b.file.gone()
	}
	return b.size > int64(len(b.data))
}

// IsZero tells that the body is empty.
func (b Body) IsZero() bool { return b.size == 0 && b.ref == 0 }

// inFile tells that reading the bytes costs a read of the file.
func (b Body) inFile() bool { return b.file != nil }

type savedBody struct {
	Text      *string `json:"text,omitempty"`
	Base64    *string `json:"base64,omitempty"`
	Truncated bool    `json:"truncated,omitempty"`
	Size      int64   `json:"size,omitempty"`
	Ref       int     `json:"ref,omitempty"`
}

// MarshalJSON writes the bytes as Bytes does, or an object with "truncated" and "size" where not all of them are there: a body
// in a file appears with its beginning only. (A transcript file carries such bodies whole, in records of their own.)
func (b Body) MarshalJSON() ([]byte, error) {
	if b.ref != 0 {
		return json.Marshal(savedBody{Ref: b.ref, Size: b.size})
	}
	if b.size == int64(len(b.data)) {
		return Bytes(b.data).MarshalJSON()
	}
	w := savedBody{Truncated: true, Size: b.size}
	if readable(b.data) {
		s := string(b.data)
		w.Text = &s
	} else {
		s := base64.StdEncoding.EncodeToString(b.data)
		w.Base64 = &s
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Body) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var w savedBody
		if err := json.Unmarshal(data, &w); err != nil {
			return err
		}
		if w.Size < 0 || w.Ref < 0 {
			return fmt.Errorf("body with a negative size or reference")
		}
		switch {
		case w.Ref != 0:
			*b = Body{ref: w.Ref, size: w.Size}
			return nil
		case w.Truncated && w.Text != nil:
			*b = Body{data: []byte(*w.Text), size: max(w.Size, int64(len(*w.Text)))}
			return nil
		case w.Truncated && w.Base64 != nil:
			raw, err := base64.StdEncoding.DecodeString(*w.Base64)
			if err != nil {
				return fmt.Errorf("body: %w", err)
			}
			*b = Body{data: raw, size: max(w.Size, int64(len(raw)))}
			return nil
		}
	}
	var raw Bytes
	if err := raw.UnmarshalJSON(data); err != nil {
		return err
	}
	*b = NewBody(raw)
	return nil
}

// A bodyFile is the temporary file of one large body.
type bodyFile struct {
	path string
	mu   sync.Mutex
	dead bool
}

func (f *bodyFile) read(size int64) ([]byte, error) {
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all := make([]byte, size)
	if _, err := io.ReadFull(file, all); err != nil {
		return nil, err
	}
	return all, nil
}

// part returns some of the bytes; nil where they are gone.
func (b Body) part(from, to int64) []byte {
	if b.file == nil {
		return b.data[min(from, int64(len(b.data))):min(to, int64(len(b.data)))]
	}
	file, err := os.Open(b.file.path)
	if err != nil {
		return nil
	}
	defer file.Close()
	part := make([]byte, to-from)
	if _, err := file.ReadAt(part, from); err != nil {
		return nil
	}
	return part
}

// open reads the bytes one after another.
func (b Body) open() (io.ReadCloser, error) {
	if b.file == nil {
		return io.NopCloser(bytes.NewReader(b.data)), nil
	}
	return os.Open(b.file.path)
}

func (f *bodyFile) gone() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.dead {
		if _, err := os.Stat(f.path); err != nil {
			f.dead = true
		}
	}
	return f.dead
}

// A Scratch is where the bodies of a run are kept: the directory of temporary files, made when the first large body comes, and what
// was derived from bodies. It bounds what of all that is in memory. The zero value is ready.
type Scratch struct {
	mu     sync.Mutex
	path   string
	shelf  shelf
	inline atomic.Int64 // bytes of bodies that are in memory as they are
}

func (s *Scratch) file() (*os.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.path == "" {
		path, err := os.MkdirTemp("", "mcpcheck-")
		if err != nil {
			return nil, err
		}
		s.path = path
	}
	return os.CreateTemp(s.path, "body-")
}

// Remove deletes the temporary files: judge and render before.
func (s *Scratch) Remove() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shelf.clear()
	if s.path == "" {
		return nil
	}
	path := s.path
	s.path = ""
	return os.RemoveAll(path)
}

// A BodyWriter collects a body: in memory first, then in a file.
type BodyWriter struct {
	scratch *Scratch // where files go
	data    []byte
	file    *os.File
	size    int64
}

// NewBodyWriter returns a writer whose large bodies go to files of that scratch.
func NewBodyWriter(s *Scratch) *BodyWriter { return &BodyWriter{scratch: s} }

// Write keeps p. When the disk refuses, the error is returned and the bytes so far are kept.
func (w *BodyWriter) Write(p []byte) (int, error) {
	if w.file == nil && len(w.data)+len(p) <= w.scratch.room(len(p)) {
		w.scratch.inline.Add(int64(len(p)))
		w.data = append(w.data, p...)
		w.size += int64(len(p))
		return len(p), nil
	}
	if w.file == nil {
		file, err := w.scratch.file()
		if err != nil {
			return 0, err
		}
		if _, err := file.Write(w.data); err != nil {
			file.Close()
			return 0, err
		}
		w.file = file
		w.scratch.inline.Add(-int64(len(w.data)))
		w.data = append([]byte(nil), w.data[:min(len(w.data), prefixLimit)]...)
	}
	n, err := w.file.Write(p)
	w.size += int64(n)
	if room := prefixLimit - len(w.data); room > 0 {
		w.data = append(w.data, p[:min(room, n)]...)
	}
	return n, err
}

// room is how long a body may become that stays in memory.
func (s *Scratch) room(more int) int {
	if s.inline.Load()+int64(more) > inlineTotal {
		return spillLimit
	}
	return inlineLimit
}

// Cut keeps n bytes at most of what was written: the rest of an answer that was cut off is of no use, and a run may have many.
func (w *BodyWriter) Cut(n int64) {
	if w.size <= n {
		return
	}
	if w.file == nil {
		w.scratch.inline.Add(n - w.size)
		w.data, w.size = append([]byte(nil), w.data[:n]...), n
		return
	}
	if w.file.Truncate(n) == nil {
		w.data, w.size = w.data[:min(int64(len(w.data)), n)], n
	}
}

// Size is how many bytes were kept so far.
func (w *BodyWriter) Size() int64 { return w.size }

// Body ends the writing and returns what was collected.
func (w *BodyWriter) Body() Body {
	b := Body{data: w.data, size: w.size, shelf: &w.scratch.shelf}
	if w.file != nil {
		b.file = &bodyFile{path: w.file.Name()}
		w.file.Close()
	}
	return b
}
