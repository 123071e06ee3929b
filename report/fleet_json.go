package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"time"
)

// fleetHead is what a fleet says of itself before its servers come.
type fleetHead struct {
	Schema      string          `json:"schema"`
	Tool        Tool            `json:"tool"`
	Started     time.Time       `json:"started"`
	DurationMS  int64           `json:"duration_ms"`
	Exit        int             `json:"exit"`
	Interrupted bool            `json:"interrupted,omitempty"`
	Outcomes    map[string]int  `json:"outcomes"`
	Findings    FindingCounts   `json:"findings"`
	Most        []fleetMostJSON `json:"most"`
}

// fleetMostJSON is a requirement and how many servers break it, the worst first.
type fleetMostJSON struct {
	ID      string  `json:"id"`
	Title   string  `json:"title"`
	Verdict Verdict `json:"verdict"`
	Servers int     `json:"servers"`
}

// RenderFleetJSON writes the summary, and then each server with its whole report, one at a time.
func RenderFleetJSON(w io.Writer, f Fleet, o JSONOptions) error {
	safe := escapedFleet(f, visibleBytes)
	head := fleetHead{
		Schema: FleetSchema, Tool: safe.Tool, Started: f.Started, DurationMS: f.DurationMS, Exit: f.Exit(), Interrupted: f.Interrupted,
		Outcomes: map[string]int{}, Findings: f.findings(), Most: []fleetMostJSON{},
	}
	for _, s := range f.Servers {
		head.Outcomes[s.Outcome]++
	}
	for _, t := range safe.tallies() {
		head.Most = append(head.Most, fleetMostJSON{t.ID, t.Title, t.Verdict, len(t.Servers)})
	}
	encoded, err := json.MarshalIndent(head, "", "  ")
	if err != nil {
		return fmt.Errorf("write JSON report: %w", err)
	}
	out := &failing{w: w}
	out.write(jsonASCIIControls(bytes.TrimSuffix(encoded, []byte("\n}"))))
	out.write([]byte(",\n  \"servers\": ["))
	err = safe.each(func(s string) string { return s }, func(i int, r Report) error {
		if i > 0 {
			out.write([]byte(","))
		}
		summary, err := json.Marshal(safe.Servers[i])
		if err != nil {
			return fmt.Errorf("write JSON report: %w", err)
		}
		out.write([]byte("\n{\"server\": "))
		out.write(jsonASCIIControls(summary))
		out.write([]byte(",\n\"report\": "))
		if err := RenderJSON(out, r, o); err != nil {
			return err
		}
		out.write([]byte("}"))
		return out.err
	})
	out.write([]byte("\n  ]\n}\n"))
	return errors.Join(err, out.err)
}

// failing keeps the first error of a writer, so that not every write has to be asked.
type failing struct {
	w   io.Writer
	err error
}

func (f *failing) write(p []byte) { _, _ = f.Write(p) }

func (f *failing) Write(p []byte) (int, error) {
	if f.err == nil {
		_, f.err = f.w.Write(p)
	}
	return len(p), f.err
}

var fleetBeginning = regexp.MustCompile(`^\s*\{\s*"schema"\s*:\s*"` + regexp.QuoteMeta(FleetSchema) + `"`)

// IsFleet tells whether JSON is that of a fleet, by its beginning.
func IsFleet(beginning []byte) bool { return fleetBeginning.Match(beginning) }

// ReadFleetJSON reads what RenderFleetJSON wrote and hands over one server after the other, so that never more than one whole report is in
// memory. The head of the fleet comes back when all have been read.
func ReadFleetJSON(in io.Reader, take func(FleetServer, Report) error) (Fleet, error) {
	var f Fleet
	var schema string
	decoder := json.NewDecoder(in)
	if err := expect(decoder, json.Delim('{')); err != nil {
		return f, err
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return f, fmt.Errorf("not a fleet report: %w", err)
		}
		var into any = new(json.RawMessage)
		switch name {
		case "schema":
			into = &schema
		case "tool":
			into = &f.Tool
		case "started":
			into = &f.Started
		case "duration_ms":
			into = &f.DurationMS
		case "interrupted":
			into = &f.Interrupted
		case "servers":
			if schema != FleetSchema {
				return f, fmt.Errorf("not a report that this version reads: schema is %q, want %q", schema, FleetSchema)
			}
			if err := readServers(decoder, take); err != nil {
				return f, err
			}
			continue
		}
		if err := decoder.Decode(into); err != nil {
			return f, fmt.Errorf("damaged fleet report: %v: %w", name, err)
		}
	}
	return f, expect(decoder, json.Delim('}'))
}

func readServers(decoder *json.Decoder, take func(FleetServer, Report) error) error {
	if err := expect(decoder, json.Delim('[')); err != nil {
		return err
	}
	for n := 1; decoder.More(); n++ {
		var one struct {
			Server FleetServer     `json:"server"`
			Report json.RawMessage `json:"report"`
		}
		if err := decoder.Decode(&one); err != nil {
			return fmt.Errorf("damaged fleet report: server %d: %w", n, err)
		}
		r, err := ReadJSON(bytes.NewReader(one.Report))
		if err != nil {
			return fmt.Errorf("server %d: %w", n, err)
		}
		if err := take(one.Server, r); err != nil {
			return err
		}
	}
	return expect(decoder, json.Delim(']'))
}

// expect takes one token and makes sure that it is the one that has to come.
func expect(decoder *json.Decoder, want json.Delim) error {
	switch token, err := decoder.Token(); {
	case err != nil:
		return fmt.Errorf("not a fleet report: %w", err)
	case token != want:
		return fmt.Errorf("not a fleet report: %v in place of %v", token, want)
	}
	return nil
}
