package main

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/suites"
)

// TestProgress: the line comes at once, is no more restless than it has to be, names what is waited for after a second, fits the
// terminal, and is gone in the end.
func TestProgress(t *testing.T) {
	var out strings.Builder
	clock := time.Unix(0, 0)
	p := &progress{w: &out, width: 80, now: func() time.Time { return clock }}
	said := func() string {
		defer out.Reset()
		return strings.NewReplacer("\r", "<", "\x1b[K", "|").Replace(out.String())
	}
	for _, step := range []struct {
		name  string
		after time.Duration
		tell  suites.Progress
		want  string
	}{
		{"at once", 0, suites.Progress{Phase: "survey"}, "<survey ...|"},
		{"too soon", 20 * time.Millisecond, suites.Progress{Phase: "survey", Waiting: "initialize", Waited: time.Second}, ""},
		{"waiting less than a second", 100 * time.Millisecond, suites.Progress{Phase: "survey", Waiting: "initialize", Waited: 999 * time.Millisecond}, "<survey ...|"},
		{"waiting", 3 * time.Second, suites.Progress{Phase: "survey", Waiting: "initialize", Waited: 3900 * time.Millisecond}, "<survey ..., waiting 3 s for initialize|"},
		{"counting", time.Second, suites.Progress{Phase: "recording", Done: 7, Total: 300}, "<recording, 7 of 300 conversations|"},
		{
			"a long run", time.Second, suites.Progress{Phase: "recording", Done: 7, Total: 300, Left: 64 * time.Second},
			"<recording, 7 of 300 conversations, about 60 seconds to go|",
		},
		{
			"both", time.Second, suites.Progress{Phase: "confirming", Done: 7, Total: 8, Waiting: "tools/call", Waited: 12 * time.Second},
			"<confirming, 7 of 8 conversations, waiting 12 s for tools/call|",
		},
		{
			"no wider than the terminal", time.Second,
			suites.Progress{Phase: "confirming", Done: 7, Total: 8, Waiting: strings.Repeat("x", 80), Waited: 12 * time.Second},
			"<confirming, 7 of 8 conversations, waiting 12 s for " + strings.Repeat("x", 79-len("confirming, 7 of 8 conversations, waiting 12 s for ")) + "|",
		},
	} {
		clock = clock.Add(step.after)
		p.show(step.tell)
		if got := said(); got != step.want {
			t.Errorf("%s: wrote %q, want %q", step.name, got, step.want)
		}
	}
	p.clear()
	if got := said(); got != "<|" {
		t.Errorf("clear wrote %q", got)
	}
	clock = clock.Add(time.Hour)
	p.show(suites.Progress{Phase: "recording"})
	p.clear()
	if got := said(); got != "" {
		t.Errorf("wrote %q after the end", got)
	}
}

// TestProgressInAPipe: one line, where a run takes long, and none with -q.
func TestProgressInAPipe(t *testing.T) {
	var out strings.Builder
	c := &command{stderr: &out}
	if p := c.progress(&options{quiet: true}); p != nil || p.teller() != nil {
		t.Error("progress with -q")
	}
	p := c.progress(&options{})
	for _, left := range []time.Duration{0, 20 * time.Second, 250 * time.Second, 200 * time.Second} {
		p.show(suites.Progress{Phase: "recording", Done: 7, Total: 300, Left: left})
	}
	p.clear()
	if got, want := out.String(), "the server is slow, or limits requests: about 4 minutes to go\n"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}
