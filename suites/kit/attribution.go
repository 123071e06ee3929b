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
		if slices.ContainsFunc(j.broken(id), func(b Finding) bool { return rank(b.Verdict) >= rank(f.Verdict) && b.Place.Meets(f.Place) }) {
			return id
		}
	}
	for _, id := range check.Entry.SameCause {
		if f.Cause == "" {
			break
		}
		if slices.ContainsFunc(j.broken(id), func(b Finding) bool { return rank(b.Verdict) >= rank(f.Verdict) && b.Cause == f.Cause }) {
			return id
		}
	}
	return ""
}

// broken are the findings of a requirement that others may give theirs away to.
func (j *Judge) broken(id string) []Finding {
	base, planned := j.checks[id]
	if !planned || slices.Contains(j.busy, id) || !base.Applies(j.recording.Revision, j.recording.Transport) && !j.lend(base) {
		return nil
	}
	if j.Cell(id).Verdict == Error {
		return nil
	}
	return j.found[id]
}

// lend judges a requirement here that has no cell here, by the rules of the revision that lends them, so that what breaks it can be told
// apart from the rest. That is fair only where it is reported: in another revision.
func (j *Judge) lend(base *Check) bool {
	r := j.recording
	if r.Revision != r.Era.Lending.To || r.Transport != StreamableHTTP || r.Elsewhere == nil || !r.Elsewhere(base.Entry.ID) {
		return false
	}
	lent := r.Era.Lending.Lend(base)
	if !lent.Applies(r.Revision, r.Transport) {
		return false
	}
	j.checks[base.Entry.ID] = lent
	return true
}

// Meets tells that two places have bytes in common: the same exchange, and in it the same event or either of them the whole.
func (p Place) Meets(o Place) bool {
	return p.Exchange == o.Exchange && (p.Event == o.Event || p.Event < 0 || o.Event < 0)
}
