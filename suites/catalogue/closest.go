package catalogue

import (
	"cmp"
	"slices"
	"strings"
)

// suggestions is how many names a "did you mean" offers at most.
const suggestions = 3

// Closest returns up to three ids that the writer of an unknown one may have meant, best first.
func (c *Catalogue) Closest(id string) []string {
	ids := make([]string, len(c.entries))
	for i, e := range c.entries {
		ids[i] = e.ID
	}
	return Closest(id, ids)
}

// Closest returns up to three of the names that look like word, best first: for areas, revisions and flags. A name
// that ends with the word, or holds it as a whole part, is meant more likely than one that differs by a letter
// ("missing-400" is short for session.missing-400).
func Closest(word string, names []string) []string {
	word = strings.ToLower(strings.TrimSpace(word))
	if word == "" {
		return nil
	}
	type candidate struct {
		name string
		cost int
	}
	var found []candidate
	for _, name := range names {
		lower := strings.ToLower(name)
		cost := distance(word, lower)
		switch {
		case lower == word:
			cost = 0
		case strings.HasSuffix(lower, "."+word):
			cost = 1
		case strings.HasPrefix(lower, word+"."), strings.Contains(lower, "."+word+"."):
			cost = min(cost, 2)
		case cost > tolerance(word):
			continue
		}
		found = append(found, candidate{name, cost})
	}
	// Stable: among equals the order of the catalogue decides.
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	var best []string
	for _, f := range found[:min(suggestions, len(found))] {
		best = append(best, f.name)
	}
	return best
}

// tolerance is how many edits away a name may be and still be offered: two for short words, a third for long ones.
func tolerance(word string) int { return max(2, len(word)/3) }

// Misspelt returns the name that word is all but equal to, a letter away, or two in a long word; empty where it is one of the names, or like
// none. It may be said where word need not be a mistake.
func Misspelt(word string, names []string) string {
	if slices.Contains(names, word) {
		return ""
	}
	slips := 1
	if len(word) >= 8 {
		slips = 2
	}
	for _, name := range names {
		if distance(word, name) <= slips {
			return name
		}
	}
	return ""
}

// distance is the number of bytes to insert, delete, replace or swap with a neighbour to make b of a (Damerau, each
// place edited once). Ids are ASCII, so bytes do.
func distance(a, b string) int {
	// Three rows of the usual table: i-2, i-1 and i.
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
