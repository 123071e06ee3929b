package suites

import (
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// When two recordings show the same breach, and what becomes of an accusation where they do not.

// repeats keeps the findings that the second attempt found again: two different accidents confirm nothing.
func repeats(first *kit.Result, second kit.Result) bool {
	if first.More > 0 && second.More > 0 {
		// So many that not all places were kept: no accident.
		return true
	}
	kept := slices.DeleteFunc(slices.Clone(first.Findings), func(f kit.Finding) bool {
		return !slices.ContainsFunc(second.Findings, func(g kit.Finding) bool { return sameFinding(f, g) })
	})
	if len(kept) == 0 {
		return false
	}
	if len(kept) < len(first.Findings) {
		first.Findings = kept
		first.Expected, first.Got = kept[0].Expected, kept[0].Got
		first.Message = kit.Sentence(kept[0])
	}
	return true
}

// sameBreach tells that two results have a finding in common.
func sameBreach(a, b kit.Result) bool {
	return slices.ContainsFunc(a.Findings, func(f kit.Finding) bool {
		return slices.ContainsFunc(b.Findings, func(g kit.Finding) bool { return sameFinding(f, g) })
	})
}

// sameFinding tells that two findings of a requirement are the same breach: in the same place, or else of the same kind, wherever they
// stand. What may be an accident has to come in the same place.
func sameFinding(f, g kit.Finding) bool {
	if where(f) == where(g) {
		return true
	}
	return f.Expected == g.Expected && !accidental(f.Place.Exchange) && !accidental(g.Place.Exchange)
}

// accidental tells that an exchange ended in a way that says more about the network, load or a gateway than about the request.
func accidental(x *wire.Exchange) bool {
	if x == nil || x.Response == nil || x.Status() == 429 || x.Status() >= 500 {
		return true
	}
	_, answered := x.Answer()
	return x.Error != nil && !answered
}

// where names the place of a finding: the conversation and the name of the exchange.
func where(f kit.Finding) string {
	script := ""
	if f.Place.Transcript != nil {
		script = f.Place.Transcript.Script
	}
	return script + " " + f.Place.Exchange.Name()
}

// unstable takes back an accusation on which two attempts disagree.
func unstable(first, second kit.Result) kit.Result {
	r := first
	if second.Verdict.Accuses() {
		r = second
	}
	r.Verdict, r.Cause, r.Class = kit.NotObserved, kit.Unstable, kit.CouldNotLook
	r.Message = fmt.Sprintf("unstable: %s at first (%s), %s on a second, lone try (%s)",
		first.Verdict, first.Message, second.Verdict, second.Message)
	return r
}

// unconfirmed takes back an accusation that could not be repeated in time or at all.
func unconfirmed(r kit.Result) kit.Result {
	if r.Verdict.Accuses() {
		r.Message = fmt.Sprintf("seen once and not confirmed, the run ended first: %s: %s", r.Verdict, r.Message)
		r.Verdict, r.Cause, r.Class = kit.NotObserved, kit.Unconfirmed, kit.CouldNotLook
	}
	return r
}
