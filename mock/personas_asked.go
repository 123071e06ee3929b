package mock

import (
	"fmt"
	"slices"
	"time"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/wire"
)

// OnRequest is what a user asks for beside what every client meets: it takes time, costs money, opens dialogs, or needs to know something
// of the client.
type OnRequest struct {
	// ClientTimeout is how long the client means to wait for an answer; 0: nobody said.
	ClientTimeout time.Duration
	// Provoke are the capabilities that are made use of where the client declares them; see Provocations.
	Provoke []string
	// Rough has it meet what no server does.
	Rough bool
	// Token is what the client sends to servers that want a token; "" has it meet none.
	Token string
	// Revisions are those that the personas speak, each a set of its own; none means what fits the client.
	Revisions []string
}

// Provocations are the values of OnRequest.Provoke.
func Provocations() []string { return []string{sampling, elicitation} }

const (
	sampling    = "sampling"
	elicitation = "elicitation"
)

// personas are those that take one of the requests.
func (o OnRequest) personas(c Client) []Persona {
	var list []Persona
	if o.ClientTimeout > 0 {
		// Twice, as the control: what a client leaves undone counts on two tries.
		if c.Legacy {
			list = append(list, silent(o.ClientTimeout), silent(o.ClientTimeout), reporting(o.ClientTimeout))
		}
		if c.Modern {
			list = append(list, modernSilent(o.ClientTimeout), modernSilent(o.ClientTimeout))
		}
	}
	var asked []string
	for _, capability := range o.Provoke {
		if slices.Contains(c.Declares, capability) {
			asked = append(asked, capability)
		}
	}
	if len(asked) > 0 && c.Legacy {
		list = append(list, ask(asked), askInVain(asked))
	}
	if len(asked) > 0 && c.Modern {
		list = append(list, modernAsk(asked))
	}
	if o.Rough && c.Legacy {
		list = append(list, roughPersonas()...)
	}
	if o.Token != "" && c.Legacy {
		list = append(list, authPersonas(o.Token, false)...)
	}
	if o.Token != "" && c.Modern {
		list = append(list, authPersonas(o.Token, true)...)
	}
	return list
}

// takes is how much longer than usual a start may be.
func (p Persona) takes() time.Duration {
	if len(p.Asks) > 0 {
		return p.Silence + thinking
	}
	return p.Silence
}

// silent leaves the first call of a tool without an answer for twice as long as the client means to wait. Then the answer comes after
// all, so that a client that waits on is not waited for.
func silent(timeout time.Duration) Persona {
	silence := 2 * timeout
	return Persona{
		Name: "silent", About: "does not answer the first call for twice the time-out of the client", Silence: silence,
		Person:  fmt.Sprintf("the first call is answered after %v: wait until your client gives up, or until then", silence),
		Profile: refserver.Profile{Name: "silent", Sessions: true, SSE: true, DELETE: true, ToolsOnly: true, Tools: []string{EchoTool}},
		Deviation: &refserver.Deviation{Edits: []refserver.Edit{
			{On: "result tools/call", Nth: 1, Delay: silence.String()},
		}},
	}
}

// reporting tells how far the first call is, in half the time-out of the client, for four times that. Without a token to tell it to it
// answers at once.
func reporting(timeout time.Duration) Persona {
	p := silent(timeout)
	p.Name, p.About = "reporting", "tells how far a call is, for four times the time-out of the client"
	p.Silence = 4 * timeout
	p.Person = fmt.Sprintf("the first call makes progress for %v: wait until your client gives up, or until then", p.Silence)
	p.Profile.Name, p.Profile.Reports = p.Name, p.Silence
	p.Deviation = nil
	return p
}

// modernSilent is the same in 2026-07-28.
func modernSilent(timeout time.Duration) Persona {
	p := silent(timeout)
	p.Name, p.About = "modern-silent", "2026-07-28 only, does not answer the first call for twice the time-out of the client"
	p.Profile = refserver.Profile{Name: "modern-silent", Era: refserver.EraModern, SSE: true, ToolsOnly: true, Tools: []string{EchoTool}}
	return p
}

// noteSilence writes down which call was left without an answer, and for how long it was meant to be: judges read it there.
func noteSilence(p Persona, t *wire.Transcript) {
	i := slices.IndexFunc(t.Exchanges, func(x *wire.Exchange) bool {
		m := x.RequestMessage()
		_, token := m.Pointer("/params/_meta/progressToken")
		return m.Method == "tools/call" && (token || p.Profile.Reports == 0)
	})
	if p.Silence == 0 || i < 0 {
		return
	}
	x := t.Exchanges[i]
	t.Windows = append(t.Windows, wire.Window{Stream: x.Label, From: x.Sent, To: x.End, Want: p.Silence})
}

// open keeps no sessions and asks for no handshake: a client that knows neither gets far enough to be seen.
func open() Persona {
	p := streams()
	p.Name, p.About = "open", "keeps no sessions, answers on event streams, sends pings on them"
	p.Profile = refserver.Profile{Name: "open", SSE: true, ToolsOnly: true, Tools: []string{EchoTool}}
	return p
}
