// Command packaging makes what other installers take of the binaries that goreleaser has built: packages for npm and PyPI, a formula for
// Homebrew, an image from scratch. It wants no network, no daemon and nothing installed, and the same binaries give the same bytes.
//
//	packaging FOLDER    where goreleaser has left its artifacts
package main

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

//go:embed files
var files embed.FS

// packageName is what the packages are called on npm and PyPI, where others have packages and commands called mcpcheck. It is also a second
// name of the command, which nobody else has.
const packageName = "mcpcheck-http"

const (
	summary  = "Checks MCP servers over HTTP against the specification, clause by clause"
	homepage = "https://github.com/mcpcheck/mcpcheck"
)

// A release is what goreleaser has made.
type release struct {
	folder   string
	version  string // without v
	made     time.Time
	binaries []binary
	archives []archive
}

// A binary is one for one system.
type binary struct{ path, os, arch string }

// name of the program's file.
func (b binary) name() string {
	if b.os == "windows" {
		return "mcpcheck.exe"
	}
	return "mcpcheck"
}

// An archive is what users download.
type archive struct{ name, os, arch, sha256 string }

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: packaging FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	r, err := read(folder)
	if err != nil {
		return err
	}
	return errors.Join(npm(r), pypi(r), homebrew(r), image(r))
}

// read reads what goreleaser tells of its artifacts. Their paths are relative to the folder that it ran in, which has dist/release in it.
func read(folder string) (*release, error) {
	r := &release{folder: folder}
	var metadata struct {
		Version string
		Date    time.Time
	}
	var artifacts []struct {
		Name, Path, Goos, Goarch, Type string
	}
	for name, into := range map[string]any{"metadata.json": &metadata, "artifacts.json": &artifacts} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			return nil, fmt.Errorf("reading what goreleaser made: %w", err)
		}
	}
	r.version = metadata.Version
	for _, a := range artifacts {
		switch a.Type {
		case "Binary":
			path := filepath.Join(folder, filepath.Base(filepath.Dir(a.Path)), filepath.Base(a.Path))
			info, err := os.Stat(path)
			if err != nil {
				return nil, fmt.Errorf("reading what goreleaser made: %w", err)
			}
			// The time of the commit, which goreleaser gives to binaries.
			r.made = info.ModTime().UTC()
			r.binaries = append(r.binaries, binary{path, a.Goos, a.Goarch})
		case "Archive":
			content, err := os.ReadFile(filepath.Join(folder, a.Name))
			if err != nil {
				return nil, fmt.Errorf("reading what goreleaser made: %w", err)
			}
			r.archives = append(r.archives, archive{a.Name, a.Goos, a.Goarch, fmt.Sprintf("%x", sha256.Sum256(content))})
		}
	}
	// goreleaser lists what it made in the order in which builds ended; the same release gives the same packages.
	slices.SortFunc(r.binaries, func(a, b binary) int { return cmp.Compare(a.path, b.path) })
	slices.SortFunc(r.archives, func(a, b archive) int { return cmp.Compare(a.name, b.name) })
	if len(r.binaries) == 0 || len(r.archives) == 0 {
		return nil, fmt.Errorf("goreleaser has left %d binaries and %d archives in %s", len(r.binaries), len(r.archives), folder)
	}
	return r, nil
}

// output makes an empty folder for what one installer takes.
func (r *release) output(name string) (string, error) {
	path := filepath.Join(r.folder, name)
	if err := errors.Join(os.RemoveAll(path), os.MkdirAll(path, 0o755)); err != nil {
		return "", fmt.Errorf("making %s: %w", path, err)
	}
	return path, nil
}

// text is one of the embedded files, with words replaced.
func text(name string, replace ...string) string {
	content, err := files.ReadFile("files/" + name)
	if err != nil {
		panic(err) // embedded when this was compiled
	}
	return strings.NewReplacer(replace...).Replace(string(content))
}
