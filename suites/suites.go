// Package suites turns a URL into results: survey, record, confirm, judge. It plans which checks run in which revisions, talks
// through package client, and hands the transcripts to the pure judge of package kit. It names no era: what it must know of one is
// a value that it is given.
package suites

import (
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

// A Suite is every check there is, in catalogue order.
type Suite struct {
	Catalogue *catalogue.Catalogue
	eras      []*kit.Era
	checks    []*kit.Check
	scripts   []*kit.Script
	ordinary  map[*kit.Script]string // the era of those that are
}

// New builds the suite of some eras. An error means that the embedded catalogue is broken.
func New(eras ...*kit.Era) (*Suite, error) {
	c, err := catalogue.Load()
	if err != nil {
		return nil, fmt.Errorf("loading the catalogue: %w", err)
	}
	s := &Suite{Catalogue: c, eras: eras, ordinary: map[*kit.Script]string{}}
	byID := map[string]*kit.Check{}
	for _, era := range eras {
		for _, area := range era.Areas {
			section := kit.NewSection(c, era, area)
			s.scripts = append(s.scripts, section.Scripts()...)
			for _, k := range section.Scripts() {
				if k.Ordinary {
					s.ordinary[k] = era.Name
				}
			}
			for _, check := range section.Checks() {
				byID[check.Entry.ID] = check
			}
		}
	}
	for _, e := range c.Entries() {
		if check, ok := byID[e.ID]; ok {
			s.checks = append(s.checks, check)
		}
	}
	return s, nil
}

// Revisions are those that this version can judge, oldest first.
func (s *Suite) Revisions() []string {
	var all []string
	for _, era := range s.eras {
		all = append(all, revision.Of(era.Name)...)
	}
	return all
}

// Checklist is what people go through by hand when they bring up a server.
func (s *Suite) Checklist() []report.ChecklistItem {
	var items []report.ChecklistItem
	for _, era := range s.eras {
		for _, i := range era.Checklist {
			items = append(items, report.ChecklistItem(i))
		}
	}
	return items
}

// era returns what is known of the era of a revision that can be judged.
func (s *Suite) era(of string) *kit.Era {
	name, _ := revision.EraOf(of)
	i := slices.IndexFunc(s.eras, func(e *kit.Era) bool { return e.Name == name })
	if i < 0 {
		panic("suites: no era has " + of)
	}
	return s.eras[i]
}

// intricate tells that a script is one of those which no curl line repeats.
func (s *Suite) intricate(script string) bool {
	return slices.ContainsFunc(s.scripts, func(k *kit.Script) bool { return k.Name == script && k.Intricate })
}

// Checks returns every check in catalogue order.
func (s *Suite) Checks() []*kit.Check { return s.checks }

// Check returns the check of a requirement.
func (s *Suite) Check(id string) (*kit.Check, bool) {
	i := slices.IndexFunc(s.checks, func(c *kit.Check) bool { return c.Entry.ID == id })
	if i < 0 {
		return nil, false
	}
	return s.checks[i], true
}

// Judged tells whether a check judges the requirement.
func (s *Suite) Judged(id string) bool {
	_, ok := s.Check(id)
	return ok
}

// Scripts returns the conversations that the given checks need, and those of the checks they hang on, in the order of the source.
// Passive checks range over the traffic of all of them; with one of those selected there is ordinary traffic of its era as well.
func (s *Suite) Scripts(checks []*kit.Check) []*kit.Script {
	wanted, passive := map[*kit.Script]bool{}, map[string]bool{}
	for _, c := range checks {
		passive[c.Entry.Room()] = passive[c.Entry.Room()] || c.Passive()
	}
	s.want(checks, wanted)
	return slices.DeleteFunc(slices.Clone(s.scripts), func(k *kit.Script) bool { return !wanted[k] && !passive[s.ordinary[k]] })
}

func (s *Suite) want(checks []*kit.Check, wanted map[*kit.Script]bool) {
	for _, c := range checks {
		for _, script := range c.Scripts {
			wanted[script] = true
		}
		for _, id := range c.Entry.RestsOn {
			if root, ok := s.Check(id); ok {
				s.want([]*kit.Check{root}, wanted)
			}
		}
	}
}
