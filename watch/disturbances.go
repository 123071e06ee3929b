package watch

import (
	"slices"
	"time"
)

const (
	// noisyFrom is how many runs in a row a file has to disturb to be taken for one that the runs themselves change.
	noisyFrom = 3
	// deafFrom is how many runs in a row it has to cause, each at once after the one before, to be taken for one that nobody writes.
	deafFrom = 5
	// atOnce is sooner than somebody has read what the last run said.
	atOnce = 2 * time.Second
)

// Disturbances tell changes by an author from those that a check itself brings about: a server that writes a file whenever it is asked
// would be checked for ever. The zero value knows of none.
type Disturbances struct {
	inARow, woke map[string]int
	noisy, deaf  []string
}

// Woke takes note of what ended the waiting after a run, and how soon, and returns what is to be disregarded from now on.
func (d *Disturbances) Woke(paths []string, after time.Duration) (noise []string) {
	next := map[string]int{}
	for _, path := range paths {
		if after > atOnce || slices.Contains(d.deaf, path) {
			continue
		}
		if next[path] = d.woke[path] + 1; next[path] == deafFrom {
			noise = append(noise, path)
		}
	}
	d.woke, d.deaf = next, append(d.deaf, noise...)
	return noise
}

// Authored are the paths that are not to be disregarded.
func (d *Disturbances) Authored(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return slices.Contains(d.deaf, p) })
}

// Counts are the paths among those that changed while a run was under way which are no noise.
func (d *Disturbances) Counts(paths []string) []string {
	return slices.DeleteFunc(d.Authored(paths), func(p string) bool { return slices.Contains(d.noisy, p) })
}

// Ran takes note of what changed while one run was under way, and returns what is known to be noise from now on. Between runs it counts
// all the same.
func (d *Disturbances) Ran(changed []string) (noise []string) {
	next := map[string]int{}
	for _, path := range changed {
		if next[path] = d.inARow[path] + 1; next[path] == noisyFrom {
			noise = append(noise, path)
		}
	}
	d.inARow, d.noisy = next, append(d.noisy, noise...)
	return noise
}
