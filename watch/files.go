// Package watch tells when files have changed. It knows nothing of servers and reports: what a change is good for is for the caller.
package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// quiet is how long nothing has to change before a change is told: an editor writes in several steps, a tool many files.
	quiet = 150 * time.Millisecond
	// longest is how long one that never comes to rest is put off.
	longest = 2 * time.Second
	// maxFolders bounds what is watched: systems allow so many, and a home folder is chosen by mistake.
	maxFolders = 20000
)

// Files tells which files change below some folders.
type Files struct {
	// Changes are the paths that changed, sorted, each time that they have come to rest.
	Changes <-chan []string

	watcher *fsnotify.Watcher
	ignored func(path string) bool
	folders int
	done    sync.WaitGroup
}

// New watches files, and folders with everything below them. What ignored names is left out, and what is below a folder that it names, in
// addition to what Usual leaves out.
func New(roots []string, ignored func(path string) bool) (*Files, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching files: %w", err)
	}
	f := &Files{watcher: watcher, ignored: ignored}
	named := map[string]bool{} // files that are roots themselves
	for _, root := range roots {
		info, err := os.Stat(root)
		switch {
		case err != nil:
		case info.IsDir():
			err = f.add(root, nil)
		default:
			// The folder is watched: editors put another file in the place of the one that was there.
			named[filepath.Clean(root)] = true
			err = watcher.Add(filepath.Dir(root))
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("watching %s: %w", root, err), watcher.Close())
		}
	}
	in, out := make(chan string), make(chan []string)
	f.Changes = out
	f.done.Go(func() { gather(in, out) })
	f.done.Go(func() {
		defer close(in)
		f.read(in, roots, named)
	})
	return f, nil
}

// Close ends the watching, and Changes.
func (f *Files) Close() error {
	err := f.watcher.Close()
	f.done.Wait()
	return err
}

// read turns events into paths.
func (f *Files) read(in chan<- string, roots []string, named map[string]bool) {
	below := func(path string) bool {
		return slices.ContainsFunc(roots, func(root string) bool {
			rel, err := filepath.Rel(root, path)
			return err == nil && filepath.IsLocal(rel) && !named[filepath.Clean(root)]
		})
	}
	for {
		select {
		case event, open := <-f.watcher.Events:
			if !open {
				return
			}
			path := filepath.Clean(event.Name)
			if event.Op == fsnotify.Chmod || !named[path] && (!below(path) || f.skips(path)) {
				continue
			}
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				// What is in a new folder already was too early for an event. A folder itself is no change.
				if event.Has(fsnotify.Create) {
					_ = f.add(path, func(file string) { in <- file }) // gone again, or too many: the others are watched all the same
				}
				continue
			}
			in <- path
		case _, open := <-f.watcher.Errors:
			// Events were lost, so anything may have changed.
			if !open {
				return
			}
			in <- roots[0]
		}
	}
}

// add watches a folder and all below it, and tells the files that are there.
func (f *Files) add(folder string, tell func(file string)) error {
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path != folder:
			return nil // what may not be read is not watched
		case err != nil:
			return err
		case path != folder && f.skips(path):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case d.IsDir():
			if path != folder && isCache(path) {
				return filepath.SkipDir
			}
			if f.folders++; f.folders > maxFolders {
				return fmt.Errorf("there are more than %d folders below it", maxFolders)
			}
			return f.watcher.Add(path)
		case tell != nil && d.Type().IsRegular():
			tell(path)
		}
		return nil
	})
}

func (f *Files) skips(path string) bool { return Usual(path) || f.ignored != nil && f.ignored(path) }

// Usual tells that a file or folder is none that somebody writes by hand: hidden, or what editors, interpreters and databases leave.
func Usual(path string) bool {
	name := filepath.Base(path)
	switch {
	case name == ".", name == "..":
		return false
	case strings.HasPrefix(name, "."), strings.HasSuffix(name, "~"), strings.HasPrefix(name, "#"):
		return true
	case slices.Contains([]string{"node_modules", "__pycache__", "4913"}, name): // the last is vim's, to try a folder
		return true
	}
	endings := []string{".swp", ".swx", ".tmp", ".log", ".pyc", ".pid", ".sock", ".db", ".sqlite", ".sqlite3", "-journal", "-wal", "-shm"}
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name, e) })
}

// isCache tells that a tool has marked a folder as one that it can make anew, as cargo, pytest and venv do.
func isCache(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "CACHEDIR.TAG"))
	return err == nil
}

// gather collects paths until they have come to rest, and as long as nobody takes them.
func gather(in <-chan string, out chan<- []string) {
	defer close(out)
	paths := map[string]bool{}
	var rest <-chan time.Time
	var ready chan<- []string
	var since time.Time
	for {
		select {
		case path, open := <-in:
			if !open {
				return
			}
			if len(paths) == 0 {
				since = time.Now()
			}
			paths[path] = true
			rest, ready = time.After(min(quiet, max(0, longest-time.Since(since)))), nil
		case <-rest:
			rest, ready = nil, out
		case ready <- slices.Sorted(maps.Keys(paths)):
			paths, ready = map[string]bool{}, nil
		}
	}
}
