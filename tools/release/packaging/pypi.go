package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// wheelTags say on which systems pip takes a wheel. The programs are static, so that any C library does; Go says from which macOS on.
var wheelTags = map[string]string{
	"linux/amd64":   "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	"linux/arm64":   "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	"darwin/amd64":  "macosx_12_0_x86_64",
	"darwin/arm64":  "macosx_12_0_arm64",
	"windows/amd64": "win_amd64",
	"windows/arm64": "win_arm64",
}

// pypi makes a wheel for each system. The program lies in the package and not among the scripts: there another project's mcpcheck would
// take its place, and the command that bears the name of the package would start that.
func pypi(r *release) error {
	folder, err := r.output("pypi")
	if err != nil {
		return err
	}
	for _, b := range r.binaries {
		program, err := os.ReadFile(b.path)
		if err == nil {
			err = r.wheel(folder, b, program)
		}
		if err != nil {
			return fmt.Errorf("packaging for PyPI: %w", err)
		}
	}
	return nil
}

func (r *release) wheel(folder string, b binary, program []byte) error {
	module, version, tag := strings.ReplaceAll(packageName, "-", "_"), pythonVersion(r.version), wheelTags[b.os+"/"+b.arch]
	if tag == "" {
		return fmt.Errorf("no wheel is known for %s/%s", b.os, b.arch)
	}
	f, err := os.Create(filepath.Join(folder, module+"-"+version+"-py3-none-"+tag+".whl"))
	if err != nil {
		return err
	}
	var tags strings.Builder
	for one := range strings.SplitSeq(tag, ".") {
		fmt.Fprintf(&tags, "Tag: py3-none-%s\n", one)
	}
	info := module + "-" + version + ".dist-info/"
	all := []struct {
		name, content string
		mode          os.FileMode
	}{
		{module + "/__init__.py", text("launch.py"), 0o644},
		{module + "/__main__.py", "import sys\n\nfrom . import main\n\nsys.exit(main())\n", 0o644},
		{module + "/bin/" + b.name(), string(program), 0o755},
		{info + "METADATA", "Metadata-Version: 2.1\nName: " + packageName + "\nVersion: " + version + "\nSummary: " + summary + "\nHome-page: " + homepage +
			"\nLicense: MIT\nRequires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n" +
			text("README.md", "{{install}}", "pipx run "+packageName, "{{registry}}", "PyPI"), 0o644},
		{info + "WHEEL", "Wheel-Version: 1.0\nGenerator: mcpcheck packaging\nRoot-Is-Purelib: false\n" + tags.String(), 0o644},
		{info + "entry_points.txt", "[console_scripts]\nmcpcheck = " + module + ":main\n" + packageName + " = " + module + ":main\n", 0o644},
	}
	z := zip.NewWriter(f)
	var record strings.Builder
	for _, file := range all {
		sum := sha256.Sum256([]byte(file.content))
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", file.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(file.content))
		if err = r.zipped(z, file.name, file.content, file.mode); err != nil {
			break
		}
	}
	if err == nil {
		err = r.zipped(z, info+"RECORD", record.String()+info+"RECORD,,\n", 0o644)
	}
	return errors.Join(err, z.Close(), f.Close())
}

func (r *release) zipped(z *zip.Writer, name, content string, mode os.FileMode) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: r.made}
	header.SetMode(mode)
	w, err := z.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, content)
	return err
}

var prerelease = regexp.MustCompile(`^([0-9.]+)-(alpha|beta|rc)\.?([0-9]+)$`)

// pythonVersion writes a version as Python has them. A snapshot is a development version, which no installer takes for a release.
func pythonVersion(v string) string {
	if m := prerelease.FindStringSubmatch(v); m != nil {
		return m[1] + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[m[2]] + m[3]
	}
	number, rest, other := strings.Cut(v, "-")
	if !other {
		return number
	}
	return number + ".dev0+" + strings.ToLower(regexp.MustCompile(`[^a-zA-Z0-9]+`).ReplaceAllString(rest, "."))
}
