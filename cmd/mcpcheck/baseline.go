package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
)

// excuse applies --baseline to a report and writes --write-baseline. It returns the entries that match no result.
func (c *command) excuse(r *report.Report, o *options) (unmatched []report.Excuse, err error) {
	if o.baseline != "" {
		baseline, err := readBaseline(o.baseline)
		if err != nil {
			return nil, err
		}
		unmatched = baseline.Apply(r)
	}
	if o.writeBaseline == "" || r.Diagnosis != nil || r.Interrupted {
		return unmatched, nil
	}
	err = writeFile(o.writeBaseline, func(w io.Writer) error { return report.WriteBaseline(w, *r) })
	if err != nil {
		return nil, fmt.Errorf("writing the baseline: %w", err)
	}
	return unmatched, nil
}

// readBaseline reads a baseline; whatever is wrong with it is the user's to mend.
func readBaseline(path string) (report.Baseline, error) {
	const hint = "mcpcheck --write-baseline FILE URL writes one; each entry wants an id and a reason"
	in, err := os.Open(path)
	if err != nil {
		return nil, usagef(hint, "reading the baseline: %w", err)
	}
	defer in.Close()
	baseline, err := report.ReadBaseline(in)
	if err != nil {
		return nil, usagef(hint, "%s: %w", path, err)
	}
	return baseline, nil
}

// baselines checks the baseline files before a run that would be lost.
func baselines(o *options) error {
	if o.baseline != "" {
		if _, err := readBaseline(o.baseline); err != nil {
			return err
		}
	}
	if o.writeBaseline == "" {
		return nil
	}
	if err := writable(o.writeBaseline); err != nil {
		return usagef(writableHint, "--write-baseline: %w", err)
	}
	if o.writeBaseline == o.baseline {
		return nil
	}
	if _, err := os.Stat(o.writeBaseline); !errors.Is(err, os.ErrNotExist) {
		return usagef("name it with --baseline as well, so that its reasons are kept, or choose another path",
			"--write-baseline: %s is there already", o.writeBaseline)
	}
	return nil
}

func join(excuses []report.Excuse) string {
	words := make([]string, len(excuses))
	for i, e := range excuses {
		words[i] = e.String()
	}
	return strings.Join(words, ", ")
}
