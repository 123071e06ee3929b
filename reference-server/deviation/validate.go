package deviation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

func (d *Deviation) validate(words Vocabulary) error {
	for _, name := range d.Switches {
		if guard, ok := strings.CutPrefix(name, skip); ok {
			if !slices.Contains(words.Guards, guard) {
				return unknown("guard", guard, words.Guards)
			}
			continue
		}
		var known []string
		for _, s := range words.Switches {
			known = append(known, s.Name)
		}
		if !slices.Contains(known, name) {
			slices.Sort(known)
			return unknown("switch", name, append(known, skip+"GUARD"))
		}
	}
	for name, way := range d.Generate {
		i := slices.IndexFunc(words.Identities, func(i Identity) bool { return i.Name == name })
		if i < 0 {
			var known []string
			for _, i := range words.Identities {
				known = append(known, i.Name)
			}
			slices.Sort(known)
			return unknown("identity", name, known)
		}
		if ways := words.Identities[i].Ways; !slices.Contains(ways, way) {
			return unknown("way to generate the identity "+name, way, ways)
		}
	}
	for _, w := range d.Wire {
		if w.Find == "" || len(w.Find) != len(w.Replace) {
			return fmt.Errorf("wire: %q and %q must have one length", w.Find, w.Replace)
		}
	}
	if err := validRevisions(d.Revisions); err != nil {
		return err
	}
	for i, e := range d.Edits {
		if err := e.validate(words); err != nil {
			return fmt.Errorf("edit %d: %w", i+1, err)
		}
	}
	if len(d.Edits)+len(d.Switches)+len(d.Generate)+len(d.Wire) == 0 {
		return fmt.Errorf("it deviates in nothing")
	}
	return nil
}

func unknown(what, name string, known []string) error {
	return fmt.Errorf("unknown %s %q; known are: %s", what, name, strings.Join(known, ", "))
}

func validRevisions(revisions []string) error {
	for _, r := range revisions {
		if !slices.Contains(revision.All(), r) {
			return unknown("revision", r, revision.All())
		}
	}
	return nil
}

func (e Edit) validate(words Vocabulary) error {
	if !words.selects(e.On) {
		return unknown("selector", e.On, slices.Concat(Selectors(), words.Outcomes()))
	}
	if err := validRevisions(e.Revisions); err != nil {
		return err
	}
	for _, c := range []*Condition{e.When, e.Unless} {
		if batches := []string{"", "requests", "mixed", "none"}; c != nil && !slices.Contains(batches, c.Batch) {
			return unknown("batch", c.Batch, batches[1:])
		}
	}
	if e.Set != nil && e.Value == nil && e.From == nil && e.Text == nil {
		return fmt.Errorf("set %q: value, from or text is missing", *e.Set)
	}
	if e.Set == nil && (e.Value != nil || e.From != nil || e.Text != nil) {
		return fmt.Errorf("value, from and text need set")
	}
	if _, err := e.Pause(); err != nil {
		return fmt.Errorf("delay: %w", err)
	}
	for _, s := range e.Splice {
		if _, err := s.bytes(); err != nil {
			return fmt.Errorf("splice %q: %w", s.Find, err)
		}
	}
	return nil
}

func (w Vocabulary) selects(on string) bool {
	if slices.Contains(w.Outcomes(), on) || slices.Contains(Selectors(), on) && !strings.HasSuffix(on, "METHOD") {
		return true
	}
	kind, method, ok := strings.Cut(on, " ")
	return ok && method != "" && method != "METHOD" && slices.Contains(Selectors(), kind+" METHOD")
}
