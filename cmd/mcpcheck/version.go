package main

import (
	"runtime/debug"
	"strings"
)

// Set by the linker in a release (.goreleaser.yaml), which is built from a checkout and so has no module version of its own.
var releaseVersion, releaseCommit, releaseDate string

// A build is what this binary says of where it comes from. What is not known is empty, but for the version.
type build struct {
	version   string // of the release or of the module; "dev" where neither is known, as under go run
	commit    string // the whole hash, with "-dirty" behind it where the working tree had changes
	date      string // of the commit, RFC 3339
	goVersion string // go1.26.0
}

// thisBuild asks the linker's variables first, then what Go itself wrote into the binary: go install MODULE@VERSION leaves the
// version, go build in a checkout also the commit.
func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return buildOf(info, build{version: releaseVersion, commit: releaseCommit, date: releaseDate})
}

func buildOf(info *debug.BuildInfo, release build) build {
	b := build{version: "dev", goVersion: info.GoVersion}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		b.version = info.Main.Version
	}
	dirty := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.commit = s.Value
		case s.Key == "vcs.time":
			b.date = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		}
	}
	if b.commit != "" {
		b.commit += dirty
	}
	if release.version != "" {
		b.version, b.commit, b.date = release.version, release.commit, release.date
	}
	return b
}

// version is what reports, clientInfo and the User-Agent carry.
func version() string { return thisBuild().version }

// version is mcpcheck version, and mcpcheck --version.
func (c *command) version(args []string) error {
	flags := newFlags("mcpcheck version")
	colorFlags(flags, new(string))
	help, err := c.parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	case flags.NArg() > 0:
		return usagef("mcpcheck version prints the version", "version takes no arguments: %s", strings.Join(flags.Args(), " "))
	}
	return c.print("mcpcheck " + version() + "\n")
}
