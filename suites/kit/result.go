package kit

import (
	"cmp"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A Verdict is the outcome of a cell. The words are part of the contract.
type Verdict string

// The verdicts.
const (
	Pass          Verdict = "pass"
	Note          Verdict = "note"
	Warn          Verdict = "warn"
	Fail          Verdict = "fail"
	NotApplicable Verdict = "not-applicable"
	NotObserved   Verdict = "not-observed"
	Error         Verdict = "error"
)

// Accuses tells whether the verdict counts against the server, and so has to be confirmed.
func (v Verdict) Accuses() bool { return v == Fail || v == Warn }

// breach is what breaking a requirement of a level comes to.
func breach(level catalogue.Level) Verdict { return Verdict(level.Severity()) }

// mildest returns the weaker of two breaches.
func mildest(a, b Verdict) Verdict {
	if rank(a) < rank(b) {
		return a
	}
	return b
}

func rank(v Verdict) int {
	switch v {
	case Note:
		return 1
	case Warn:
		return 2
	case Fail:
		return 3
	case Error:
		return 4
	}
	return 0
}

// Place points at evidence: an exchange, and in it an event (-1: the exchange as a whole).
type Place struct {
	Transcript *wire.Transcript
	Exchange   *wire.Exchange
	Event      int
	// Late: it was so because of the time or the requests that had gone before, so that the exchange alone does not show it again.
	Late bool
}

// A Finding is one thing that was not as it should be, or is worth knowing.
type Finding struct {
	Verdict       Verdict
	Expected, Got string
	Place         Place
	// Kind is the kind of breach, where the entry gives it reasons of its own.
	Kind string
	// Cause says what the finding comes of, where it may come to light under several requirements and in different bytes.
	Cause string
}

// maxFindings is how many findings of one result are kept; the others are counted.
const maxFindings = 5

// A Result is the verdict on one cell.
type Result struct {
	ID, Revision, Transport string
	Level                   catalogue.Level
	Verdict                 Verdict
	// Message says in a sentence what was found.
	Message       string
	Expected, Got string
	BlockedBy     string
	// Cause and Class say why there is nothing to judge; set with NotObserved only.
	Cause Cause
	Class Class
	// Findings are the first mismatches, More counts the others of the same weight.
	Findings []Finding
	More     int
	// Shown is evidence for a verdict without findings, such as the exchange that passed.
	Shown []Place
	// Proven tells that the recording as a whole shows the findings several times, so that they need no second one; see T.Proven.
	Proven bool
	// Confirmed tells that a second, lone recording gave the same verdict.
	Confirmed bool
	// Scripts that have to be recorded again to confirm the verdict.
	Scripts []string
}

// worst returns the weightiest finding; the first of equals.
func worst(findings []Finding) Finding {
	w := findings[0]
	for _, f := range findings[1:] {
		if cmp.Compare(rank(f.Verdict), rank(w.Verdict)) > 0 {
			w = f
		}
	}
	return w
}
