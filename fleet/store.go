package fleet

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mcpcheck/mcpcheck/report"
)

// A Store keeps the reports of a fleet in a folder, one file each.
type Store struct {
	dir       string
	temporary bool
}

// Open makes the folder where it is not there; "" is a temporary one, which Close removes.
func Open(dir string) (*Store, error) {
	if dir != "" {
		return &Store{dir: dir}, os.MkdirAll(dir, 0o755)
	}
	dir, err := os.MkdirTemp("", "mcpcheck-fleet-*")
	return &Store{dir: dir, temporary: true}, err
}

// Close removes a temporary folder.
func (s *Store) Close() error {
	if !s.temporary {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// Key names what was checked and how: the same parts have the same report. They are not in it as text, since a URL may hold a secret.
func Key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s\n", len(p), p)
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:24]
}

// path is where a report lies. One that has no end is kept apart: what it tells of is checked again.
func (s *Store) path(key string, whole bool) string {
	if whole {
		return filepath.Join(s.dir, key+".json")
	}
	return filepath.Join(s.dir, key+".part.json")
}

// Put keeps a report. A file is there only once it is complete.
func (s *Store) Put(key string, r report.Report, whole bool, o report.JSONOptions) (err error) {
	f, err := os.CreateTemp(s.dir, ".report-*")
	if err != nil {
		return fmt.Errorf("keeping a report: %w", err)
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err := errors.Join(report.RenderJSON(f, r, o), f.Close()); err != nil {
		return fmt.Errorf("keeping a report: %w", err)
	}
	if err := os.Rename(f.Name(), s.path(key, whole)); err != nil {
		return fmt.Errorf("keeping a report: %w", err)
	}
	return nil
}

// Get reads a report that was kept. One that is not there, or is damaged, is an error.
func (s *Store) Get(key string, whole bool) (report.Report, error) {
	f, err := os.Open(s.path(key, whole))
	if err != nil {
		return report.Report{}, err
	}
	defer f.Close()
	r, err := report.ReadJSON(io.Reader(f))
	if err != nil {
		return report.Report{}, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return r, nil
}
