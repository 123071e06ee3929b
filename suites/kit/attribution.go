package kit

import (
	"fmt"
	"slices"
)

// One cause is one finding. The catalogue says which requirements rest on which others (rests-on.yaml); here that is put into effect.

// attribute gives those findings away that show the very bytes by which a requirement is broken that this one yields to. Where none is
// left, it returns how the judgement ends: blocked by the one that has them. A judgement that such bytes left without anything to look
// at ends the same way.
func (j *Judge) attribute(t *T, s *stop) *stop {
	if s != nil && s.verdict == Error {
		return s
	}
	if len(t.findings) == 0 {
		if s == nil || s.cause == Blocked {
			return s
		}
		for _, p := range s.shown {
			// Whatever was not served because of it would have been worth a warning at least.
			if by := j.owner(t.check, Finding{Verdict: Warn, Place: p}); by != "" {
				return j.givenAway(by, p)
			}
		}
		return s
	}
	first := t.findings[0]
	t.findings = slices.DeleteFunc(t.findings, func(f Finding) bool { return j.owner(t.check, f) != "" })
	if len(t.findings) > 0 {
		return s
	}
	return j.givenAway(j.owner(t.check, first), first.Place)
}

func (j *Judge) givenAway(by string, p Place) *stop {
	return &stop{
		verdict: NotObserved, cause: Blocked, blockedBy: by, shown: []Place{p},
		reason: fmt.Sprintf("what came is %s's: %s", by, Sentence(j.done[by].Findings[0])),
	}
}

// owner is the requirement that a finding belongs to; "" for the check's own.
func (j *Judge) owner(check *Check, f Finding) string {
	for _, id := range check.Entry.YieldsTo {
		base, planned := j.checks[id]
		if !planned || slices.Contains(j.busy, id) || !base.Applies(j.recording.Revision, j.recording.Transport) {
			continue
		}
		if j.Cell(id).Verdict == Error {
			continue
		}
		if slices.ContainsFunc(j.found[id], func(b Finding) bool { return rank(b.Verdict) >= rank(f.Verdict) && b.Place.Meets(f.Place) }) {
			return id
		}
	}
	return ""
}

// Meets tells that two places have bytes in common: the same exchange, and in it the same event or either of them the whole.
func (p Place) Meets(o Place) bool {
	return p.Exchange == o.Exchange && (p.Event == o.Event || p.Event < 0 || o.Event < 0)
}
