// Package catalogue is the list of requirements that mcpcheck knows: about every normative statement of the MCP
// specification that concerns the wire, in our own words, with its level in each revision and what a person needs to
// understand and mend a breach.
//
// The entries are embedded YAML, one file per area: legacy/session.yaml holds the ids session.*, modern/headers.yaml
// the ids modern.headers.* and modern.client.headers.*. The README beside the files defines the words their probes
// use. Here live the entries, their loader and its rules, and nothing that judges: which check belongs to an entry is
// known to the packages that hold the checks.
package catalogue

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
)

// The two parties that a requirement can bind.
const (
	Server = "server"
	Client = "client"
)

// An Entry is one requirement.
type Entry struct {
	// ID is stable, never reused, and says where everything about the requirement lies: session.missing-400 is in
	// the area session. It never names a revision.
	ID string
	// Party is whom the obligation binds, Server or Client; not who is asked.
	Party string
	// Area names the file that holds the entry. Both eras have areas of the same name.
	Area string
	// Era is revision.Legacy or revision.Modern.
	Era string
	// Levels has the level for each revision to which the requirement applies, and no others.
	Levels map[string]Level
	// Refs has, for the same revisions, the clause as page#anchor; see SpecURL.
	Refs map[string]string
	// Summary is the requirement in one sentence, precise enough to implement from.
	Summary string
	// Testable is yes, passive, with-capability (WHAT) or no (WHY); see Needs and Untestable.
	Testable string
	// Probe tells what to send and which outcome is which verdict.
	Probe string
	// Conflicts, often empty, tells where the sources disagree and which verdict is fair.
	Conflicts string

	// Title names the requirement in about six words, as a table would. Title, Why and Remedy come together or not at all.
	Title string
	// Why tells what breaks for a real client when the requirement is violated.
	Why string
	// Remedy tells the author of the server what to change.
	Remedy string
	// Kinds are the kinds of breach, by name, of which Why and Remedy are not true, and what is true of them instead.
	Kinds map[string]Kind
	// Reason is the sentence that users read in place of a verdict when nothing on the wire can judge the entry, or when nothing that
	// mcpcheck does shows it of a client. Of the former it is only needed where the WHY of Testable is no sentence; see Untestable.
	Reason string

	// Lent tells by revision whose level and clause stand in for it there, where a revision has none of its own; see Lend.
	Lent map[string]string

	// RestsOn are the requirements without which there is nothing to judge here: where one of them is broken, or was not seen, in a
	// revision. YieldsTo are those to which a finding belongs that shows the very bytes which break them, the most basic first; SameCause
	// those to which one belongs that comes of the same as theirs, in whatever bytes.
	RestsOn, YieldsTo, SameCause []string

	// File is where the entry is written, such as "legacy/session.yaml".
	File string
}

// A Kind is what is true of one kind of breach.
type Kind struct{ Why, Remedy string }

// Because returns why a kind of breach matters and what to do about it; "" is every kind that the entry says nothing of.
func (e Entry) Because(kind string) (why, remedy string) {
	if k, ok := e.Kinds[kind]; ok {
		return k.Why, k.Remedy
	}
	return e.Why, e.Remedy
}

// A Catalogue is the loaded list. It does not change after loading and may be used by any number of goroutines.
type Catalogue struct {
	entries []Entry
	index   map[string]int // id -> position in entries

	independent []Independence
}

// Load returns the embedded catalogue. It is parsed once per process, since everybody needs it and nobody can change it.
// An error names each offending file, line and id.
func Load() (*Catalogue, error) { return loadEmbedded() }

// Read returns the catalogue that a folder holds, which is laid out as the embedded one is: that of a working tree.
func Read(folder fs.FS) (*Catalogue, error) { return load(folder) }

var loadEmbedded = sync.OnceValues(func() (*Catalogue, error) { return load(embedded) })

// newCatalogue indexes entries whose ids are known to be unique.
func newCatalogue(entries []Entry) *Catalogue {
	c := &Catalogue{entries: entries, index: make(map[string]int, len(entries))}
	for i, e := range entries {
		c.index[e.ID] = i
	}
	return c
}

// Entries returns all entries in catalogue order: legacy before modern, the areas as the specification treats them,
// each area as it is written. The result belongs to the caller.
func (c *Catalogue) Entries() []Entry {
	list := make([]Entry, len(c.entries))
	for i, e := range c.entries {
		list[i] = e.clone()
	}
	return list
}

// ByID returns the entry with that id.
func (c *Catalogue) ByID(id string) (Entry, bool) {
	i, ok := c.index[id]
	if !ok {
		return Entry{}, false
	}
	return c.entries[i].clone(), true
}

// Len returns the number of entries.
func (c *Catalogue) Len() int { return len(c.entries) }

// Areas returns the names of all areas in catalogue order, each once even where both eras have it.
func (c *Catalogue) Areas() []string {
	var names []string
	for _, e := range c.entries {
		if !slices.Contains(names, e.Area) {
			names = append(names, e.Area)
		}
	}
	return names
}

// Revisions returns the revisions that entries speak of, oldest first.
func (c *Catalogue) Revisions() []string {
	seen := map[string]bool{}
	for _, e := range c.entries {
		for r := range e.Levels {
			seen[r] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// clone copies the maps, so that no caller can change what the next one reads.
func (e Entry) clone() Entry {
	e.Levels = maps.Clone(e.Levels)
	e.Refs = maps.Clone(e.Refs)
	e.Kinds = maps.Clone(e.Kinds)
	e.RestsOn, e.YieldsTo, e.SameCause = slices.Clone(e.RestsOn), slices.Clone(e.YieldsTo), slices.Clone(e.SameCause)
	return e
}

// Lend returns the entry as it is where a revision is judged by the rules of another one.
func (e Entry) Lend(to, from string) Entry {
	e = e.clone()
	e.Levels[to], e.Refs[to] = e.Levels[from], e.Refs[from]
	e.Lent = map[string]string{to: from}
	return e
}

// Room is the name of the folder that holds the check below suites, and its faults below fixtures/faults: the era where the
// requirement binds servers, "clients" where it binds clients.
func (e Entry) Room() string {
	if e.Party == Client {
		return "clients"
	}
	return e.Era
}

// Revisions returns the revisions to which the requirement applies, oldest first.
func (e Entry) Revisions() []string { return slices.Sorted(maps.Keys(e.Levels)) }

// SpecURL returns the address of the clause in that revision of the specification, or "" where the requirement does
// not apply.
func (e Entry) SpecURL(revision string) string {
	ref, ok := e.Refs[revision]
	if !ok {
		return ""
	}
	if from, lent := e.Lent[revision]; lent {
		revision = from
	}
	page, anchor, found := strings.Cut(ref, "#")
	// The pages that the sources call index.mdx are published under the name of their folder.
	page = strings.TrimSuffix(page, "/index")
	url := "https://modelcontextprotocol.io/specification/" + revision + "/" + page
	if found {
		url += "#" + anchor
	}
	return url
}
