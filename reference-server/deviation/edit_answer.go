package deviation

import (
	"net/http"
	"slices"
)

// Answer applies the part of the edit that concerns the answer.
func (e Edit) Answer(status *int, header http.Header, body *[]byte) {
	if e.Status != 0 {
		*status = e.Status
	}
	for name, value := range e.Header {
		key := http.CanonicalHeaderKey(name)
		if value == nil {
			header[key] = nil // a nil entry also keeps net/http from guessing a media type
			continue
		}
		header[key] = []string{*value}
	}
	for name, value := range e.AddHeader {
		header.Add(name, value)
	}
	if e.Body != nil {
		*body = []byte(*e.Body)
	}
	if e.Prefix+e.Suffix != "" {
		*body = slices.Concat([]byte(e.Prefix), *body, []byte(e.Suffix))
	}
}

// Affixes are the raw bytes at the ends of the stream that an answer opens.
func (v *Deviator) Affixes(outcome string, sc Scene) (opening, ending string) {
	if v == nil || !v.Applies(sc) {
		return "", ""
	}
	for _, e := range v.Edits {
		if e.On == outcome && e.applies(sc) {
			opening += e.Prefix
			ending += e.Suffix
		}
	}
	return opening, ending
}
