package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/report"
)

//go:embed usage.txt
var usageText string

// options of the commands that check or judge.
type options struct {
	headers     []string
	revisions   []string
	only, skip  []string
	calls       []string
	outputs     []string
	transcript  string
	timeout     time.Duration
	window      time.Duration
	concurrency int
	insecure    bool
	caCert      string
	strict      bool
	color       string
	quiet       bool
	verbose     int
	version     bool
}

// checkFlags are the flags of a run.
func checkFlags(o *options) *pflag.FlagSet {
	f := newFlags("mcpcheck")
	f.StringArrayVarP(&o.headers, "header", "H", nil, "send this `'Name: value'` to the server; $NAME is taken from the\nenvironment, @FILE reads such lines from a file (repeatable)")
	f.StringArrayVar(&o.revisions, "revision", nil, "judge only this `revision` (repeatable; default: all that the server speaks)")
	f.StringArrayVar(&o.only, "only", nil, "judge only these: an `id`, an area, a level, or a pattern with * (repeatable)")
	f.StringArrayVar(&o.skip, "skip", nil, "leave these out: an `id`, an area, a level, or a pattern with * (repeatable)")
	f.DurationVar(&o.timeout, "timeout", 10*time.Second, "how long to wait for an answer")
	f.DurationVar(&o.window, "window", 300*time.Millisecond, "how long to watch a stream before \"nothing arrived\" means something")
	f.IntVar(&o.concurrency, "concurrency", 0, "requests in flight at a time (default 16 on this machine, 8 elsewhere)")
	f.BoolVar(&o.insecure, "insecure", false, "do not verify the server's TLS certificate")
	f.StringVar(&o.caCert, "ca-cert", "", "trust the certificate authorities in this PEM `file` too")
	f.StringVar(&o.transcript, "transcript", "", "record everything that was sent and received to this `file` (JSON Lines)")
	reportFlags(f, o)
	f.BoolVar(&o.version, "version", false, "print the version")
	return f
}

// reportFlags are the flags of every command that ends in a report.
func reportFlags(f *pflag.FlagSet, o *options) {
	var names []string
	for _, format := range report.Formats() {
		names = append(names, format.Name)
	}
	f.StringArrayVarP(&o.outputs, "output", "o", nil, "write a report: `FORMAT=PATH`, PATH - is standard output (repeatable);\nformats: "+strings.Join(names, ", "))
	f.BoolVar(&o.strict, "strict", false, "exit with 1 on warnings too")
	f.StringVar(&o.color, "color", "auto", "colour the report: `auto`, always or never")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "only failures and the summary, a line each")
	f.CountVarP(&o.verbose, "verbose", "v", "more: notes in full and the wire log of findings; -vv adds every verdict")
}

func newFlags(name string) *pflag.FlagSet {
	f := pflag.NewFlagSet(name, pflag.ContinueOnError)
	f.SortFlags = false
	f.Usage = func() {}
	f.SetOutput(io.Discard)
	return f
}

// parse reads arguments; a wrong flag is the user's mistake, and --help is not an error.
func parse(f *pflag.FlagSet, args []string) (help bool, err error) {
	err = f.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return true, nil
	case err != nil:
		return false, usagef("mcpcheck --help lists the flags", "%w", err)
	}
	return false, nil
}

func usage(f *pflag.FlagSet) string {
	return strings.Replace(usageText, "{{flags}}", f.FlagUsages(), 1)
}

// header reads the values of -H, so that no secret has to stand in argv: $NAME comes from the environment, @FILE holds lines.
func (c *command) header(values []string) (http.Header, error) {
	h := http.Header{}
	for _, v := range values {
		lines := []string{v}
		if path, ok := strings.CutPrefix(v, "@"); ok {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, usagef("-H @FILE reads header lines from a file", "reading headers: %w", err)
			}
			lines = strings.Split(string(text), "\n")
		}
		for _, line := range lines {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if err := c.addHeader(h, line); err != nil {
				return nil, err
			}
		}
	}
	return h, nil
}

func (c *command) addHeader(h http.Header, line string) error {
	name, value, ok := strings.Cut(line, ":")
	name = strings.TrimSpace(name)
	if !ok || name == "" || strings.ContainsAny(name, " \t\r\n\x00()<>@,;\\\"/[]?={}") {
		// The line may hold a secret, so the error does not repeat it.
		return usagef(`write it as -H 'Name: value'`, "a header is not of the form 'Name: value'")
	}
	var missing string
	value = os.Expand(strings.TrimSpace(value), func(variable string) string {
		v, ok := c.env(variable)
		if !ok {
			missing = variable
		}
		return v
	})
	if missing != "" {
		return usagef("export it, or write the value itself; a plain $ cannot stand in a header value",
			"header %s: the environment variable %s is not set", name, missing)
	}
	if strings.ContainsAny(value, "\r\n\x00") {
		return usagef("a header value is one line of text", "header %s: the value contains a line break or NUL", name)
	}
	h.Add(name, value)
	return nil
}

// output is a report that was asked for.
type output struct {
	format report.Format
	path   string
}

// parseOutputs reads the values of -o and makes sure that they can be written, before a run that would be lost.
func parseOutputs(values []string) ([]output, error) {
	var outputs []output
	stdout := 0
	for _, v := range values {
		name, path, ok := strings.Cut(v, "=")
		format, known := report.FormatByName(name)
		if !ok || !known || path == "" {
			var names []string
			for _, f := range report.Formats() {
				names = append(names, f.Name)
			}
			return nil, usagef("write it as -o FORMAT=PATH with FORMAT one of "+strings.Join(names, ", "), "output %q", v)
		}
		if path == "-" {
			stdout++
		} else if err := writable(path); err != nil {
			return nil, usagef("choose a path in a folder that exists and that you may write to", "output %q: %w", v, err)
		}
		outputs = append(outputs, output{format, path})
	}
	if stdout > 1 {
		return nil, usagef("give the others a path", "two reports cannot both go to standard output")
	}
	return outputs, nil
}

// writable tries whether a file can be put at path, without touching one that is there.
func writable(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder", path)
	}
	probe, err := createBeside(path)
	if err != nil {
		return err
	}
	probe.Close()
	return os.Remove(probe.Name())
}
