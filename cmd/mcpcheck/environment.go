package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/spf13/pflag"
)

// ungoverned are the flags that no variable sets: a pipeline that pins a version in MCPCHECK_VERSION wants a run all the same.
var ungoverned = []string{"version"}

// prefix begins the names of the variables that set flags.
const prefix = "MCPCHECK_"

// variable is the environment variable that sets a flag: MCPCHECK_MAX_TIME for --max-time.
func variable(flag string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// fromEnvironment sets the flags that the arguments did not. A flag that may be repeated takes one value a line; an empty variable says
// nothing, as pipelines set one for an input that was left out.
func (c *command) fromEnvironment(f *pflag.FlagSet) error {
	if c.env == nil {
		return nil
	}
	colored := f.Changed("color") || f.Changed("no-color")
	var failed error
	f.VisitAll(func(flag *pflag.Flag) {
		value, ok := c.env(variable(flag.Name))
		value = strings.TrimSpace(value)
		if !ok || value == "" || failed != nil || flag.Changed || slices.Contains(ungoverned, flag.Name) || colored && strings.HasSuffix(flag.Name, "color") {
			return
		}
		values := []string{value}
		switch flag.Value.Type() {
		case "stringArray":
			values = lines(value)
		case "bool", "boolfunc":
			on, err := strconv.ParseBool(value)
			if err != nil {
				failed = usagef("write true or false", "%s: %q is neither", variable(flag.Name), value)
				return
			}
			if !on && flag.Value.Type() == "boolfunc" {
				return
			}
		}
		for _, v := range values {
			if err := f.Set(flag.Name, v); err != nil {
				failed = usagef(f.Name()+" --help lists the flags", "%s: %w", variable(flag.Name), err)
				return
			}
		}
	})
	return failed
}

// misspelt warns of variables that would set a flag if they were spelt like it. Others of our prefix are the user's own: their tokens, say.
func (c *command) misspelt() {
	if c.variables == nil {
		return
	}
	var flags []string
	for _, set := range flagSets() {
		set.VisitAll(func(flag *pflag.Flag) { flags = append(flags, strings.TrimPrefix(variable(flag.Name), prefix)) })
	}
	for _, v := range c.variables() {
		name, value, _ := strings.Cut(v, "=")
		word, ours := strings.CutPrefix(name, prefix)
		if meant := catalogue.Misspelt(word, flags); ours && meant != "" && value != "" {
			fmt.Fprintf(c.stderr, "mcpcheck: the variable %s sets no flag; did you mean %s?\n", name, prefix+meant)
		}
	}
}

// lines are the lines of a text that hold something.
func lines(text string) []string {
	var all []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}
