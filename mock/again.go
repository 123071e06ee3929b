package mock

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/wire"
)

// steps are what a command may do that is known again wherever it is done.
var steps = []string{"tools/list", "tools/call"}

// Again are the personas to be met once more: those where the client left undone what it does elsewhere, and the parts of those that pack
// many things into one start, so that it is known which of them it was.
func Again(starts []*Start) []Persona {
	var planned []string
	for _, step := range steps {
		shown := 0
		for _, s := range starts {
			if sent(s.Transcript, step) {
				shown++
			}
		}
		if shown > 1 {
			planned = append(planned, step)
		}
	}
	var again []Persona
	for _, s := range starts {
		if s.Persona.Name == oldSSE().Name && s.Transcript.Transport != transport {
			again = append(again, oldSSEAbsolute(), oldSSEElsewhere())
		}
		short := slices.ContainsFunc(planned, func(step string) bool { return !sent(s.Transcript, step) })
		short = short || left(s.Transcript)
		if s.Persona.Twice && short && len(s.Transcript.Exchanges) > 0 {
			again = append(append(again, s.Persona), s.Persona.Parts...)
		}
	}
	return again
}

func sent(t *wire.Transcript, method string) bool {
	return slices.ContainsFunc(t.Exchanges, func(x *wire.Exchange) bool { return x.RequestMessage().Method == method })
}

// left tells that a call was not answered, neither on its own stream nor on what resumed it: the client did not come back for the rest.
func left(t *wire.Transcript) bool {
	return slices.ContainsFunc(t.Exchanges, func(x *wire.Exchange) bool {
		m := x.RequestMessage()
		return m.Method == "tools/call" && !slices.ContainsFunc(t.Exchanges, func(o *wire.Exchange) bool {
			return slices.ContainsFunc(o.Messages(), func(r wire.Located) bool { return !r.HasMethod && wire.SameID(r.ID, m.ID) })
		})
	})
}
