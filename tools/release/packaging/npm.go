package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// What node calls systems and processors.
var (
	nodeOS   = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	nodeArch = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

// A manifest is a package.json.
type manifest struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	Homepage     string            `json:"homepage"`
	Repository   map[string]string `json:"repository"`
	License      string            `json:"license"`
	Engines      map[string]string `json:"engines,omitempty"`
	Bin          map[string]string `json:"bin,omitempty"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	Files        []string          `json:"files"`
	Optional     map[string]string `json:"optionalDependencies,omitempty"`
	Preferential bool              `json:"preferUnplugged,omitempty"`
}

// npm makes one package that users name, which starts the binary, and one for each system that carries it; npm installs the one that fits.
func npm(r *release) error {
	folder, err := r.output("npm")
	if err != nil {
		return err
	}
	basic := func(name string, files ...string) manifest {
		return manifest{
			Name: name, Version: r.version, Description: summary, Homepage: homepage, License: "MIT", Files: files,
			Repository: map[string]string{"type": "git", "url": "git+" + homepage + ".git"},
		}
	}
	front := basic(packageName, "launch.js")
	front.Engines = map[string]string{"node": ">=18"}
	front.Bin = map[string]string{"mcpcheck": "launch.js", packageName: "launch.js"}
	front.Optional = map[string]string{}
	for _, b := range r.binaries {
		name := packageName + "-" + nodeOS[b.os] + "-" + nodeArch[b.arch]
		front.Optional[name] = r.version
		m := basic(name, "bin")
		m.Description += ": the program for " + b.os + " " + b.arch
		m.OS, m.CPU, m.Preferential = []string{nodeOS[b.os]}, []string{nodeArch[b.arch]}, true
		program, err := os.ReadFile(b.path)
		if err != nil {
			return fmt.Errorf("packaging for npm: %w", err)
		}
		if err := r.pack(folder, m, "bin/"+b.name(), program); err != nil {
			return err
		}
	}
	return r.pack(folder, front, "launch.js", []byte(text("launch.js")))
}

// pack writes a package as npm pack does: a folder called package, of which the program may be executed.
func (r *release) pack(folder string, m manifest, name string, program []byte) error {
	described, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("packaging for npm: %w", err)
	}
	f, err := os.Create(filepath.Join(folder, m.Name+"-"+m.Version+".tgz"))
	if err != nil {
		return fmt.Errorf("packaging for npm: %w", err)
	}
	zipped := gzip.NewWriter(f)
	t := tar.NewWriter(zipped)
	for _, file := range []struct {
		name    string
		mode    int64
		content []byte
	}{
		{"package.json", 0o644, append(described, '\n')},
		{"README.md", 0o644, []byte(text("README.md", "{{install}}", "npx "+packageName, "{{registry}}", "npm"))},
		{name, 0o755, program},
	} {
		header := &tar.Header{Name: "package/" + file.name, Mode: file.mode, Size: int64(len(file.content)), ModTime: r.made, Format: tar.FormatPAX}
		if err = t.WriteHeader(header); err == nil {
			_, err = t.Write(file.content)
		}
		if err != nil {
			break
		}
	}
	if err = errors.Join(err, t.Close(), zipped.Close(), f.Close()); err != nil {
		return fmt.Errorf("packaging for npm: %w", err)
	}
	return nil
}
