package starts

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/mcpcheck/mcpcheck/wire"
)

// archived is the first line of a transcript file of a client: what a replay must know besides the transcripts.
type archived struct {
	Client *Record `json:"client"`
}

// Save writes a record to a transcript file, readable by its owner only; an existing one is replaced only once the new one is complete.
func (r *Record) Save(path string) error {
	w, err := wire.CreateFile(path, archived{Client: r})
	if err != nil {
		return err
	}
	for _, t := range r.Transcripts {
		if err := w.Write(t); err != nil {
			w.Abort()
			return err
		}
	}
	return w.Close()
}

// Holds tells whether the header of a transcript file says that a client was under test.
func Holds(header json.RawMessage) bool {
	var h archived
	return json.Unmarshal(header, &h) == nil && h.Client != nil
}

// Load reads a record back. Errors name the line.
func Load(in io.Reader) (*Record, error) {
	reader, err := wire.NewReader(in)
	if err != nil {
		return nil, err
	}
	var h archived
	if err := json.Unmarshal(reader.Header(), &h); err != nil {
		return nil, fmt.Errorf("reading the header of the transcript file: %w", err)
	}
	if h.Client == nil {
		return nil, fmt.Errorf("reading the header of the transcript file: it is not about a client")
	}
	for {
		t, err := reader.Next()
		if err == io.EOF {
			return h.Client, nil
		}
		if err != nil {
			return nil, err
		}
		t.Settle()
		h.Client.Transcripts = append(h.Client.Transcripts, t)
	}
}
