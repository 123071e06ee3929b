// Command newcheck scaffolds the pieces of a check, for any era and party: the entry of the catalogue, or the title, why and remedy that
// it lacks; script and judgement; and a fault that turns it. It is run from the root of the repository, by make check-new ID=…; what it
// writes says TODO wherever thought is needed, and the tests fail until it was spent.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/eras"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: newcheck ID")
	}
	suite, err := suites.New(eras.Everything()...)
	if err != nil {
		return err
	}
	p, changed, err := scaffold(".", suite.Judged, args[0])
	if err != nil {
		return err
	}
	fmt.Fprint(out, p.advice(suite.Catalogue, changed))
	return nil
}

// scaffold writes the pieces below root and returns the files that it changed. The catalogue is that of the working tree, which may hold
// entries that no program was built with yet.
func scaffold(root string, judged func(id string) bool, id string) (p pieces, changed []string, err error) {
	requirements := os.DirFS(filepath.Join(root, "suites", "catalogue"))
	known, err := catalogue.Read(requirements)
	if err != nil {
		return p, nil, fmt.Errorf("reading the catalogue, which has to be in order first: %w", err)
	}
	e, ok := known.ByID(id)
	if !ok {
		if e, err = catalogue.Place(id); err != nil {
			return p, nil, similar(err, known.Closest(id))
		}
	}
	if reason, never := e.Untestable(); never {
		return p, nil, fmt.Errorf("%s cannot be judged: %s", id, reason)
	}
	if judged(id) {
		return p, nil, fmt.Errorf("%s is judged already", id)
	}
	p = newPieces(e, !ok, newestOf(known, e.Era))
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(p.checkFile()))); errors.Is(err, os.ErrNotExist) {
		p.Started = true
	}
	for _, step := range []struct {
		file  string
		apply func(pieces, []byte) ([]byte, error)
	}{
		{"suites/catalogue/" + e.File, describe},
		{p.checkFile(), check},
		{p.faultFile(), fault},
	} {
		written, err := rewrite(filepath.Join(root, filepath.FromSlash(step.file)), p, step.apply)
		if err != nil {
			return p, changed, fmt.Errorf("%s: %w", step.file, err)
		}
		if written {
			changed = append(changed, step.file)
		}
	}
	if _, err := catalogue.Read(requirements); err != nil {
		return p, changed, fmt.Errorf("what was written is no catalogue: %w", err)
	}
	return p, changed, nil
}

func similar(err error, closest []string) error {
	if len(closest) == 0 {
		return err
	}
	return fmt.Errorf("%w; ids like it: %s", err, strings.Join(closest, ", "))
}

// newestOf is the revision that a new requirement of the era is first written for.
func newestOf(c *catalogue.Catalogue, era string) string {
	newest := ""
	for _, r := range c.Revisions() {
		if of, known := revision.EraOf(r); known && of == era {
			newest = r
		}
	}
	return newest
}

// rewrite applies a step to a file, which need not exist yet, and tells whether that changed it.
func rewrite(path string, p pieces, apply func(pieces, []byte) ([]byte, error)) (bool, error) {
	before, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, err
	}
	after, err := apply(p, before)
	if err != nil || bytes.Equal(before, after) {
		return false, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	return true, os.WriteFile(path, after, 0o644)
}

// advice tells what was written and what comes next.
func (p pieces) advice(known *catalogue.Catalogue, changed []string) string {
	var b strings.Builder
	if p.New {
		fmt.Fprintf(&b, "%s is a new requirement, which binds the %s.\n", p.ID, p.Party)
		if closest := known.Closest(p.ID); len(closest) > 0 {
			fmt.Fprintf(&b, "Or did you mean %s? Then git restore what was changed.\n", strings.Join(closest, ", "))
		}
	}
	fmt.Fprintf(&b, "Look for TODO in:\n  %s\n", strings.Join(changed, "\n  "))
	if p.Started {
		fmt.Fprintf(&b, "%s is a new file: %s.\n", p.checkFile(), p.Registration())
	}
	fmt.Fprintf(&b, "Then: go test ./fixtures -run TestMatrix/%s/%s -update, and make docs quick.\n", p.group(), p.FaultID())
	return b.String()
}
