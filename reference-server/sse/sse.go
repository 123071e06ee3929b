// Package sse writes the events of a stream.
package sse

import "bytes"

// An Event is one event of a stream, by its fields. What is empty is left out, but for the data.
type Event struct {
	ID, Name, Retry string
	Data            []byte
}

// Format writes the lines of the event. Messages have no raw line break, so one data line carries each. An event without data
// has an empty data line: clients do not dispatch it, but note its id.
func (e Event) Format() []byte {
	var b bytes.Buffer
	for _, field := range [][2]string{{"id", e.ID}, {"event", e.Name}, {"retry", e.Retry}} {
		if field[1] != "" {
			b.WriteString(field[0] + ": " + field[1] + "\n")
		}
	}
	b.WriteString("data: ")
	b.Write(e.Data)
	b.WriteString("\n\n")
	return b.Bytes()
}
