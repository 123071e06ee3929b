package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/config"
	"github.com/mcpcheck/mcpcheck/mock"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// options of the commands that check or judge.
type options struct {
	// checklist: the report is told as the checklist.
	checklist bool
	items     []report.ChecklistItem
	// more is the command that shows more about a finding.
	more string

	// config and noConfig choose the configuration, targets, pick and groups the servers; configured are the header lines of its own.
	config, targets     string
	noConfig            bool
	pick, groups        []string
	configured          []string
	parallel            int
	inFlight, perHost   int
	resume              string
	name, group, expect string

	headers     []string
	revisions   []string
	era         string
	only, skip  []string
	calls       []string
	outputs     []string
	transcript  string
	timings     []string
	timeout     time.Duration
	window      time.Duration
	concurrency int
	insecure    bool
	caCert      string
	strict      bool
	// acceptIncomplete: what could not be looked at does not decide the exit code.
	acceptIncomplete bool
	maxTime          time.Duration
	color            string
	quiet            bool
	verbose          int
	version          bool

	failOn                  []string // of a comparison
	baseline, writeBaseline string
	sarifLocation           string
	evidence                string
	wait                    time.Duration
	// Of a client under test. remote lets other machines connect, origins are those of pages that may.
	startTimeout time.Duration
	onRequest    mock.OnRequest
	listen       string
	remote       bool
	origins      []string

	// row is the requirement whose judgement is printed as a row of a table, and perhaps @ and a revision.
	row string
}

// checkFlags are the flags of a run. What they mean is told by usage/mcpcheck.txt.
func checkFlags(o *options) *pflag.FlagSet {
	f := newFlags("mcpcheck")
	f.StringArrayVarP(&o.headers, "header", "H", nil, "")
	f.StringVar(&o.era, "era", "", "")
	f.StringArrayVar(&o.revisions, "revision", nil, "")
	f.StringArrayVar(&o.only, "only", nil, "")
	f.StringArrayVar(&o.skip, "skip", nil, "")
	f.StringArrayVar(&o.calls, "call", nil, "")
	f.DurationVar(&o.timeout, "timeout", 10*time.Second, "")
	f.DurationVar(&o.window, "window", 300*time.Millisecond, "")
	f.IntVar(&o.concurrency, "concurrency", 0, "")
	f.BoolVar(&o.insecure, "insecure", false, "")
	f.StringVar(&o.caCert, "ca-cert", "", "")
	f.StringVar(&o.transcript, "transcript", "", "")
	f.StringArrayVar(&o.timings, "timings", nil, "")
	f.DurationVar(&o.wait, "wait", 0, "")
	f.DurationVar(&o.maxTime, "max-time", 0, "")
	f.StringVar(&o.config, "config", "", "")
	f.BoolVar(&o.noConfig, "no-config", false, "")
	f.StringVar(&o.targets, "targets", "", "")
	f.StringArrayVar(&o.pick, "target", nil, "")
	f.StringArrayVar(&o.groups, "group", nil, "")
	f.IntVar(&o.parallel, "parallel", 4, "")
	f.IntVar(&o.inFlight, "in-flight", 48, "")
	f.IntVar(&o.perHost, "per-host", 0, "")
	f.StringVar(&o.resume, "resume", "", "")
	reportFlags(f, o)
	f.BoolVar(&o.version, "version", false, "")
	return f
}

// reportFlags are the flags of every command that ends in a report.
func reportFlags(f *pflag.FlagSet, o *options) {
	f.StringArrayVarP(&o.outputs, "output", "o", nil, "")
	f.BoolVar(&o.strict, "strict", false, "")
	f.StringVar(&o.baseline, "baseline", "", "")
	f.StringVar(&o.writeBaseline, "write-baseline", "", "")
	colorFlags(f, &o.color)
	f.BoolVar(&o.acceptIncomplete, "accept-incomplete", false, "")
	f.StringVar(&o.evidence, "evidence", evidenceFindings, "")
	f.StringVar(&o.sarifLocation, "sarif-location", "", "")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "")
	f.CountVarP(&o.verbose, "verbose", "v", "")
}

// colorFlags are taken by every command, also by those that print no colour: whoever wants none should not have to know which.
func colorFlags(f *pflag.FlagSet, choice *string) {
	f.StringVar(choice, "color", colorAuto, "")
	f.BoolFunc("no-color", "", func(string) error { *choice = colorNever; return nil })
}

// newFlags makes the flag set of a command; its name is that of the command, "mcpcheck serve".
func newFlags(name string) *pflag.FlagSet {
	f := pflag.NewFlagSet(name, pflag.ContinueOnError)
	f.SortFlags = false
	f.Usage = func() {}
	f.SetOutput(io.Discard)
	return f
}

