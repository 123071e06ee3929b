package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/config"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
)

// configuration reads the file that --config names, or the one that lies in this folder or above it; an empty one where there is none.
func (c *command) configuration(o *options) (*config.Config, error) {
	path := o.config
	switch {
	case o.noConfig && path != "":
		return nil, usagef("leave out one of the two", "--config and --no-config")
	case o.noConfig && !isConfiguration(o.targets):
		return &config.Config{}, nil
	case isConfiguration(o.targets) && path != "":
		return nil, usagef("leave out one of the two", "--config and a --targets file that is a configuration itself")
	case isConfiguration(o.targets):
		path = o.targets
	case path == "":
		here, err := os.Getwd()
		if err != nil {
			return &config.Config{}, nil // a folder that is gone has none, and what it would hold cannot be said
		}
		if path, err = config.Find(here); err != nil {
			return nil, usagef("--no-config leaves it out", "looking for %s: %w", config.Names[0], err)
		} else if path == "" {
			return &config.Config{}, nil
		}
		if !o.quiet {
			fmt.Fprintf(c.stderr, "configuration: %s\n", report.Visible(nearer(here, path)))
		}
		path = nearer(here, path)
	}
	read, err := config.Read(path)
	if err != nil {
		return nil, configMistake(err)
	}
	if path == o.targets && len(read.Targets) == 0 {
		return nil, usagef("write targets: and below it - url: …", "%s names no targets", path)
	}
	return read, nil
}

// maxTargets bounds a list of URLs.
const maxTargets = 4 << 20

// readInput reads a file, or standard input where the path is -.
func (c *command) readInput(path string) ([]byte, error) {
	in := c.stdin
	if path != standardOutput {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxTargets+1))
	if err == nil && len(text) > maxTargets {
		err = fmt.Errorf("%s is larger than %d MiB", path, maxTargets>>20)
	}
	return text, err
}

// shown is a URL without what may be a key in it.
func shown(raw string) string { return suites.Shown(raw) }

// nearer is a path as seen from a folder, where it lies in it.
func nearer(here, path string) string {
	if rel, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// configMistake is what is wrong with a file as the user's mistake, with the word that was perhaps meant.
func configMistake(err error) error {
	hint := "mcpcheck init URL writes one that is right; mcpcheck schema config is the schema for editors"
	var wrong *config.Error
	if errors.As(err, &wrong) && wrong.Unknown != "" {
		if closest := catalogue.Closest(wrong.Unknown, wrong.Known); len(closest) > 0 {
			return usagef("did you mean "+closest[0]+"?", "%w", err)
		}
		hint = "choose from " + strings.Join(wrong.Known, ", ")
	}
	return usagef(hint, "%w", err)
}

// apply sets the flags that neither the arguments nor the environment did. Headers are kept apart, since they add up.
func apply(flags *pflag.FlagSet, o *options, path string, settings []config.Setting) error {
	var given []string // flags that come before what a file says
	flags.Visit(func(f *pflag.Flag) { given = append(given, f.Name) })
	for _, s := range settings {
		if s.Flag == "header" {
			o.configured = append(o.configured, s.Values...)
			continue
		}
		if flags.Lookup(s.Flag) == nil || slices.Contains(given, s.Flag) {
			continue
		}
		for _, v := range s.Values {
			if err := flags.Set(s.Flag, v); err != nil {
				return configMistake(&config.Error{Path: path, Line: s.Line, Err: fmt.Errorf("%s: %w", s.Key, err)})
			}
		}
	}
	return nil
}

// chosen are the targets of a run: those of the command line, with what the configuration says of the same URLs; or else those of
// --targets or of the configuration, as far as --target and --group choose them. None means the bundled server.
func (c *command) chosen(o *options, cfg *config.Config, urls []string) ([]config.Target, error) {
	listed := cfg.Targets
	if o.targets != "" && !isConfiguration(o.targets) {
		if len(urls) > 0 {
			return nil, usagef("put all of them into the file, or name all as arguments", "servers both as arguments and in --targets")
		}
		var err error
		if listed, err = c.readTargets(o.targets); err != nil {
			return nil, err
		}
	}
	if len(urls) == 0 {
		if o.config != "" && len(listed)+len(o.pick)+len(o.groups) == 0 {
			// Who names a configuration means servers of theirs: the bundled one would make a green run of nothing.
			return nil, usagef("list targets in it, or give the URL of a server", "%s names no targets, and there is no URL", shown(o.config))
		}
		return pick(listed, o)
	}
	if len(o.pick)+len(o.groups) > 0 {
		return nil, usagef("leave out the URLs, or leave out --target and --group", "--target and --group choose from a configuration")
	}
	var all []config.Target
	for _, raw := range urls {
		if err := checkURL(raw); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(t config.Target) bool { return t.URL == raw }) {
			return nil, usagef("name it once", "a URL stands there twice: %s", shown(raw))
		}
		known := slices.DeleteFunc(slices.Clone(cfg.Targets), func(t config.Target) bool { return t.URL != raw })
		switch len(known) {
		case 0:
			all = append(all, config.Target{URL: raw})
		case 1:
			all = append(all, known[0])
		default:
			return nil, usagef("choose one with --target "+known[0].Name, "%s has %d targets with this URL", cfg.Path, len(known))
		}
	}
	return all, nil
}

