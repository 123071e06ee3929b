// Package survey finds out, in a few requests, what a URL is: which eras and revisions a server speaks there, over which transport, and
// whether a second session may live beside a first. It judges nothing.
package survey

import (
	"context"
	"net/http"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/diagnosis"
	"github.com/mcpcheck/mcpcheck/suites/kit"

	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A Survey is what a few requests told about a URL.
type Survey struct {
	// Spoken are the legacy revisions that can be judged: initialize naming one was answered with that revision, or by something
	// that is plainly an MCP server although its answer is broken. Oldest first.
	Spoken []string `json:"spoken"`
	// Echoed are those of them that were confirmed by a correct answer.
	Echoed []string `json:"echoed"`
	// HTTPSSE: GET opens a stream of the transport of 2024-11-05, whose endpoint answers initialize.
	HTTPSSE bool `json:"httpSSE,omitempty"`
	// Modern: the server speaks 2026-07-28, which has no handshake.
	Modern bool `json:"modern,omitempty"`
	// Server is what it says it is.
	Server report.Server `json:"server"`
	// SingleSession: opening a second session ends the first, or is refused while the first is open.
	SingleSession bool `json:"singleSession,omitempty"`
	// Insists is what the server wants of every initialize although the specification does not.
	Insists client.Insists `json:"insists,omitzero"`
	// HTTP2: the server does not speak HTTP/1.1, so nothing could be tapped.
	HTTP2 bool `json:"http2,omitempty"`
	// Newer is a URL beside that of HTTP+SSE at which the same server answers Streamable HTTP; empty where none was found.
	Newer string `json:"newer,omitempty"`
	// Moved is the redirect that was followed.
	Moved *Move `json:"moved,omitempty"`
	// Fatal is the request that ended the server; empty where none did.
	Fatal string `json:"fatal,omitempty"`
	// Ended tells how the server ended then, where it was started for the run.
	Ended string `json:"ended,omitempty"`
	// Diagnosis is set when there is nothing to judge.
	Diagnosis *report.Diagnosis `json:"-"`
	// Transcript holds the survey's own exchanges.
	Transcript *wire.Transcript `json:"-"`
}

// Script is the name of the survey's conversation.
const Script = "survey"

// Of finds out what the URL is, one request after another: a modern request, then initialize, newest revision first, as clients
// of either era send them. Something that is plainly no MCP is sent nothing more. Once initialize was answered it also learns whether
// a second session may live beside a first. Where the modern request ended the server it is left out.
func Of(ctx context.Context, c *client.Client, judged, ask []string, withoutDiscover bool) *Survey {
	handshakes := func(r string) bool { era, _ := revision.EraOf(r); return era == revision.Legacy }
	run := &surveyor{
		survey: &Survey{}, withoutDiscover: withoutDiscover,
		ask:    slices.DeleteFunc(slices.Clone(ask), func(r string) bool { return !handshakes(r) }),
		judged: slices.DeleteFunc(slices.Clone(judged), func(r string) bool { return !handshakes(r) }),
	}
	conversation := c.Start(ctx, client.Script{Name: Script, Revision: run.newest(), Dialect: legacyDialect, Transport: kit.StreamableHTTP, Attempt: 1})
	s := run.survey
	run.conversation = conversation
	telling := run.eras()
	s.Transcript = conversation.Finish()
	if run.spoken && slices.Contains(ask, modernRevision) {
		s.Spoken = append(s.Spoken, modernRevision)
	}
	slices.Sort(s.Spoken)
	slices.Sort(s.Echoed)
	if !slices.Contains(ask, revision.HTTPSSE) {
		s.HTTPSSE = false
	}
	if len(s.Spoken) == 0 && !s.HTTPSSE {
		s.Diagnosis = diagnosis.Of(diagnosis.Look{
			Transcript: s.Transcript, Telling: telling, Stream: run.stream, Neighbour: run.neighbour, Slashed: run.slashed, FirstEvent: firstEvent,
			Modern: s.Modern, Later: s.Modern && !run.spoken, Fatal: s.Fatal, Asked: ask, Judged: judged,
		})
	}
	return s
}

// Denied tells that the server wants credentials that it was not given.
func (s *Survey) Denied() bool { return s.Diagnosis != nil && s.Diagnosis.Kind == diagnosis.KindAuth }

// DualEra tells whether the server speaks both eras: a refusal of its own is an answer to initialize too; silence, and what speaks of
// credentials, load or a gateway, leaves that open.
func (s *Survey) DualEra() kit.Fact {
	if !s.Modern {
		return kit.Unknown
	}
	found := kit.Unknown
	for _, x := range s.Transcript.Exchanges {
		if x.RequestMessage().Method != "initialize" || x.Request.Method != http.MethodPost {
			continue
		}
		_, answered := x.Answer()
		switch status := x.Status(); {
		case diagnosis.Recognised(x):
			return kit.Yes
		case kit.CauseOf(x, kit.TurnedAway) != kit.TurnedAway, status == 401, status == 402, status == 403, status == 407, status/100 == 3:
		case answered, status/100 == 4, status == http.StatusInternalServerError, status == http.StatusNotImplemented:
			found = kit.No
		}
	}
	return found
}

type surveyor struct {
	// withoutDiscover: the first request of the modern era is left out, since it ended the server.
	withoutDiscover bool
	conversation    *client.Conversation
	survey          *Survey
	// judged are the revisions with a handshake that can be judged, ask those that are to be; oldest first. ask may be empty.
	judged, ask []string
	// spoken: the modern revision that mcpcheck knows is spoken, not only later ones.
	spoken bool
	// hung: the first request timed out or broke off, so that initialize is the second try.
	hung bool
	// neighbour is the answer of a path beside the given one, looked at where that is not there.
	neighbour *wire.Exchange
	// slashed is the answer of the same path with a slash more or less.
	slashed *wire.Exchange
	// tried are the older versions that initialize has named before a server was recognised.
	tried []string
	// silent: what came after initialize timed out.
	silent bool
	// stream is the answer to a GET, sent where nothing else was found.
	stream *wire.Exchange
}

// eras sends the requests and returns the exchange that tells most about a server that was not recognised.
func (r *surveyor) eras() *wire.Exchange {
	if r.withoutDiscover {
		first := r.vary(r.first())
		if diagnosis.Recognised(first) {
			r.older(first)
		}
		return first
	}
	discover := r.discover()
	r.hung = brokeOff(discover)
	finding := readDiscover(discover)
	switch finding {
	case plainlyElse:
		return discover
	case takesNoPost:
		r.look()
		return discover
	}
	r.survey.Modern, r.spoken = finding == speaksModern || finding == speaksLater, finding == speaksModern
	// Sent whatever was asked for: it alone tells a server of one era from one of both.
	first := r.first()
	if !r.survey.Modern {
		first = r.vary(first)
	}
	if r.hung && first.Response == nil && first.EndedBy != wire.ByTimeout && !r.conversation.Client().Listens() {
		r.survey.Fatal = discover.RequestMessage().Method
		return discover
	}
	if r.survey.Modern {
		r.name(discover) // unless initialize said it
	}
	doubt := finding == undecidedNotFound
	if diagnosis.Recognised(first) {
		r.older(first)
	} else {
		doubt = doubt || finding == undecided
	}
	if doubt {
		r.spoken = readTools(r.tools())
		r.survey.Modern = r.spoken
	}
	if !r.survey.Modern && !diagnosis.Recognised(first) {
		r.look()
		r.neighbours(first)
	}
	return first
}

// newest is the revision that initialize asks for first: the newest that is to be judged, or can be where none is.
func (r *surveyor) newest() string {
	for _, list := range [][]string{r.ask, r.judged} {
		if len(list) > 0 {
			return revision.Newest(list)
		}
	}
	return revision.Newest(revision.Of(revision.Legacy))
}

// first sends the first initialize.
func (r *surveyor) first() *wire.Exchange { return r.initialize(r.newest()) }

// older finds out what else is spoken of the era with a handshake, once initialize was answered.
func (r *surveyor) older(first *wire.Exchange) {
	if len(r.ask) == 0 {
		r.survey.Spoken, r.survey.Echoed = nil, nil
		return
	}
	opened := slices.Concat(first.ResponseSession(), r.others(first))
	if !r.silent {
		// Nobody needs the sessions any more, and the look at GET is without one.
		r.conversation.Parallel(r.beside, func() { r.conversation.End(opened...) })
	}
}

// maxAsked is how often an initialize is sent that something in front of the server answers, or that was turned away for load.
const maxAsked = 4

// initialize sends it, once more when the connection broke or nothing came: one lost packet is not a diagnosis. A refused
// connection needs no second try. Where a gateway fails now and then, it is asked a few times
// once something was recognised: no revision may vanish for that.
func (r *surveyor) initialize(revision string) *wire.Exchange {
	x := r.request(revision)
	r.learn(x, revision)
	return x
}

// request is initialize whose answer is not learnt from yet, so that several may be under way.
func (r *surveyor) request(revision string) *wire.Exchange {
	x := r.conversation.Initialize("initialize "+revision, revision)
	again := wire.RepetitionOf(x.Label)
	if brokeOff(x) && !diagnosis.Recognised(x) && !r.hung {
		x = r.conversation.Initialize(again.Label(), revision, client.From(again))
	}
	for asked := 1; asked < maxAsked && turnedAway(x) && len(r.survey.Spoken) > 0; asked++ {
		x = r.conversation.Initialize(again.Label(), revision, client.From(again))
	}
	return x
}

// turnedAway tells that the answer speaks of load, or comes from something in front of the server.
func turnedAway(x *wire.Exchange) bool {
	switch x.Status() {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return !diagnosis.Recognised(x)
	}
	return false
}

// brokeOff tells that the exchange ended without a complete answer, in a way that may have been an accident.
func brokeOff(x *wire.Exchange) bool {
	if x.Error == nil {
		return false
	}
	switch x.Error.Kind {
	case wire.ErrReset, wire.ErrClosed, wire.ErrTimeout:
		return true
	}
	return false
}

func (r *surveyor) learn(x *wire.Exchange, revision string) {
	if !diagnosis.Recognised(x) {
		return
	}
	message := diagnosis.Presentation(x)
	var negotiated string
	_ = message.Decode("/result/protocolVersion", &negotiated)
	r.name(x)
	if negotiated != "" && negotiated != revision {
		// The server offers another revision; it is asked for by its own name too.
		return
	}
	r.survey.Spoken = append(r.survey.Spoken, revision)
	if negotiated == revision && x.Served() {
		r.survey.Echoed = append(r.survey.Echoed, revision)
	}
}

// name keeps what the server says it is.
func (r *surveyor) name(x *wire.Exchange) {
	message := diagnosis.Presentation(x)
	// Without a handshake it stands in the _meta of every result.
	for _, place := range []string{"/result/serverInfo", "/result/_meta/io.modelcontextprotocol~1serverInfo"} {
		if r.survey.Server.Name == "" {
			_ = message.Decode(place+"/name", &r.survey.Server.Name)
			_ = message.Decode(place+"/version", &r.survey.Server.Version)
		}
	}
}

// fewBeside is how many sessions are opened beside the first where requests are sent one at a time: few are wanted then.
const fewBeside = 2

// others asks for the other revisions, with the first session still open, and returns the sessions that are open beside it.
func (r *surveyor) others(first *wire.Exchange) (opened []string) {
	held := heldSession(first)
	alive := held != nil && r.settle(held) && r.alive(held, "held session before")
	asked := slices.DeleteFunc(slices.Clone(r.judged), func(v string) bool { return v == r.newest() || slices.Contains(r.tried, v) })
	beside := max(fewBeside, len(asked))
	if r.conversation.Client().Concurrency() == 1 {
		beside = fewBeside
	}
	for some := range slices.Chunk(asked, beside) {
		r.conversation.End(opened...)
		opened = r.sideBySide(some, held, alive)
		if alive && !r.survey.SingleSession {
			r.survey.SingleSession = !r.alive(held, "held session after")
		}
	}
	r.survey.Spoken = slices.DeleteFunc(r.survey.Spoken, func(v string) bool { return !slices.Contains(r.ask, v) })
	return opened
}

// sideBySide asks for some revisions at a time, and returns the sessions that were opened.
func (r *surveyor) sideBySide(asked []string, held *held, alive bool) (opened []string) {
	answers := make([]*wire.Exchange, len(asked))
	var steps []func()
	for i, v := range asked {
		steps = append(steps, func() { answers[i] = r.request(v) })
	}
	r.conversation.Parallel(steps...)
	for i, v := range asked {
		x := answers[i]
		r.learn(x, v)
		if alive && !diagnosis.Recognised(x) && x.Status() != 0 {
			// Refused while a session is open: perhaps the server takes one at a time. Give it up and ask again.
			r.conversation.Delete("delete held session", held.options()...)
			r.conversation.End(opened...)
			x = r.conversation.Initialize("initialize "+v+" alone", v)
			r.learn(x, v)
		}
		opened = append(opened, x.ResponseSession()...)
	}
	return opened
}

// held is the session of the first initialize, kept open while others are opened.
type held struct{ id, version string }

func heldSession(x *wire.Exchange) *held {
	ids := x.ResponseSession()
	if len(ids) == 0 {
		// Without a session id there is nothing that a second session could end.
		return nil
	}
	h := &held{id: ids[0]}
	_ = diagnosis.Presentation(x).Decode("/result/protocolVersion", &h.version)
	return h
}

func (h *held) options() []client.Option {
	if revision.Since(h.version, "2025-06-18") {
		return []client.Option{client.WithSession(h.id), client.WithVersion(h.version)}
	}
	return []client.Option{client.WithSession(h.id), client.WithoutVersion()}
}

// settle completes the handshake.
func (r *surveyor) settle(h *held) bool {
	x := r.conversation.Notify("initialized", "notifications/initialized", h.options()...)
	r.silent = x.EndedBy == wire.ByTimeout
	return x.Status()/100 == 2
}

// alive sends a ping in the held session.
func (r *surveyor) alive(h *held, label string) bool {
	return r.conversation.Call(label, "ping", h.options()...).Status()/100 == 2
}
