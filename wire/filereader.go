package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// maxLine bounds one record of a transcript file, in bytes.
const maxLine = 256 << 20

// A Reader reads a transcript file. It is not safe for concurrent use.
type Reader struct {
	in      *bufio.Reader
	line    int
	header  json.RawMessage
	count   int
	scratch Scratch
	parts   map[int]*BodyWriter
	bodies  int64
	err     error // what Next returns from now on
}

// NewReader reads the header. Errors name the line.
func NewReader(in io.Reader) (*Reader, error) {
	r := &Reader{in: bufio.NewReaderSize(in, 64<<10), parts: map[int]*BodyWriter{}}
	raw, err := r.record()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("transcript file: it is empty")
		}
		return nil, err
	}
	var h headerRecord
	if err := json.Unmarshal(raw, &h); err != nil || h.Type != typeHeader {
		return nil, errors.New(`transcript file: line 1: not a transcript file of mcpcheck (want a record of type "header")`)
	}
	if h.Schema != Schema {
		return nil, fmt.Errorf("transcript file: line 1: schema %q is unknown to this version, which reads %q", Text(h.Schema), Schema)
	}
	if TypeOf(h.Payload) != "object" {
		return nil, errors.New("transcript file: line 1: the header has no payload")
	}
	r.header = h.Payload
	return r, nil
}

// Header returns the payload of the header, a JSON object.
func (r *Reader) Header() json.RawMessage { return r.header }

// Next returns the next transcript, and io.EOF after the last one of a complete file.
func (r *Reader) Next() (*Transcript, error) {
	if r.err != nil {
		return nil, r.err
	}
	t, err := r.next()
	if err != nil {
		if err != io.EOF {
			err = fmt.Errorf("transcript file: %w", err)
		}
		r.err = err
	}
	return t, err
}

func (r *Reader) next() (*Transcript, error) {
	for {
		raw, err := r.record()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("it was cut off at line %d: %d transcripts are complete, the rest and the end record are missing", r.line, r.count)
		}
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		var kind struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal(raw, &kind); err != nil {
			return nil, r.wrong("%w", err)
		}
		switch kind.Type {
		case typeBody:
			if err := r.body(raw); err != nil {
				return nil, err
			}
		case typeTranscript:
			var record transcriptRecord
			if err := json.Unmarshal(raw, &record); err != nil {
				return nil, r.wrong("%w", err)
			}
			if err := r.resolve(record.Transcript); err != nil {
				return nil, err
			}
			r.count++
			return record.Transcript, nil
		case typeHeader:
			return nil, r.wrong("a second header")
		case typeEnd:
			var end endRecord
			if err := json.Unmarshal(raw, &end); err != nil {
				return nil, r.wrong("%w", err)
			}
			if end.Count != r.count {
				return nil, r.wrong("the file should have %d transcripts and has %d", end.Count, r.count)
			}
			rest, err := r.record()
			if len(bytes.TrimSpace(rest)) > 0 || err == nil {
				return nil, r.wrong("something follows the end record")
			}
			return nil, io.EOF
		}
	}
}

func (r *Reader) wrong(format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{r.line}, args...)...)
}

// record returns the next line: io.EOF where there is none, io.ErrUnexpectedEOF where it lacks its end.
func (r *Reader) record() ([]byte, error) {
	r.line++
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			return nil, r.wrong("longer than %d MiB", maxLine>>20)
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			return line, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}

func (r *Reader) body(raw []byte) error {
	var record bodyRecord
	if err := json.Unmarshal(raw, &record); err != nil {
		return r.wrong("%w", err)
	}
	w := r.parts[record.Ref]
	if w == nil {
		w = &BodyWriter{scratch: &r.scratch}
		r.parts[record.Ref] = w
	}
	if r.bodies += int64(len(record.Part)); r.bodies > MaxBodies || len(r.parts) > 10_000 {
		return r.wrong("more and larger bodies than mcpcheck ever writes")
	}
	if _, err := w.Write(record.Part); err != nil {
		return r.wrong("%w", err)
	}
	return nil
}

// resolve puts the large bodies in their places and ties the exchanges together.
func (r *Reader) resolve(t *Transcript) error {
	if t == nil {
		return r.wrong("a transcript record without transcript")
	}
	for _, x := range slices.Concat(t.Exchanges, t.Lent) {
		if x == nil {
			return r.wrong("transcript %q has an exchange that is null", Text(t.Script))
		}
		if err := r.fetch(&x.Request.Body, x.Label); err != nil {
			return err
		}
		if x.Response != nil {
			if err := r.fetch(&x.Response.Body, x.Label); err != nil {
				return err
			}
		}
	}
	t.tie()
	return nil
}

// tie gives exchanges the origins that their labels tell, and those of HTTP+SSE their streams.
func (t *Transcript) tie() {
	deriveOrigins(t)
	for _, x := range t.Exchanges {
		if x.Stream == "" {
			continue
		}
		if s := t.Exchange(x.Stream); s != x {
			x.stream = s
		}
	}
	t.Settle()
}

func (r *Reader) fetch(b *Body, label string) error {
	if b.ref == 0 {
		return nil
	}
	w := r.parts[b.ref]
	if w == nil || w.size != b.size {
		return r.wrong("the body of %q is not whole", Text(label))
	}
	delete(r.parts, b.ref)
	*b = w.Body()
	return nil
}

// Close removes the temporary files of large bodies: judge and render before. The file that is read stays the caller's.
func (r *Reader) Close() error {
	for _, w := range r.parts {
		if w.file != nil {
			w.file.Close()
		}
	}
	return r.scratch.Remove()
}
