package survey

import (
	"bytes"
	"net/http"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/diagnosis"
	"github.com/mcpcheck/mcpcheck/wire"
)

// maxVariations is how often the first initialize is sent in another form before a URL is given up.
const maxVariations = 4

// otherAccept is Accept with its types the other way round: some servers compare the text.
const otherAccept = "text/event-stream, application/json"

// vary sends the first initialize in other forms, which a server that turns it away may serve: with the header that belongs to later
// requests, with the types of Accept the other way round, and naming older versions. It returns the answer by which a server was
// recognised, or else the first one. Each variation that helps is a finding of some check.
func (r *surveyor) vary(first *wire.Exchange) *wire.Exchange {
	if diagnosis.Recognised(first) || !mayBeVaried(first) || len(r.judged) == 0 {
		return first
	}
	sent := 0
	try := func(label, revision string, options ...client.Option) *wire.Exchange {
		if sent == maxVariations {
			return nil
		}
		sent++
		x := r.conversation.Initialize(label, revision, options...)
		if !diagnosis.Recognised(x) {
			return nil
		}
		r.learn(x, revision)
		return x
	}
	_, answered := first.Answer()
	if !answered || first.Status() == http.StatusBadRequest {
		if x := try("initialize "+r.newest()+" with the header", r.newest(), client.WithVersion(r.newest())); x != nil {
			r.survey.Insists.VersionHeader = true
			r.conversation.Client().Indulge(r.survey.Insists)
			return x
		}
	}
	if !answered {
		if x := try("initialize "+r.newest()+" with the types of Accept in another order", r.newest(), client.WithAccept(otherAccept)); x != nil {
			r.survey.Insists.Accept = otherAccept
			r.conversation.Client().Indulge(r.survey.Insists)
			return x
		}
	}
	for _, v := range r.stepsDown(first) {
		r.tried = append(r.tried, v)
		if x := try("initialize "+v, v); x != nil {
			return x
		}
	}
	return first
}

// mayBeVaried tells that something which may be an MCP server turned a request away for what was in it: by JSON-RPC, or by a status that
// is no page and says nothing of addresses, credentials, load or a gateway.
func mayBeVaried(x *wire.Exchange) bool {
	if x.Response == nil || diagnosis.WantsTLS(x) {
		return false
	}
	switch x.Status() {
	case 401, 402, 403, 404, 405, 407, 408, 421, 429, 502, 503, 504:
		return false
	}
	if _, answered := x.Answer(); answered {
		return true
	}
	page := x.MediaType() == "text/html" || bytes.HasPrefix(bytes.TrimSpace(x.Response.Body.Prefix(pagePrefix)), []byte("<"))
	return x.Status()/100 == 4 && !page || x.Status()/100 == 5 && !page
}

// pagePrefix is how much of a body is looked at to see whether it is a page.
const pagePrefix = 512

// stepsDown are the older versions that are worth a try: those that the refusal names, or else all that can be judged, newest first.
func (r *surveyor) stepsDown(refusal *wire.Exchange) []string {
	older := slices.DeleteFunc(slices.Clone(r.judged), func(v string) bool { return v == r.newest() })
	slices.Sort(older)
	slices.Reverse(older)
	answer, _ := refusal.Answer()
	named := slices.DeleteFunc(slices.Clone(older), func(v string) bool { return !bytes.Contains(answer.Error, []byte(v)) })
	if len(named) > 0 {
		return named
	}
	return older
}
