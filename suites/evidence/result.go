package evidence

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Result is a verdict as reports have it: with the texts of its requirement, and the exchanges that show it. Where again tells that lines of
// curl can show a finding again they are made; nil: they cannot.
func Result(e catalogue.Entry, k kit.Result, again func(kit.Place) bool) report.Result {
	out := report.Result{
		ID: k.ID, Revision: k.Revision, Transport: k.Transport, Area: e.Area, Level: string(k.Level),
		Verdict: report.Verdict(k.Verdict), Title: e.Title, Message: k.Message, Expected: k.Expected, Got: k.Got,
		Cause: string(k.Cause), Class: string(k.Class), BlockedBy: k.BlockedBy, Spec: e.SpecURL(k.Revision), More: k.More, Evidence: []report.Evidence{},
	}
	finding := k.Verdict.Accuses() || k.Verdict == kit.Note
	if finding {
		kind := ""
		if len(k.Findings) > 0 {
			kind = k.Findings[0].Kind
		}
		out.Why, out.Remedy = e.Because(kind)
	}
	hide := func(s string) string { return s }
	for _, f := range k.Findings {
		remark := f.Got
		if f.Expected != "" {
			remark = fmt.Sprintf("expected %s, got %s", f.Expected, f.Got)
		}
		out.Evidence = append(out.Evidence, within(Of(f.Place, remark), f.Place, k))
	}
	for _, p := range k.Shown {
		out.Evidence = append(out.Evidence, within(Of(p, ""), p, k))
	}
	out.AskedIn = askedIn(out.Evidence)
	if place, ok := first(k); ok {
		hide = Hider(place.Transcript)
		out.Sent = sent(place)
		if finding && again != nil && again(place) {
			out.Curl = Curl(place)
		}
	}
	out.Message, out.Got = hide(out.Message), hide(out.Got)
	return out
}

// within says of evidence that was recorded in another revision, for all, where that was.
func within(e report.Evidence, p kit.Place, k kit.Result) report.Evidence {
	if p.Transcript != nil && p.Transcript.Subject == "" && p.Transcript.Revision != k.Revision {
		e.AskedIn = p.Transcript.Revision
	}
	return e
}

// askedIn is the other revision in which all of the evidence was recorded; "" where there is none.
func askedIn(all []report.Evidence) string {
	for i, e := range all {
		if e.AskedIn == "" || i > 0 && e.AskedIn != all[0].AskedIn {
			return ""
		}
	}
	if len(all) == 0 {
		return ""
	}
	return all[0].AskedIn
}

// first is the evidence that a result leads with.
func first(k kit.Result) (kit.Place, bool) {
	switch {
	case len(k.Findings) > 0 && k.Findings[0].Place.Transcript != nil:
		return k.Findings[0].Place, true
	case len(k.Shown) > 0 && k.Shown[0].Transcript != nil:
		return k.Shown[0], true
	}
	return kit.Place{}, false
}

// asked is the request that a place answers: its own exchange, or where the evidence is a response on a stream, the one with its id.
func asked(p kit.Place) *wire.Exchange {
	x := p.Exchange
	if x.Request.Method != http.MethodGet || p.Event < 0 || p.Transcript == nil {
		return x
	}
	for _, m := range x.Messages() {
		if m.Event != p.Event || m.HasMethod || !m.HasID {
			continue
		}
		for _, other := range p.Transcript.Exchanges {
			if slices.ContainsFunc(wire.RequestIDs(other.RequestMessage()), func(id json.RawMessage) bool { return wire.SameID(id, m.ID) }) {
				return other
			}
		}
	}
	return x
}

// sent says in a phrase what was sent: method, message, and what was wrong with it on purpose.
func sent(p kit.Place) string {
	x := asked(p)
	words := []string{x.Request.Method}
	if m := x.RequestMessage(); m.Method != "" {
		words = append(words, m.Method)
	}
	if x.Broken != "" {
		words = append(words, x.Broken)
	}
	return strings.Join(words, " ")
}