// parse reads arguments, and the environment for what they leave open; a wrong flag is the user's mistake, and --help is not an error.
func (c *command) parse(f *pflag.FlagSet, args []string) (help bool, err error) {
	err = f.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return true, nil
	case err != nil:
		return false, usagef(f.Name()+" --help lists the flags", "%w", err)
	}
	return false, c.fromEnvironment(f)
}

// toolCalls reads the values of --call: a tool, and perhaps its arguments as a JSON object.
func toolCalls(values []string) ([]kit.ToolCall, error) {
	var calls []kit.ToolCall
	for _, v := range values {
		name, text, given := strings.Cut(v, "=")
		arguments := map[string]any{}
		if given {
			if err := json.Unmarshal([]byte(text), &arguments); err != nil || arguments == nil {
				return nil, usagef(`write it as --call 'TOOL={"name": "value"}'`, "--call %s: the arguments are not a JSON object", name)
			}
		}
		if name == "" {
			return nil, usagef(`write it as --call TOOL or --call 'TOOL={"name": "value"}'`, "--call %q names no tool", v)
		}
		calls = append(calls, kit.ToolCall{Name: name, Arguments: arguments})
	}
	return calls, nil
}

// header reads the values of -H, so that no secret has to stand in argv: $NAME comes from the environment, @FILE holds lines. Of the
// lines of a configuration those count whose fields no flag sets.
func (c *command) header(values, configured []string) (http.Header, error) {
	h := http.Header{}
	for _, v := range values {
		lines := []string{v}
		if file, ok := strings.CutPrefix(v, "@"); ok {
			text, err := os.ReadFile(file)
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
	for _, line := range configured {
		if h.Values(config.HeaderName(line)) != nil {
			continue
		}
		if err := c.addHeader(h, line); err != nil {
			return nil, err
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
	for _, v := range values {
		name, path, ok := strings.Cut(v, "=")
		format, known := report.FormatByName(name)
		if !ok || !known || path == "" {
			var names []string
			for _, f := range report.Formats() {
				names = append(names, f.Name)
			}
			what := fmt.Sprintf("-o %q is no FORMAT=PATH", v)
			if ok && path != "" {
				what = fmt.Sprintf("-o %s: there is no format %q", v, name)
			}
			return nil, usagef("write it as -o FORMAT=PATH with FORMAT one of "+strings.Join(names, ", "), "%s", what)
		}
		for _, other := range outputs {
			if other.path == path {
				return nil, usagef("give each report a path of its own", "two reports cannot both go to %s", place(path))
			}
		}
		if err := writable(path); path != standardOutput && err != nil {
			return nil, usagef(writableHint, "-o %s: %w", v, err)
		}
		outputs = append(outputs, output{format, path})
	}
	return outputs, nil
}

// How much evidence a JSON report has: --evidence.
const (
	evidenceFindings = "findings"
	evidenceAll      = "all"
)

// formatChoices checks the flags that concern one format.
func formatChoices(o *options, outputs []output) error {
	if choices := []string{"", evidenceFindings, evidenceAll}; !slices.Contains(choices, o.evidence) {
		return usagef("choose from "+strings.Join(choices[1:], " and "), "--evidence %q is not known", o.evidence)
	}
	if o.sarifLocation == "" {
		return nil
	}
	const hint = "name a file of the repository by its path from the root, such as --sarif-location deploy/server.json"
	switch clean := path.Clean(o.sarifLocation); {
	case strings.Contains(o.sarifLocation, ":") || strings.Contains(o.sarifLocation, `\`):
		return usagef(hint, "--sarif-location %s is no path with slashes; code scanning refuses URLs and drives", o.sarifLocation)
	case path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") || clean == "." || strings.HasSuffix(o.sarifLocation, "/"):
		return usagef(hint, "--sarif-location %s is no file below the root of a repository", o.sarifLocation)
	default:
		o.sarifLocation = clean
	}
	if !slices.ContainsFunc(outputs, func(out output) bool { return out.format.Name == "sarif" }) {
		return usagef("add -o sarif=PATH", "--sarif-location is for the sarif report, and none is written")
	}
	return nil
}

// standardOutput is the path that means it.
const standardOutput = "-"

func place(path string) string {
	if path == standardOutput {
		return "standard output"
	}
	return path
}

const writableHint = "choose a path in a folder that exists and that you may write to"

// writable tries whether a file can be put at path, without touching one that is there.
func writable(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("%s is a folder", path)
		}
		return nil // a device or a pipe: only writing tells, and opening a pipe would wait for its reader
	}
	probe, err := createBeside(path)
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}
