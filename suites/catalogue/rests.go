package catalogue

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// restsFile says which requirements rest on which others. It is one file for all areas and eras, so that the whole of it can be seen.
const restsFile = "rests-on.yaml"

// rests is what the file says.
type rests struct {
	// Throughout: where what it rests on is broken or was not seen, a requirement has nothing to judge in that revision.
	Throughout map[string][]string `yaml:"throughout"`
	// SameBytes: where a finding shows the very bytes that break what it rests on, the finding is that one's.
	SameBytes map[string][]string `yaml:"same-bytes"`
	// SameCause: where a finding comes of the same as one of what it rests on, as the judges of both say, it is that one's.
	SameCause map[string][]string `yaml:"same-cause"`
	// Independent: the same bytes may break all of these, each for a cause of its own.
	Independent []Independence `yaml:"independent"`
}

// Independence names requirements that the same bytes may break for causes that have nothing to do with each other.
type Independence struct {
	These   []string `yaml:"these"`
	Because string   `yaml:"because"`
}

// loadRests reads the file and writes into the entries what they rest on. A catalogue without the file has nothing that rests on anything.
func loadRests(files fs.FS, entries []Entry) ([]Independence, error) {
	raw, err := fs.ReadFile(files, restsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading what rests on what: %w", err)
	}
	var r rests
	d := yaml.NewDecoder(strings.NewReader(string(raw)))
	d.KnownFields(true)
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("%s: %w", restsFile, err)
	}
	g := graph{at: map[string]int{}, entries: entries}
	for i, e := range entries {
		g.at[e.ID] = i
	}
	g.spread(r.Throughout, func(e *Entry) *[]string { return &e.RestsOn })
	g.spread(r.SameBytes, func(e *Entry) *[]string { return &e.YieldsTo })
	g.spread(r.SameCause, func(e *Entry) *[]string { return &e.SameCause })
	for _, i := range r.Independent {
		for _, pattern := range i.These {
			g.matching(pattern)
		}
		if len(i.These) < 2 || !strings.HasSuffix(i.Because, ".") {
			g.problem("independent: %v want company and a sentence that says why", i.These)
		}
	}
	if len(g.problems) == 0 {
		g.close()
	}
	return r.Independent, errors.Join(g.problems...)
}

// graph is the entries by what they rest on.
type graph struct {
	entries  []Entry
	at       map[string]int
	problems []error
}

func (g *graph) problem(format string, args ...any) {
	g.problems = append(g.problems, fmt.Errorf(restsFile+": "+format, args...))
}

// matching returns the places of the entries that a pattern names: an id, or one with * in it.
func (g *graph) matching(pattern string) []int {
	var found []int
	for i, e := range g.entries {
		if Glob(pattern, e.ID) {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		g.problem("%q names no requirement", pattern)
	}
	return found
}

// spread writes one of the two relations into the entries.
func (g *graph) spread(relation map[string][]string, field func(*Entry) *[]string) {
	for _, pattern := range slices.Sorted(maps.Keys(relation)) {
		for _, i := range g.matching(pattern) {
			for _, base := range relation[pattern] {
				at, known := g.at[base]
				switch list := field(&g.entries[i]); {
				case !known:
					g.problem("%s rests on %q, which is no requirement", pattern, base)
				case at == i || g.entries[at].Era != g.entries[i].Era:
				case !slices.Contains(*list, base):
					*list = append(*list, base)
				}
			}
		}
	}
}

// close follows what yields to what to its end, and refuses what goes round in a circle. The most basic comes first.
func (g *graph) close() {
	const busy, done = 1, 2
	state := make([]int, len(g.entries))
	var visit func(i int, path []string)
	visit = func(i int, path []string) {
		e := &g.entries[i]
		path = append(path, e.ID)
		switch state[i] {
		case busy:
			g.problem("in a circle: %s", strings.Join(path, " -> "))
			return
		case done:
			return
		}
		state[i] = busy
		for _, base := range slices.Concat(e.RestsOn, e.SameCause) {
			visit(g.at[base], path)
		}
		var all []string
		for _, base := range e.YieldsTo {
			visit(g.at[base], path)
			for _, id := range append(slices.Clone(g.entries[g.at[base]].YieldsTo), base) {
				if !slices.Contains(all, id) {
					all = append(all, id)
				}
			}
		}
		e.YieldsTo = all
		state[i] = done
	}
	for i := range g.entries {
		visit(i, nil)
	}
}

// Independent tells that the same bytes may break both requirements for causes of their own.
func (c *Catalogue) Independent(a, b string) bool {
	apart := func(i Independence) bool {
		for at, one := range i.These {
			for other := range i.These {
				if at != other && Glob(one, a) && Glob(i.These[other], b) {
					return true
				}
			}
		}
		return false
	}
	return slices.ContainsFunc(c.independent, apart)
}

// Glob matches * against any run of characters, dots included: "session.*" means the whole area.
func Glob(pattern, id string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == id
	}
	if !strings.HasPrefix(id, parts[0]) {
		return false
	}
	id = id[len(parts[0]):]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(id, p)
		if i < 0 {
			return false
		}
		id = id[i+len(p):]
	}
	return strings.HasSuffix(id, parts[len(parts)-1])
}
