// Package migration tells the author of a server which way leads to 2026-07-28: which requirements it meets already, which steps are left
// and in which order, what the common SDKs do for each, and which clients notice. What it says is data, in way.yaml; what is true of a
// server is read from a report. Nothing here judges, renders or talks to anybody.
package migration

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

//go:embed way.yaml
var embedded []byte

// A Way is what way.yaml says; the comments there say what each part is for.
type Way struct {
	To string `yaml:"to"`
	// Order says why the steps stand as they do, OrderSpoken the same for a server that speaks To already.
	Order       string `yaml:"order"`
	OrderSpoken string `yaml:"order-spoken"`

	Steps   []Step            `yaml:"steps"`
	Carries map[string]string `yaml:"carries"`
	None    []None            `yaml:"none"`
	Drop    []Drop            `yaml:"drop"`
	Hidden  []string          `yaml:"hidden"`
	SDKs    map[string]SDK    `yaml:"sdks"`
	Clients map[string]Client `yaml:"clients"`

	catalogue *catalogue.Catalogue
	entries   []catalogue.Entry // of servers in the revision that the way leads to
	steps     map[string]int    // the step of each requirement
}

// A Step is a piece of work.
type Step struct {
	ID    string `yaml:"id"`
	Title string `yaml:"title"`
	Do    string `yaml:"do"`
	Alone string `yaml:"alone"`
	// Rest: what no other step has belongs here. Later: to be taken once nobody speaks older revisions.
	Rest         bool     `yaml:"rest"`
	Later        bool     `yaml:"later"`
	Needed       *Need    `yaml:"needed"`
	Notes        []Note   `yaml:"notes"`
	Requirements []string `yaml:"requirements"`
	// Concerns are the requirements that the SDKs are told for, where one of them is broken; none means always.
	Concerns []string `yaml:"concerns"`
	// Comes are the SDKs that do it once the server is upgraded, Write those with which something is left to do.
	Comes   map[string]string `yaml:"comes"`
	Write   map[string]string `yaml:"write"`
	Clients map[string]string `yaml:"clients"`
}

// A Need says what makes a server need a step: any of these capabilities, or that any of these requirements had something to judge.
type Need struct {
	Capabilities []string `yaml:"capabilities"`
	Seen         []string `yaml:"seen"`
	// Yes is said where it does, No where it does not, Unknown where that cannot be told; one of the latter two is empty.
	Yes     string `yaml:"yes"`
	No      string `yaml:"no"`
	Unknown string `yaml:"unknown"`
}

// A Note is something that was seen of a server and concerns a step.
type Note struct {
	Seen Sight  `yaml:"seen"`
	Says string `yaml:"says"`
}

// A Sight is a result of an older revision: of a requirement, with one of these verdicts, or whose sentence holds these words.
type Sight struct {
	ID      string   `yaml:"id"`
	Verdict []string `yaml:"verdict"`
	Says    string   `yaml:"says"`
}

// None are requirements without a step.
type None struct {
	Requirements []string `yaml:"requirements"`
	Because      string   `yaml:"because"`
}

// Drop is something that older clients alone need. Without a condition every server of older revisions has it.
type Drop struct {
	What         string   `yaml:"what"`
	Seen         *Sight   `yaml:"seen"`
	Capabilities []string `yaml:"capabilities"`
}

// An SDK is how far one is.
type SDK struct {
	Name    string `yaml:"name"`
	Package string `yaml:"package"`
	Speaks  bool   `yaml:"speaks"`
	Since   string `yaml:"since"`
	Run     string `yaml:"run"`
	// Target is what was run, by its name in fixtures/targets, Breaks what of the newer revision it breaks.
	Target string   `yaml:"target"`
	Breaks []string `yaml:"breaks"`

	Upgrade string `yaml:"upgrade"`
	Older   string `yaml:"older"`
	Read    string `yaml:"read"`
}

// A Client is how one finds out what a server speaks.
type Client struct {
	Name      string   `yaml:"name"`
	Begins    string   `yaml:"begins"`
	FallsBack []string `yaml:"falls-back"`
	GivesUp   []string `yaml:"gives-up"`
}

// Load returns the way that is embedded, held against the catalogue.
func Load() (*Way, error) { return loadEmbedded() }

var loadEmbedded = sync.OnceValues(func() (*Way, error) {
	c, err := catalogue.Load()
	if err != nil {
		return nil, err
	}
	return read(embedded, c)
})

func read(data []byte, c *catalogue.Catalogue) (*Way, error) {
	w := &Way{catalogue: c, steps: map[string]int{}}
	d := yaml.NewDecoder(strings.NewReader(string(data)))
	d.KnownFields(true)
	if err := d.Decode(w); err != nil {
		return nil, fmt.Errorf("way.yaml: %w", err)
	}
	w.entries = slices.DeleteFunc(c.Entries(), func(e catalogue.Entry) bool { return e.Levels[w.To] == "" || e.Party != catalogue.Server })
	v := &validation{way: w}
	v.all()
	if len(v.problems) > 0 {
		return nil, fmt.Errorf("way.yaml: %w", errors.Join(v.problems...))
	}
	return w, nil
}

