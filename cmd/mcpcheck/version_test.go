package main

import (
	"runtime/debug"
	"testing"
)

// TestBuild: what a binary knows of itself, by the way in which it was built.
func TestBuild(t *testing.T) {
	module := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: version}, Settings: settings}
	}
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123abc"}
	date := debug.BuildSetting{Key: "vcs.time", Value: "2026-11-01T12:00:00Z"}
	clean, dirty := debug.BuildSetting{Key: "vcs.modified", Value: "false"}, debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, test := range []struct {
		name    string
		info    *debug.BuildInfo
		release build
		want    build
	}{
		{"go install MODULE@VERSION", module("v1.2.3"), build{}, build{"v1.2.3", "", "", "go1.26.0"}},
		{"go build in a checkout", module("v1.2.4-0.20261101120000-0123abc", commit, date, clean), build{},
			build{"v1.2.4-0.20261101120000-0123abc", "0123abc", "2026-11-01T12:00:00Z", "go1.26.0"}},
		{"go build with changes", module("v1.2.3+dirty", dirty, commit, date), build{},
			build{"v1.2.3+dirty", "0123abc-dirty", "2026-11-01T12:00:00Z", "go1.26.0"}},
		{"go build without git", module("(devel)"), build{}, build{"dev", "", "", "go1.26.0"}},
		{"a test binary", module(""), build{}, build{"dev", "", "", "go1.26.0"}},
		{"a release", module("v0.0.0-1", commit, date, dirty), build{version: "v1.2.3", commit: "456def", date: "2026-11-02T12:00:00Z"},
			build{"v1.2.3", "456def", "2026-11-02T12:00:00Z", "go1.26.0"}},
		{"no build information", &debug.BuildInfo{}, build{}, build{"dev", "", "", ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := buildOf(test.info, test.release); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}
