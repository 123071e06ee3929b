package wire

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// A transcript file is JSON Lines. The first record is the header, with whatever the caller wants to find again; then come
// transcripts, each after the "body" records with its bodies beyond 256 KiB; the last record counts the transcripts, so that a
// file that was cut is not mistaken for a whole one. Readers skip record types they do not know, and give exchanges without an origin,
// of older files, the one that their label tells.
//
//	{"type":"header","schema":"mcpcheck.transcript/v1","payload":{…}}
//	{"type":"body","ref":1,"part":"…"}
//	{"type":"transcript","transcript":{…}}
//	{"type":"end","count":1}

// Schema names the format of transcript files.
const Schema = "mcpcheck.transcript/v1"

const (
	typeHeader     = "header"
	typeBody       = "body"
	typeTranscript = "transcript"
	typeEnd        = "end"
)

// bodyPart is how many bytes of a large body one record carries.
const bodyPart = 256 << 10

type headerRecord struct {
	Type    string          `json:"type"`
	Schema  string          `json:"schema"`
	Payload json.RawMessage `json:"payload"`
}

type bodyRecord struct {
	Type string `json:"type"`
	Ref  int    `json:"ref"`
	Part Bytes  `json:"part"`
}

type transcriptRecord struct {
	Type       string      `json:"type"`
	Transcript *Transcript `json:"transcript"`
}

type endRecord struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
}

// A Writer writes a transcript file. It is not safe for concurrent use.
type Writer struct {
	out   *bufio.Writer
	file  *os.File // nil: an io.Writer of the caller
	path  string   // where file goes on Close; empty: it is written in place
	count int
	refs  int
	err   error
}

// NewWriter writes the records to w and begins with the header, whose payload must become a JSON object.
func NewWriter(w io.Writer, payload any) (*Writer, error) {
	out := &Writer{out: bufio.NewWriterSize(w, 64<<10)}
	return out, out.header(payload)
}

// CreateFile begins a transcript file that only its owner can read (mode 0600). It is written beside path and takes its name in
// Close, so that an existing file survives until the new one is complete. What is no regular file, such as /dev/stdout, is written in
// place.
func CreateFile(path string, payload any) (*Writer, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return nil, fmt.Errorf("transcript file %s: is a directory", path)
		}
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("transcript file: %w", err)
		}
		return begin(&Writer{file: file}, payload)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*.part")
	if err != nil {
		return nil, fmt.Errorf("transcript file: %w", err)
	}
	return begin(&Writer{file: file, path: path}, payload)
}

func begin(w *Writer, payload any) (*Writer, error) {
	w.out = bufio.NewWriterSize(w.file, 64<<10)
	if err := w.header(payload); err != nil {
		w.Abort()
		return nil, err
	}
	return w, nil
}

func (w *Writer) header(payload any) error {
	raw, err := json.Marshal(payload)
	if err != nil {
		return fmt.Errorf("transcript file: header: %w", err)
	}
	if TypeOf(raw) != "object" {
		return fmt.Errorf("transcript file: header: want a JSON object, got %s", TypeOf(raw))
	}
	return w.line(headerRecord{typeHeader, Schema, raw})
}

// line writes one record; the first error sticks.
func (w *Writer) line(record any) error {
	if w.err != nil {
		return w.err
	}
	raw, err := json.Marshal(record)
	if err == nil {
		_, err = w.out.Write(append(raw, '\n'))
	}
	if err != nil {
		w.err = fmt.Errorf("transcript file: %w", err)
	}
	return w.err
}

// Write adds a finished transcript.
func (w *Writer) Write(t *Transcript) error {
	saved := *t
	saved.Exchanges, saved.Lent = append([]*Exchange{}, t.Exchanges...), slices.Clone(t.Lent)
	for _, exchanges := range [][]*Exchange{saved.Exchanges, saved.Lent} {
		for i, x := range exchanges {
			var err error
			if exchanges[i], err = w.apart(x); err != nil {
				return err
			}
		}
	}
	if err := w.line(transcriptRecord{typeTranscript, &saved}); err != nil {
		return err
	}
	w.count++
	return nil
}

// apart writes the bodies of an exchange that live in files, and returns one that refers to them.
func (w *Writer) apart(x *Exchange) (*Exchange, error) {
	if !x.Request.Body.inFile() && (x.Response == nil || !x.Response.Body.inFile()) {
		return x, nil
	}
	y := x.Clone()
	if err := w.large(&y.Request.Body); err != nil {
		return nil, fmt.Errorf("transcript file: request body of %q: %w", x.Label, err)
	}
	if y.Response != nil {
		if err := w.large(&y.Response.Body); err != nil {
			return nil, fmt.Errorf("transcript file: response body of %q: %w", x.Label, err)
		}
	}
	return y, nil
}

// large writes a body that lives in a file as records of its own, and leaves a reference in its place.
func (w *Writer) large(b *Body) error {
	if !b.inFile() {
		return nil
	}
	file, err := os.Open(b.file.path)
	if err != nil {
		return err
	}
	defer file.Close()
	w.refs++
	buffer := make([]byte, bodyPart)
	for left := b.size; left > 0; {
		n, err := io.ReadFull(file, buffer[:min(left, bodyPart)])
		if err != nil {
			return err
		}
		if err := w.line(bodyRecord{typeBody, w.refs, buffer[:n]}); err != nil {
			return err
		}
		left -= int64(n)
	}
	*b = Body{ref: w.refs, size: b.size}
	return nil
}

// Close writes the last record and gives the file its name.
func (w *Writer) Close() error {
	err := w.line(endRecord{typeEnd, w.count})
	if err == nil {
		err = w.out.Flush()
	}
	if w.file == nil {
		return err
	}
	if err == nil && w.path != "" {
		err = w.file.Sync()
	}
	if err != nil {
		w.Abort()
		return err
	}
	if err := w.file.Close(); err != nil {
		w.Abort()
		return fmt.Errorf("transcript file: %w", err)
	}
	if w.path == "" {
		return nil
	}
	if err := os.Rename(w.file.Name(), w.path); err != nil {
		os.Remove(w.file.Name())
		return fmt.Errorf("transcript file: %w", err)
	}
	return nil
}

// Abort gives up: nothing is left of the new file, and an older one stays as it was.
func (w *Writer) Abort() {
	if w.file == nil {
		return
	}
	w.file.Close()
	if w.path != "" {
		os.Remove(w.file.Name())
	}
}
