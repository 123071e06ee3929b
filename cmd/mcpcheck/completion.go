package main

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/migration"
	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
)

//go:embed completion/*.tmpl
var completionTemplates embed.FS

// shells that completions are written for.
var shells = []string{"bash", "zsh", "fish"}

// completion is mcpcheck completion SHELL: a script for that shell, made from the flags that there are.
func (c *command) completion(args []string) error {
	flags := newFlags("mcpcheck completion")
	help, err := c.parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	case flags.NArg() != 1 || !slices.Contains(shells, flags.Arg(0)):
		return usagef("choose from "+strings.Join(shells, ", "), "completion takes the name of a shell")
	}
	suite, err := suites.New(eras.Everything()...)
	if err != nil {
		return err
	}
	script, err := completionScript(flags.Arg(0), suite)
	if err != nil {
		return err
	}
	return c.print(script)
}

// completed is a command as a completion offers it; that of a run has no name.
type completed struct {
	Name, Help string
	Flags      []completedFlag
	Words      []string // what may stand as an argument, beside files
	Files      bool     // whether files may
}

// completedFlag is a flag; a Value may be one of the Words, or anything where there are none.
type completedFlag struct {
	Long, Short, Help string
	Value, Repeatable bool
	Words             []string
}

// Names of the flag as they are typed, the short one first.
func (f completedFlag) Names() []string {
	if f.Short == "" {
		return []string{"--" + f.Long}
	}
	return []string{"-" + f.Short, "--" + f.Long}
}

func completionScript(shell string, suite *suites.Suite) (string, error) {
	scripts, err := template.New("").Funcs(template.FuncMap{
		"join":  func(separator string, words []string) string { return strings.Join(words, separator) },
		"quote": func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" },
		"pair":  func(when string, of completed) map[string]any { return map[string]any{"When": when, "Of": of} },
		// In zsh these end a part of a flag's specification.
		"spec": strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace,
	}).ParseFS(completionTemplates, "completion/*.tmpl")
	if err != nil {
		return "", fmt.Errorf("reading the completion templates: %w", err)
	}
	var script bytes.Buffer
	root := completedCommand("", suite)
	var commands []completed
	for _, name := range root.Words {
		commands = append(commands, completedCommand(name, suite))
	}
	if err := scripts.ExecuteTemplate(&script, shell+".tmpl", map[string]any{"Root": root, "Commands": commands}); err != nil {
		return "", fmt.Errorf("writing the completion for %s: %w", shell, err)
	}
	return script.String(), nil
}

// completedCommand collects what the shells are told of one command, or of a run where the name is empty.
func completedCommand(name string, suite *suites.Suite) completed {
	main := sections(usage("mcpcheck"))
	described := main
	cmd := completed{Name: name, Help: brief(main, "mcpcheck "+name)}
	switch name {
	case "":
		cmd.Words = append(commands(), "help")
	case "help":
		cmd.Words = commands()
	case "completion":
		cmd.Words = shells
	case "schema":
		cmd.Words = slices.Sorted(maps.Keys(schemas))
	case "explain":
		for _, e := range suite.Catalogue.Entries() {
			cmd.Words = append(cmd.Words, e.ID)
		}
	case "judge", "report", "diff", "migrate":
		cmd.Files = true
	}
	set := checkFlags(&options{}) // also those of checklist
	for _, other := range flagSets() {
		if other.Name() == "mcpcheck "+name {
			set, described = other, sections(usage(other.Name()))
		}
	}
	if name == "help" {
		return cmd
	}
	values := flagValues(suite)
	set.VisitAll(func(f *pflag.Flag) {
		cmd.Flags = append(cmd.Flags, completedFlag{
			Long: f.Name, Short: f.Shorthand, Help: cmp.Or(brief(described, "--"+f.Name), brief(main, "--"+f.Name)), Words: values[f.Name],
			Value: f.NoOptDefVal == "", Repeatable: f.Value.Type() == "stringArray" || f.Value.Type() == "count",
		})
	})
	return cmd
}

// flagValues are the values to choose from, for flags that have some, by name.
func flagValues(suite *suites.Suite) map[string][]string {
	areas := suite.Catalogue.Areas()
	var formats []string
	for _, f := range report.Formats() {
		formats = append(formats, f.Name+"=")
	}
	var sdks []string
	if way, err := migration.Load(); err == nil {
		sdks = way.SDKNames()
	}
	return map[string][]string{
		"sdk":       sdks,
		"color":     {colorAuto, colorAlways, colorNever},
		"revision":  suite.Revisions(),
		"only":      areas,
		"skip":      areas,
		"area":      areas,
		"output":    formats,
		"profile":   refserver.AllProfiles(),
		"transport": refserver.Transports(),
	}
}

// brief is the beginning of what a usage text says of a flag or a command, up to the first pause.
func brief(text []section, term string) string {
	for _, s := range text {
		for _, i := range s.items {
			if words := strings.Fields(i.term); i.text == "" || !slices.Contains(words, term) && !strings.HasPrefix(i.term+" ", term+" ") {
				continue
			}
			end := len(i.text)
			for _, pause := range []string{". ", "; ", ": ", " (repeatable", " (default "} {
				if at := strings.Index(i.text, pause); at > 0 {
					end = min(end, at)
				}
			}
			return i.text[:end]
		}
	}
	return ""
}