// pick are the targets that --target and --group choose; all where neither is given.
func pick(all []config.Target, o *options) ([]config.Target, error) {
	var known, groups []string
	for _, t := range all {
		known, groups = append(known, t.Title()), append(groups, t.Group)
	}
	for _, choice := range []struct {
		flag          string
		wanted, known []string
	}{{"--target", o.pick, known}, {"--group", o.groups, groups}} {
		for _, w := range choice.wanted {
			if w != "" && slices.Contains(choice.known, w) {
				continue
			}
			hint := "the configuration names no such; see its targets"
			if closest := catalogue.Closest(w, choice.known); len(closest) > 0 {
				hint = "did you mean " + closest[0] + "?"
			}
			return nil, usagef(hint, "%s %s matches no target", choice.flag, shown(w))
		}
	}
	if len(o.pick)+len(o.groups) == 0 {
		return all, nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(t config.Target) bool {
		return !slices.Contains(o.pick, t.Title()) && (t.Group == "" || !slices.Contains(o.groups, t.Group))
	}), nil
}

// isConfiguration tells that a file of targets is a configuration itself, with all that this may say.
func isConfiguration(path string) bool {
	return strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".yml")
}

// readTargets reads --targets: a URL a line, where # begins a comment; - is standard input.
func (c *command) readTargets(path string) ([]config.Target, error) {
	text, err := c.readInput(path)
	if err != nil {
		return nil, usagef("--targets FILE holds a URL a line, or is a configuration that ends in .yaml", "reading the targets: %w", err)
	}
	var all []config.Target
	for i, line := range strings.Split(string(text), "\n") {
		raw, _, _ := strings.Cut(" "+line, " #")
		if raw = strings.TrimSpace(raw); raw == "" {
			continue
		}
		if err := checkURL(raw); err != nil {
			var mistake *usageError
			errors.As(err, &mistake)
			return nil, usagef(mistake.hint, "%s:%d: %w", path, i+1, err)
		}
		if n := slices.IndexFunc(all, func(t config.Target) bool { return t.URL == raw }); n >= 0 {
			return nil, usagef("name it once", "%s:%d: the URL stands in line %d already", path, i+1, all[n].Line)
		}
		all = append(all, config.Target{URL: raw, Line: i + 1})
	}
	if len(all) == 0 {
		return nil, usagef("write a URL on each line", "%s names no targets", path)
	}
	return all, nil
}

// wanted is the exit code of a run of which an outcome was expected: the one that its report has, 0 where it is as expected, and 1 where
// it is better. What is conformant but for a warning that counts keeps its code.
func wanted(r report.Report, expect string, code int) int {
	switch {
	case expect == "" || code == exitInterrupted || code == exitInternal || expect == "conformant":
		return code
	case asExpected(r, expect):
		return exitOK
	case code == exitOK:
		return exitFailed
	}
	return code
}

// asExpected tells whether a run came to the outcome that was expected of it. A part of the requirements has no outcome of its own.
func asExpected(r report.Report, expect string) bool {
	switch expect {
	case "", r.Outcome:
		return true
	case "conformant":
		return r.Outcome == "partial"
	case "not-conformant":
		return r.Outcome == "failed"
	}
	return false
}
