package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

const (
	// authorities is where Debian's package ca-certificates has Mozilla's, one a file. The bundle of this machine is not taken: it may
	// hold authorities of a company.
	authorities = "/usr/share/ca-certificates/mozilla"
	// nobody is a user without a name, a home and any right.
	nobody = "65532:65532"
)

// image writes an OCI archive of an image from scratch for each Linux: the program, Debian's authorities, a folder for temporary files, and
// nothing else. podman load, docker load and skopeo take it.
func image(r *release) error {
	folder, err := r.output("image")
	if err != nil {
		return err
	}
	if err := r.ociArchive(filepath.Join(folder, "mcpcheck.oci.tar")); err != nil {
		return fmt.Errorf("making the image: %w", err)
	}
	return nil
}

func (r *release) ociArchive(path string) error {
	bundle, err := debianBundle()
	if err != nil {
		return err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, b := range r.binaries {
		if b.os != "linux" {
			continue
		}
		img, err := r.imageOf(b, bundle)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: img, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: b.os, Architecture: b.arch}},
		}).(v1.ImageIndex)
	}
	scratch, err := os.MkdirTemp("", "mcpcheck-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	top, err := layout.Write(scratch, empty.Index)
	if err != nil {
		return err
	}
	named := map[string]string{"org.opencontainers.image.ref.name": "v" + r.version, "io.containerd.image.name": "docker.io/mcpcheck/mcpcheck:v" + r.version}
	if err := top.AppendIndex(index, layout.WithAnnotations(named)); err != nil {
		return err
	}
	return r.tarred(path, scratch)
}

func (r *release) imageOf(b binary, bundle []byte) (v1.Image, error) {
	program, err := os.ReadFile(b.path)
	if err != nil {
		return nil, err
	}
	var content bytes.Buffer
	t := tar.NewWriter(&content)
	for _, e := range []tar.Header{
		{Name: "etc/", Typeflag: tar.TypeDir, Mode: 0o755}, {Name: "etc/ssl/", Typeflag: tar.TypeDir, Mode: 0o755},
		{Name: "etc/ssl/certs/", Typeflag: tar.TypeDir, Mode: 0o755},
		{Name: "etc/ssl/certs/ca-certificates.crt", Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(bundle))},
		{Name: "tmp/", Typeflag: tar.TypeDir, Mode: 0o1777}, {Name: "work/", Typeflag: tar.TypeDir, Mode: 0o1777},
		{Name: "mcpcheck", Typeflag: tar.TypeReg, Mode: 0o755, Size: int64(len(program))},
	} {
		e.ModTime, e.Format = r.made, tar.FormatPAX
		if err := t.WriteHeader(&e); err != nil {
			return nil, err
		}
		switch {
		case e.Name == "mcpcheck":
			_, err = t.Write(program)
		case e.Typeflag == tar.TypeReg:
			_, err = t.Write(bundle)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	img, err := mutate.AppendLayers(mutate.MediaType(mutate.ConfigMediaType(empty.Image, types.OCIConfigJSON), types.OCIManifestSchema1), layer)
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(img, &v1.ConfigFile{
		OS: b.os, Architecture: b.arch, Created: v1.Time{Time: r.made},
		RootFS:  must(img.ConfigFile()).RootFS,
		History: []v1.History{{Created: v1.Time{Time: r.made}, CreatedBy: "mcpcheck packaging"}},
		Config: v1.Config{
			User: nobody, Entrypoint: []string{"/mcpcheck"}, WorkingDir: "/work", Env: []string{"PATH=/"},
			Labels: map[string]string{
				"org.opencontainers.image.title": "mcpcheck", "org.opencontainers.image.description": summary, "org.opencontainers.image.source": homepage,
				"org.opencontainers.image.version": "v" + r.version, "org.opencontainers.image.licenses": "MIT",
			},
		},
	})
}

func must(c *v1.ConfigFile, err error) *v1.ConfigFile {
	if err != nil {
		panic(err) // of an image that is in memory
	}
	return c
}

// debianBundle puts Debian's authorities into one file, as update-ca-certificates does.
func debianBundle() ([]byte, error) {
	names, err := filepath.Glob(filepath.Join(authorities, "*.crt"))
	if err != nil || len(names) == 0 {
		return nil, errors.New("no authorities in " + authorities + ": install Debian's package ca-certificates")
	}
	slices.Sort(names)
	var bundle bytes.Buffer
	for _, name := range names {
		pem, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		bundle.WriteString(strings.TrimRight(string(pem), "\n") + "\n")
	}
	return bundle.Bytes(), nil
}

// tarred writes a folder as a tar, its files in order and of one time.
func (r *release) tarred(path, folder string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	t := tar.NewWriter(f)
	err = filepath.Walk(folder, func(name string, info os.FileInfo, err error) error {
		if err != nil || name == folder {
			return err
		}
		rel, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		header := &tar.Header{Name: filepath.ToSlash(rel), Mode: 0o644, Size: info.Size(), ModTime: r.made, Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if info.IsDir() {
			header.Name, header.Mode, header.Size, header.Typeflag = header.Name+"/", 0o755, 0, tar.TypeDir
		}
		if err := t.WriteHeader(header); err != nil || info.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		_, err = t.Write(content)
		return err
	})
	return errors.Join(err, t.Close(), f.Close())
}
