package watch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// hang is when a test gives up; it decides nothing else.
const hang = 2 * time.Minute

// TestFiles: what an author does to files is told by their paths, and what nobody writes by hand is not.
func TestFiles(t *testing.T) {
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	in := func(path string) string { return filepath.Join(folder, filepath.FromSlash(path)) }
	for _, path := range []string{"src/server.js", "src/other.js", "node_modules/x/index.js", "target/CACHEDIR.TAG", "target/out.rs", "single/one.txt", "single/two.txt", "reports/r.html"} {
		write(in(path), "1")
	}
	files, err := New([]string{in("src"), in("target"), in("node_modules"), in("."), in("single/one.txt")}, func(path string) bool { return path == in("reports") })
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	for _, test := range []struct {
		name string
		do   func()
		want []string
	}{
		{"written", func() { write(in("src/server.js"), "2") }, []string{"src/server.js"}},
		{"put in its place, as editors do", func() {
			write(in("src/.server.js.swp"), "3")
			if err := os.Rename(in("src/.server.js.swp"), in("src/server.js")); err != nil {
				t.Fatal(err)
			}
		}, []string{"src/server.js"}},
		{"removed", func() { os.Remove(in("src/other.js")) }, []string{"src/other.js"}},
		{"in a new folder", func() { write(in("src/a/b/c.js"), "1") }, []string{"src/a/b/c.js"}},
		{"in a folder that was new", func() { write(in("src/a/b/c.js"), "2") }, []string{"src/a/b/c.js"}},
		{"what is left out comes with nothing", func() {
			for _, path := range []string{"reports/r.html", "src/a.log", "src/.git/index", "src/node_modules/y.js", "src/server.js~", "src/data.db-wal"} {
				write(in(path), "x")
			}
			write(in("src/last.js"), "1")
		}, []string{"src/last.js"}},
	} {
		test.do()
		var got []string
		for !slices.ContainsFunc(test.want, func(want string) bool { return slices.Contains(got, want) }) {
			select {
			case paths := <-files.Changes:
				for _, path := range paths {
					rel, err := filepath.Rel(folder, path)
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, filepath.ToSlash(rel))
				}
			case <-time.After(hang):
				t.Fatalf("%s: nothing was told", test.name)
			}
		}
		for _, path := range got {
			if !slices.Contains(test.want, path) {
				t.Errorf("%s: %s was told, too", test.name, path)
			}
		}
	}
}

// TestFileAlone: of a file that is named, its neighbours are nothing.
func TestFileAlone(t *testing.T) {
	folder := t.TempDir()
	one, two := filepath.Join(folder, "one.log"), filepath.Join(folder, "two.txt")
	for _, path := range []string{one, two} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := New([]string{one}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	for _, path := range []string{two, one} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case got := <-files.Changes:
		if !slices.Equal(got, []string{one}) {
			t.Errorf("got %q", got)
		}
	case <-time.After(hang):
		t.Fatal("nothing was told")
	}
}

// TestNothingToWatch: a root that is not there is a mistake, and says which.
func TestNothingToWatch(t *testing.T) {
	if _, err := New([]string{filepath.Join(t.TempDir(), "nowhere")}, nil); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("got %v", err)
	}
}

// TestGather: changes are told once they have come to rest, together; who does not take them finds them later; what never rests is not
// put off for ever.
func TestGather(t *testing.T) {
	start := func() (in chan string, out chan []string) {
		in, out = make(chan string), make(chan []string)
		go gather(in, out)
		return in, out
	}
	t.Run("together", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			in, out := start()
			begun := time.Now()
			in <- "b"
			time.Sleep(quiet / 2)
			in <- "a"
			in <- "b"
			if got := <-out; !slices.Equal(got, []string{"a", "b"}) || time.Since(begun) != quiet/2+quiet {
				t.Errorf("%q after %v", got, time.Since(begun))
			}
			close(in)
			if _, open := <-out; open {
				t.Error("there was more")
			}
		})
	})
	t.Run("taken late", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			in, out := start()
			in <- "a"
			time.Sleep(time.Hour)
			in <- "b"
			time.Sleep(time.Hour)
			if got := <-out; !slices.Equal(got, []string{"a", "b"}) {
				t.Errorf("%q", got)
			}
			close(in)
		})
	})
	t.Run("never at rest", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			in, out := start()
			begun := time.Now()
			for {
				select {
				case in <- "log.txt":
					time.Sleep(quiet / 3)
				case <-out:
					if d := time.Since(begun); d > longest+quiet {
						t.Errorf("told after %v", d)
					}
					close(in)
					return
				}
			}
		})
	})
}

// TestDisturbances: what changes in each run is noise, what an author changes now and then is not.
func TestDisturbances(t *testing.T) {
	var d Disturbances
	for i, run := range []struct {
		changed, counts []string
		noise           []string
	}{
		{[]string{"data.json", "server.js"}, []string{"data.json", "server.js"}, nil},
		{[]string{"data.json"}, []string{"data.json"}, nil},
		{[]string{"data.json", "server.js"}, []string{"data.json", "server.js"}, []string{"data.json"}},
		{[]string{"data.json", "server.js"}, []string{"server.js"}, nil},
		{nil, nil, nil},
		{[]string{"data.json", "server.js"}, []string{"server.js"}, nil},
	} {
		if got := d.Counts(run.changed); !slices.Equal(got, run.counts) {
			t.Errorf("run %d: %q count", i, got)
		}
		if got := d.Ran(run.changed); !slices.Equal(got, run.noise) {
			t.Errorf("run %d: %q is noise", i, got)
		}
	}
}

// TestWoke: a file that asks for a run at once after each is nobody's; one that an author saves now and then stays.
func TestWoke(t *testing.T) {
	var d Disturbances
	for i := range 2 * deafFrom {
		after := time.Second
		paths := []string{"app.txt"}
		if i%3 == 0 {
			paths = append(paths, "server.js")
		}
		noise := d.Woke(paths, after)
		if want := i == deafFrom-1; want != slices.Equal(noise, []string{"app.txt"}) || !want && len(noise) > 0 {
			t.Errorf("time %d: %q", i, noise)
		}
	}
	if got := d.Authored([]string{"app.txt", "server.js"}); !slices.Equal(got, []string{"server.js"}) {
		t.Errorf("%q are left", got)
	}
	if got := d.Counts([]string{"app.txt"}); len(got) > 0 {
		t.Errorf("%q counts in a run", got)
	}
	for range 2 * deafFrom {
		if noise := d.Woke([]string{"slow.js"}, time.Minute); len(noise) > 0 {
			t.Errorf("an author who takes a minute is noise: %q", noise)
		}
	}
}
