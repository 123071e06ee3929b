package mock

import (
	"encoding/json"
	"slices"
	"strings"
)

// here stands for the origin of a persona in what it says.
const here = "{origin}"

// At returns the persona as it is at an origin, such as http://127.0.0.1:4000.
func (p Persona) At(origin string) Persona {
	if text, err := json.Marshal(p.Profile.Inputs); err == nil && strings.Contains(string(text), here) {
		p.Profile.Inputs = nil
		_ = json.Unmarshal([]byte(strings.ReplaceAll(string(text), here, origin)), &p.Profile.Inputs) // was JSON
	}
	if p.Deviation == nil {
		return p
	}
	d := *p.Deviation
	d.Edits = slices.Clone(d.Edits)
	for i, e := range d.Edits {
		if e.Value != nil {
			d.Edits[i].Value = json.RawMessage(strings.ReplaceAll(string(e.Value), here, origin))
		}
		if text, err := json.Marshal(e.Before); err == nil && strings.Contains(string(text), here) {
			d.Edits[i].Before = nil
			_ = json.Unmarshal([]byte(strings.ReplaceAll(string(text), here, origin)), &d.Edits[i].Before) // was JSON
		}
	}
	p.Deviation = &d
	return p
}
