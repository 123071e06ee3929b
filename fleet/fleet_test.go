package fleet

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpcheck/mcpcheck/report"
)

// TestRun: all are checked, in their order, and never more than so many at a time; all places are used.
func TestRun(t *testing.T) {
	var under, checked atomic.Int64
	var both sync.WaitGroup
	both.Add(2)
	begun := Run(t.Context(), 20, 2, func(_ context.Context, i int) {
		if under.Add(1) > 2 {
			t.Error("three at a time")
		}
		if i < 2 {
			// The first two wait for each other: they are under way together.
			both.Done()
			both.Wait()
		}
		checked.Add(1)
		under.Add(-1)
	})
	if begun != 20 || checked.Load() != 20 {
		t.Errorf("%d begun, %d checked", begun, checked.Load())
	}
}

// TestRunEnds: after the context nothing begins, and what was begun is waited for.
func TestRunEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := 0
	begun := Run(ctx, 5, 1, func(ctx context.Context, i int) {
		if i == 1 {
			cancel()
		}
		ended++
	})
	if begun != 2 || ended != 2 {
		t.Errorf("%d begun, %d ended", begun, ended)
	}
}

func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "results")
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	key := Key("http://a/?key=hunter2", "1")
	if key == Key("http://a/?key=hunter2 1") || key != Key("http://a/?key=hunter2", "1") {
		t.Error("a key is not that of its parts")
	}
	if _, err := s.Get(key, true); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing was kept, and got %v", err)
	}
	r := report.Finish(report.Report{
		Target:  report.Target{URL: "http://a/", Eras: []string{}, Revisions: []string{}},
		Results: []report.Result{{ID: "session.x", Revision: "2025-06-18", Verdict: report.Fail, Level: "MUST", Message: "no", Evidence: []report.Evidence{}}},
	})
	if err := s.Put(key, r, false, report.JSONOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(key, true); err == nil {
		t.Error("a part passes for the whole")
	}
	if err := s.Put(key, r, true, report.JSONOptions{}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Get(key, true)
	if err != nil || !cmp.Equal(got, r) {
		t.Errorf("%v\n%s", err, cmp.Diff(r, got))
	}
	if err := os.Truncate(s.path(key, true), 100); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(key, true); err == nil {
		t.Error("half a report passes for one")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error("the folder of the user is gone")
	}
	temporary, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	if err := temporary.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(temporary.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the temporary folder is still there")
	}
}