// order of the SDKs, and of the clients of a step.
func sorted[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// SDKNames are the names by which users choose SDKs.
func (w *Way) SDKNames() []string { return sorted(w.SDKs) }

// validation holds the file against the catalogue and against itself.
type validation struct {
	way      *Way
	problems []error
}

func (v *validation) problem(format string, args ...any) {
	v.problems = append(v.problems, fmt.Errorf(format, args...))
}

func (v *validation) all() {
	w := v.way
	if era, known := revision.EraOf(w.To); !known || era != revision.Modern {
		v.problem("to: %q is no revision to go to", w.To)
	}
	v.carries()
	v.partition()
	for _, s := range w.Steps {
		v.step(s)
	}
	for _, d := range w.Drop {
		if d.Seen != nil {
			v.legacy("drop "+d.What, d.Seen.ID)
		}
	}
	for name, sdk := range w.SDKs {
		if sdk.Speaks != (sdk.Since != "") || sdk.Run == "" || sdk.Upgrade == "" || sdk.Older == "" || !strings.HasPrefix(sdk.Read, "https://") {
			v.problem("sdk %s: since goes with speaks, and run, upgrade, older and read are wanted", name)
		}
		for _, id := range sdk.Breaks {
			if _, placed := w.steps[id]; !placed {
				v.problem("sdk %s: %s is no server requirement of %s", name, id, w.To)
			}
		}
	}
	for name, c := range w.Clients {
		if c.Name == "" || c.Begins == "" {
			v.problem("client %s lacks its name, or how it begins", name)
		}
		for _, kind := range append(slices.Clone(c.FallsBack), c.GivesUp...) {
			if !slices.Contains(answerKinds, kind) {
				v.problem("client %s: %q is no kind of answer; there are %s", name, kind, strings.Join(answerKinds, ", "))
			}
		}
	}
}

func (v *validation) carries() {
	for there, today := range v.way.Carries {
		if e, ok := v.way.catalogue.ByID(there); !ok || e.Party != catalogue.Server || e.Levels[v.way.To] == "" {
			v.problem("carries: %s is no server requirement of %s", there, v.way.To)
		}
		v.legacy("carries", today)
	}
}

// legacy demands a server requirement of an older revision.
func (v *validation) legacy(where, id string) {
	if e, ok := v.way.catalogue.ByID(id); !ok || e.Party != catalogue.Server || e.Era != revision.Legacy {
		v.problem("%s: %s is no server requirement of an older revision", where, id)
	}
}

// partition gives every entry to one step, or to what needs none.
func (v *validation) partition() {
	w := v.way
	const none = -1
	rest := slices.IndexFunc(w.Steps, func(s Step) bool { return s.Rest })
	take := func(patterns []string, step int, name string) {
		for _, pattern := range patterns {
			found := false
			for _, e := range w.entries {
				if !catalogue.Glob(pattern, e.ID) {
					continue
				}
				found = true
				if other, taken := w.steps[e.ID]; taken && other != step {
					v.problem("%s: %s belongs to another step, or to none", name, e.ID)
				}
				w.steps[e.ID] = step
			}
			if !found {
				v.problem("%s: %s names no server requirement of %s", name, pattern, w.To)
			}
		}
	}
	for i, s := range w.Steps {
		take(s.Requirements, i, s.ID)
	}
	for _, n := range w.None {
		if n.Because == "" {
			v.problem("none: %v want a reason", n.Requirements)
		}
		take(n.Requirements, none, "none")
	}
	for _, e := range w.entries {
		switch _, taken := w.steps[e.ID]; {
		case taken:
		case w.Carries[e.ID] != "" && rest >= 0:
			w.steps[e.ID] = rest
		default:
			v.problem("%s (%s) belongs to no step, and is not said to need none", e.ID, e.Levels[w.To])
		}
	}
}

func (v *validation) step(s Step) {
	if s.ID == "" || s.Title == "" || s.Do == "" || s.Alone == "" {
		v.problem("step %q lacks id, title, do or alone", s.ID)
	}
	told := append(sorted(s.Comes), sorted(s.Write)...)
	slices.Sort(told)
	if want := sorted(v.way.SDKs); !slices.Equal(told, want) {
		v.problem("step %s: SDKs are %v, and there are %v", s.ID, told, want)
	}
	for _, pattern := range s.Concerns {
		if !slices.ContainsFunc(v.way.entries, func(e catalogue.Entry) bool { return catalogue.Glob(pattern, e.ID) }) {
			v.problem("step %s: %s names no server requirement of %s", s.ID, pattern, v.way.To)
		}
	}
	for name := range s.Clients {
		if _, known := v.way.Clients[name]; !known {
			v.problem("step %s: no client is called %s", s.ID, name)
		}
	}
	for _, n := range s.Notes {
		v.legacy("step "+s.ID, n.Seen.ID)
	}
	if n := s.Needed; n != nil {
		if n.Yes == "" || (n.No == "") == (n.Unknown == "") {
			v.problem("step %s: needed wants yes, and either no or unknown", s.ID)
		}
		for _, id := range n.Seen {
			v.legacy("step "+s.ID, id)
		}
	}
}
