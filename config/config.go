// Package config reads mcpcheck.yaml: which servers there are, how each is checked and what is expected of it. It knows no flag set and
// no network: what a file says comes out as settings, which the command line applies beneath its own flags. Nothing here reads the
// environment, so that a header's $VARIABLE is still text.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Names are those that a configuration may have, the usual one first.
var Names = []string{"mcpcheck.yaml", "mcpcheck.yml"}

// maxBytes bounds a configuration file: one that is larger is something else.
const maxBytes = 4 << 20

// A Config is one file.
type Config struct {
	// Path is where it was read.
	Path string
	// Run are the settings of the run as a whole.
	Run []Setting
	// Defaults are those of every target, also of one that is named on the command line alone.
	Defaults []Setting
	// Targets are the servers, in the order of the file.
	Targets []Target
}

// A Target is one server.
type Target struct {
	URL, Name, Group string
	// Expect is the outcome that is wanted, "" where it is that nothing fails.
	Expect string
	// Settings are its own, without the defaults.
	Settings []Setting
	// Line is where it begins in the file.
	Line int
}

// Title is what people call a target: its name, or its URL where it has none.
func (t Target) Title() string {
	if t.Name != "" {
		return t.Name
	}
	return t.URL
}

// A Setting is a flag that a file sets. One that may be repeated has several values.
type Setting struct {
	Key, Flag string
	Values    []string
	Line      int
}

// An Error is what is wrong with a file, and where.
type Error struct {
	Path string
	Line int // 0 where it is the file as a whole
	Err  error
	// Unknown is a key or word that is not known, and Known are those that could stand in its place.
	Unknown string
	Known   []string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Path + ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Find looks for a configuration in a folder and in those above it. It is "" where there is none.
func Find(dir string) (string, error) {
	for {
		for _, name := range Names {
			path := filepath.Join(dir, name)
			info, err := os.Stat(path)
			switch {
			case err == nil && info.Mode().IsRegular():
				return path, nil
			case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
				return "", err
			}
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", nil
		}
		dir = above
	}
}

// Read reads a file. What is wrong with it is an *Error.
func Read(path string) (*Config, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxBytes {
		return nil, &Error{Path: path, Err: fmt.Errorf("the file has %d MiB, more than a configuration can have", info.Size()>>20)}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// Of are the settings of a target: its own, and the defaults that it does not override. Headers are told apart by their names.
func (c *Config) Of(t Target) []Setting { return merge(c.Defaults, t.Settings) }

func merge(defaults, own []Setting) []Setting {
	var all []Setting
	for _, d := range defaults {
		for _, s := range own {
			if s.Key != d.Key {
				continue
			}
			if d.Key != keyHeaders {
				d.Values = nil
				break
			}
			d.Values = withoutHeaders(d.Values, s.Values)
		}
		if len(d.Values) > 0 {
			all = append(all, d)
		}
	}
	return append(all, own...)
}

// withoutHeaders are those lines whose fields the others do not have.
func withoutHeaders(lines, others []string) []string {
	var left []string
	for _, line := range lines {
		overridden := false
		for _, other := range others {
			overridden = overridden || strings.EqualFold(HeaderName(line), HeaderName(other))
		}
		if !overridden {
			left = append(left, line)
		}
	}
	return left
}

// HeaderName is the name of the field that a line has.
func HeaderName(line string) string {
	name, _, _ := strings.Cut(line, ":")
	return strings.TrimSpace(name)
}
