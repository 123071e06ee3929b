package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The classes of not-observed, as results carry them.
const (
	nothingToSee = "nothing-to-see"
	couldNotLook = "could-not-look"
	settled      = "settled"
)

// troubleSlow is the kind of trouble that answers take long.
const troubleSlow = "slow"

// causeUnconfirmed is the cause of what was seen once and not confirmed.
const causeUnconfirmed = "unconfirmed"

// A Trouble is something that the run noticed about how the server bore it.
type Trouble struct {
	// Kind is a stable word for scripts, such as "gone", "hanging", "throttled".
	Kind string `json:"kind"`
	// Says is the sentence: "the server stopped answering after POST tools/list (connection refused since)".
	Says string `json:"says"`
	// Do says what to do about it.
	Do string `json:"do,omitempty"`
	// Ends: nothing more could be seen from there on.
	Ends bool `json:"ends,omitempty"`
}

// Incompleteness explains a run that could not look at all that it had to.
type Incompleteness struct {
	// Because is the cause in one sentence, Do what to do.
	Because string `json:"because"`
	Do      string `json:"do"`
	// Requirements counts those of the weight of a MUST that could not be looked at, each once.
	Requirements int `json:"requirements"`
	// Accepted: --accept-incomplete makes the exit code that of a complete run.
	Accepted bool `json:"accepted,omitempty"`
}

// weighs tells whether a breach of the level is a fail.
func weighs(level string) bool { return level == "MUST" || level == "MUST NOT" || level == "implied" }

// incompleteness is nil where a run looked at all that it had to, or where something failed: a fail is a fail.
func incompleteness(r Report) *Incompleteness {
	if r.Diagnosis != nil || r.Interrupted {
		return nil
	}
	causes, ids := map[string]int{}, map[string]bool{}
	first := map[string]string{} // the first requirement of a cause
	for _, result := range r.Results {
		switch {
		case result.Verdict == Fail && result.Excused == "", result.Verdict == Error:
			return nil
		case result.Verdict == NotObserved && result.Class == couldNotLook && weighs(result.Level):
			ids[result.ID] = true
			if result.BlockedBy == "" {
				causes[result.Cause]++
				first[result.Cause] = cmp.Or(first[result.Cause], result.ID)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	i := &Incompleteness{Requirements: len(ids)}
	if r.Incomplete != nil {
		i.Accepted = r.Incomplete.Accepted
	}
	for _, t := range r.Troubles {
		if t.Kind == troubleSlow {
			// Who answers late answers all the same.
			continue
		}
		if i.Because == "" || t.Ends {
			i.Because, i.Do = t.Says, t.Do
		}
		if t.Ends {
			return i
		}
	}
	if i.Because != "" {
		return i
	}
	var most string
	for cause, n := range causes {
		if most == "" || n > causes[most] || n == causes[most] && cause < most {
			most = cause
		}
	}
	i.Because, i.Do = causeText(most, first[most])
	return i
}

// causeText says what came between a run and what it had to look at, the requirement among it, and what to do.
func causeText(cause, requirement string) (because, do string) {
	again, shows := "run mcpcheck again", ""
	if requirement != "" {
		shows = "-vv --only " + requirement + " shows what came"
		again += "; where it stays so, " + shows
	}
	switch cause {
	case "unanswered":
		return "some requests were not answered in time", "give answers more time with --timeout 30s, or look at why the server did not answer"
	case "broken-off":
		return "connections broke off before the answer was complete", again
	case "unreachable":
		return "connections were refused", "see whether the server still runs, and run mcpcheck again"
	case "busy":
		return "requests were turned away for load", "run mcpcheck with --concurrency 1, or let it pass the limit of requests"
	case "failing":
		return "the server answers what nothing is wrong with by a 5xx of its own", strings.TrimSuffix("look into the server's log; "+shows, "; ")
	case "gateway", "intermediary":
		return "something in front of the server answered in its place", "check the server itself, past the proxy or gateway"
	case "interrupted":
		return "the run was interrupted", "let it run to its end"
	case "cut":
		return "answers were larger than mcpcheck keeps, so that they were cut", "make the server send less, or select what matters with --only"
	case "out-of-time":
		return "the time for the run was over", "give it more with --max-time"
	case "unstable":
		return "the server did not answer the same twice", "run mcpcheck again; what stays unstable is worth a look by hand"
	case causeUnconfirmed:
		return "what was seen once could not be seen again in time", again
	}
	return "some conversations could not be held to their end", again
}

// CountClass counts the cells that were not observed and are of a class.
func countClass(results []Result, class string) int {
	n := 0
	for _, r := range results {
		if r.Verdict == NotObserved && r.Class == class {
			n++
		}
	}
	return n
}

// Unconfirmed lists what was seen once and could not be seen again: no findings, and not nothing. One requirement is listed once.
func Unconfirmed(results []Result) []Result {
	var all []Result
	for _, r := range results {
		if r.Verdict == NotObserved && r.Cause == causeUnconfirmed && !slices.ContainsFunc(all, func(o Result) bool { return o.ID == r.ID }) {
			all = append(all, r)
		}
	}
	return all
}

// unlookedText says how many cells could not be looked at, and what was seen once; "" where there are none.
func unlookedText(r Report) string {
	var parts []string
	if n := countClass(r.Results, couldNotLook); n > 0 {
		parts = append(parts, fmt.Sprintf("%s could not be looked at", plural(n, "cell")))
	}
	if n := len(Unconfirmed(r.Results)); n > 0 {
		parts = append(parts, fmt.Sprintf("%d seen once and not confirmed", n))
	}
	return strings.Join(parts, ", ")
}

// Outcome is a stable word for what the run amounts to: "conformant", "not-conformant", "incomplete", "not-tested", and for runs that were
// not meant to be whole "partial", "failed", "interrupted", "nothing-judged" or "inconclusive".
func Outcome(r Report) string { return strings.ReplaceAll(headline(r), " ", "-") }

// remarks are all that is to say about the run as a whole: why it is incomplete, how the server bore it, what was seen once, and the rest.
func remarks(r Report) []string {
	var all []string
	if i := r.Incomplete; i != nil {
		text := fmt.Sprintf("incomplete, %s of the weight of a MUST could not be looked at: %s; %s", plural(i.Requirements, "requirement"), i.Because, i.Do)
		if i.Accepted {
			text += " (accepted with --accept-incomplete)"
		}
		all = append(all, text)
	}
	for _, t := range r.Troubles {
		if r.Incomplete == nil || r.Incomplete.Because != t.Says {
			all = append(all, t.Says)
		}
	}
	for _, u := range Unconfirmed(r.Results) {
		all = append(all, u.ID+": "+u.Message)
	}
	return append(all, r.Remarks...)
}
