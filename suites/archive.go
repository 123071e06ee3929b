package suites

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/survey"
	"github.com/mcpcheck/mcpcheck/wire"
)

// header is the first line of a transcript file: what a replay must know besides the transcripts.
type header struct {
	Tool        report.Tool       `json:"tool"`
	URL         string            `json:"url"`
	Survey      *survey.Survey    `json:"survey"`
	Diagnosis   *report.Diagnosis `json:"diagnosis,omitempty"`
	Plan        Plan              `json:"plan"`
	Started     time.Time         `json:"started"`
	Duration    time.Duration     `json:"duration"`
	Requests    int               `json:"requests"`
	Interrupted bool              `json:"interrupted,omitempty"`
	Troubles    []client.Trouble  `json:"troubles,omitempty"`
	Left        int               `json:"sessionsLeft,omitempty"`
	Sessions    int               `json:"sessions,omitempty"`
	AtOnce      int               `json:"sessionsAtOnce,omitempty"`
}

// Save writes a record to a transcript file. The file holds session ids, so it is readable by its owner only; an existing one is
// replaced only once the new one is complete.
func (r *Record) Save(path string) error {
	w, err := wire.CreateFile(path, header{
		Tool: r.Tool, URL: r.URL, Survey: r.Survey, Diagnosis: r.Survey.Diagnosis, Plan: r.Plan,
		Started: r.Started, Duration: r.Duration, Requests: r.Requests, Interrupted: r.Interrupted, Troubles: r.Troubles, Left: r.SessionsLeft,
		Sessions: r.Sessions, AtOnce: r.SessionsAtOnce,
	})
	if err != nil {
		return err
	}
	for _, t := range r.all() {
		if err := w.Write(t); err != nil {
			w.Abort()
			return err
		}
	}
	return w.Close()
}

// all returns every transcript, first attempts before later ones: Load tells them apart by this order.
func (r *Record) all() []*wire.Transcript {
	all := []*wire.Transcript{r.Survey.Transcript}
	for _, track := range r.Tracks {
		for _, lost := range track.Lost {
			lost.Superseded = true
			all = append(all, lost)
		}
		all = append(all, track.First...)
		for _, first := range track.First {
			if again := track.Again[first.Script]; again != nil {
				all = append(all, again)
			}
		}
	}
	return all
}

// Load reads a record back. Errors name the line.
func Load(in io.Reader) (*Record, error) {
	reader, err := wire.NewReader(in)
	if err != nil {
		return nil, err
	}
	var h header
	if err := json.Unmarshal(reader.Header(), &h); err != nil {
		return nil, fmt.Errorf("reading the header of the transcript file: %w", err)
	}
	if h.Survey == nil {
		return nil, fmt.Errorf("reading the header of the transcript file: it has no survey")
	}
	r := &Record{
		Tool: h.Tool, URL: h.URL, Survey: h.Survey, Plan: h.Plan,
		Started: h.Started, Duration: h.Duration, Requests: h.Requests, Interrupted: h.Interrupted, Troubles: h.Troubles, SessionsLeft: h.Left,
		Sessions: h.Sessions, SessionsAtOnce: h.AtOnce, close: reader.Close,
	}
	r.Survey.Diagnosis = h.Diagnosis
	r.Tracks = h.Plan.tracks()
	for {
		t, err := reader.Next()
		if err == io.EOF {
			return r, nil
		}
		if err != nil {
			return nil, err
		}
		r.file(t)
	}
}

// file puts a transcript where it belongs.
func (r *Record) file(t *wire.Transcript) {
	if t.Script == survey.Script {
		r.Survey.Transcript = t
		return
	}
	for _, track := range r.Tracks {
		if track.Revision != t.Revision || track.Transport != t.Transport {
			continue
		}
		if t.Superseded {
			track.Lost = append(track.Lost, t)
			return
		}
		for _, first := range track.First {
			if first.Script == t.Script {
				track.Again[t.Script] = t
				return
			}
		}
		track.First = append(track.First, t)
	}
}
