package suites

import (
	"context"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/legacy"
)

// A Survey is what a few requests told about a URL.
type Survey struct {
	// Spoken are the legacy revisions that can be judged: initialize naming one was answered with that revision, or by something
	// that is plainly an MCP server although its answer is broken. Oldest first.
	Spoken []string `json:"spoken"`
	// Echoed are those of them that were confirmed by a correct answer.
	Echoed []string `json:"echoed"`
	// Server is what it says it is.
	Server report.Server `json:"server"`
	// SingleSession: opening a second session ends the first, or is refused while the first is open.
	SingleSession bool `json:"singleSession,omitempty"`
	// HTTP2: the server does not speak HTTP/1.1, so nothing could be tapped.
	HTTP2 bool `json:"http2,omitempty"`
	// Diagnosis is set when there is nothing to judge.
	Diagnosis *report.Diagnosis `json:"-"`
	// Transcript holds the survey's own exchanges.
	Transcript *client.Transcript `json:"-"`
}

const surveyScript = "survey"

// survey finds out what the URL is: initialize for each revision, newest first, as any client would send it. Once it got an answer
// it also learns whether a second session may live beside a first.
func survey(ctx context.Context, c *client.Client, ask []string) *Survey {
	conversation := c.Start(ctx, client.Script{Name: surveyScript, Revision: newest(ask), Transport: streamableHTTP, Attempt: 1})
	s := &Survey{}
	run := &surveyor{conversation: conversation, survey: s}
	first := run.ask(newest(ask))
	if run.recognised(first) {
		run.others(first, ask)
	}
	s.Transcript = conversation.Finish()
	slices.Sort(s.Spoken)
	slices.Sort(s.Echoed)
	if len(s.Spoken) == 0 {
		s.Diagnosis = diagnose(c, s.Transcript, first)
	}
	return s
}

type surveyor struct {
	conversation *client.Conversation
	survey       *Survey
}

// ask sends initialize, once more when the connection broke or nothing came: one lost packet is not a diagnosis. A refused
// connection needs no second try.
func (r *surveyor) ask(revision string) *client.Exchange {
	x := r.conversation.Initialize("initialize "+revision, revision)
	if brokeOff(x) && !r.recognised(x) {
		x = r.conversation.Initialize("initialize "+revision+" again", revision)
	}
	r.learn(x, revision)
	return x
}

// brokeOff tells that the exchange ended without a complete answer, in a way that may have been an accident.
func brokeOff(x *client.Exchange) bool {
	if x.Error == nil {
		return false
	}
	switch x.Error.Kind {
	case client.ErrReset, client.ErrClosed, client.ErrTimeout:
		return true
	}
	return false
}

func (r *surveyor) learn(x *client.Exchange, revision string) {
	if !r.recognised(x) {
		return
	}
	message := presentation(x)
	var negotiated string
	_ = message.Decode("/result/protocolVersion", &negotiated)
	if r.survey.Server.Name == "" {
		_ = message.Decode("/result/serverInfo/name", &r.survey.Server.Name)
		_ = message.Decode("/result/serverInfo/version", &r.survey.Server.Version)
	}
	if negotiated != "" && negotiated != revision {
		// The server offers another revision; it is asked for by its own name too.
		return
	}
	r.survey.Spoken = append(r.survey.Spoken, revision)
	if negotiated == revision && x.Served() {
		r.survey.Echoed = append(r.survey.Echoed, revision)
	}
}

// recognised tells whether the answer can only come from an MCP server: it presents capabilities, an identity or a version.
func (r *surveyor) recognised(x *client.Exchange) bool {
	return presentation(x).Kind == client.KindResult
}

// presentation returns the first result that looks like an answer to initialize, whatever else is wrong with it.
func presentation(x *client.Exchange) client.Message {
	for _, m := range x.Messages() {
		if !m.HasResult {
			continue
		}
		for _, member := range []string{"/result/protocolVersion", "/result/capabilities", "/result/serverInfo"} {
			if _, ok := m.Pointer(member); ok {
				found := m.Message
				found.Kind = client.KindResult
				return found
			}
		}
	}
	return client.Message{}
}

// others asks for the other revisions, with the first session still open.
func (r *surveyor) others(first *client.Exchange, ask []string) {
	held := heldSession(first)
	alive := r.alive(held, "held session before")
	for _, revision := range legacy.Revisions() {
		if revision == newest(ask) {
			continue
		}
		x := r.ask(revision)
		if held != nil && !r.recognised(x) && x.Status() != 0 && alive {
			// Refused while a session is open: perhaps the server takes one at a time. Give it up and ask again.
			r.conversation.Delete("delete held session", client.WithSession(held.id), client.WithVersion(held.version))
			r.conversation.Initialize("initialize "+revision+" alone", revision)
		}
	}
	if alive && !r.alive(held, "held session after") {
		r.survey.SingleSession = true
	}
	r.survey.Spoken = slices.DeleteFunc(r.survey.Spoken, func(v string) bool { return !slices.Contains(ask, v) })
}

type held struct{ id, version string }

func heldSession(x *client.Exchange) *held {
	ids := x.ResponseSession()
	if len(ids) == 0 {
		return nil
	}
	h := &held{id: ids[0]}
	_ = presentation(x).Decode("/result/protocolVersion", &h.version)
	return h
}

// alive sends a ping in the held session; without a session id there is nothing that a second one could end.
func (r *surveyor) alive(h *held, label string) bool {
	if h == nil {
		return false
	}
	options := []client.Option{client.WithSession(h.id), client.WithoutVersion()}
	if h.version >= "2025-06-18" {
		options[1] = client.WithVersion(h.version)
	}
	if label == "held session before" {
		r.conversation.Notify("initialized", "notifications/initialized", options...)
	}
	x := r.conversation.Call(label, "ping", options...)
	return x.Status()/100 == 2
}

func newest(revisions []string) string { return slices.Max(revisions) }
