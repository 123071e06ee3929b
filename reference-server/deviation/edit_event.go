package deviation

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/sse"
)

// Format writes an event, with the edits of its frame.
func (v *Deviator) Format(e sse.Event, f Frame) []byte {
	edits := slices.DeleteFunc(slices.Clone(f.Edits), func(e Edit) bool { return e.Event == nil })
	if len(edits) == 0 {
		return e.Format()
	}
	var b []byte
	for _, edit := range edits {
		b = edit.Event.apply(&e)
	}
	return b
}

func (edit *EventEdit) apply(e *sse.Event) []byte {
	replace(&e.Name, edit.Type)
	replace(&e.ID, edit.ID)
	replace(&e.Retry, edit.Retry)
	if edit.Data != nil {
		e.Data = []byte(*edit.Data)
	}
	if edit.Break != nil {
		e.Data = bytes.Replace(e.Data, []byte(","), []byte(","+*edit.Break), 1)
	}
	if edit.Raw != nil {
		return []byte(*edit.Raw)
	}
	text := strings.TrimSuffix(string(e.Format()), "\n\n")
	head, _, _ := strings.Cut(text, "data: ")
	lines := slices.Clone(edit.Before)
	if edit.NoData {
		lines = append(lines, strings.TrimSuffix(head, "\n"))
	} else {
		lines = append(lines, text)
	}
	lines = append(lines, edit.After...)
	end, terminator := "\n", "\n"
	replace(&end, edit.LineEnd)
	if edit.LineEnd != nil {
		terminator = end
	}
	replace(&terminator, edit.Terminator)
	return []byte(strings.ReplaceAll(strings.Join(lines, "\n")+"\n", "\n", end) + terminator)
}

func replace(field *string, by *string) {
	if by != nil {
		*field = *by
	}
}
