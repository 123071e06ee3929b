package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
)

// TestReadmeCommands: whatever the README has in a block can be pasted. It is a shell's language, each variable and file was made
// by a command above, and mcpcheck takes the arguments; nothing is sent.
func TestReadmeCommands(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	suite, err := suites.New(eras.All()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // reports are tried to be written
	session := &pasted{suite: suite, vars: map[string]string{}}
	for _, block := range shellBlocks(string(readme)) {
		for _, err := range session.paste(block) {
			t.Errorf("%v\nin\n%s", err, block)
		}
	}
	if session.commands < 10 {
		t.Errorf("only %d commands were found", session.commands)
	}
}

// TestPasted: what makes a README wrong is found.
func TestPasted(t *testing.T) {
	suite, err := suites.New(eras.All()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, test := range []struct{ name, readme, want string }{
		{"right", "    URL=http://localhost/mcp\n    mcpcheck $URL -- npm start # and more\n", ""},
		{"right, fenced", "```\n$ mcpcheck serve --listen 127.0.0.1:0\nit's running\n```\n", ""},
		{"right, in YAML", "```yaml\n- run: mcpcheck -o junit=x.xml http://localhost/mcp\n```\n", ""},
		{"right, one after the other", "    mcpcheck --transcript run.jsonl http://localhost/mcp\n    mcpcheck judge run.jsonl\n", ""},
		{"placeholder", "    mcpcheck URL\n", `"URL" is neither a URL nor a command`},
		{"variable of nobody", "    ./mcpcheck $URL\n", "URL: unbound variable"},
		{"header of nobody", "    mcpcheck -H 'A: $TOKEN' http://localhost/mcp\n", "TOKEN is not set"},
		{"flag", "    go run ./cmd/mcpcheck --fast\n", "unknown flag: --fast"},
		{"flag of a command", "    mcpcheck list --fast\n", "unknown flag: --fast"},
		{"flag in a substitution", "    source <(mcpcheck completion --fast)\n", "unknown flag: --fast"},
		{"id", "    mcpcheck explain session.x\n", `no requirement has the id "session.x"`},
		{"fault", "    mcpcheck serve --fault x\n", `"x"`},
		{"file of nobody", "    mcpcheck judge run.jsonl\n", "no command above writes run.jsonl"},
		{"no shell", "    mcpcheck 'x\n", "without closing quote"},
	} {
		t.Run(test.name, func(t *testing.T) {
			session := &pasted{suite: suite, vars: map[string]string{}}
			var errs []error
			for _, block := range shellBlocks("Text:\n\n" + test.readme) {
				errs = append(errs, session.paste(block)...)
			}
			switch {
			case test.want == "" && (len(errs) > 0 || session.commands == 0):
				t.Errorf("%d commands, errors %v", session.commands, errs)
			case test.want != "" && (len(errs) != 1 || !strings.Contains(errs[0].Error(), test.want)):
				t.Errorf("errors %v, want %q", errs, test.want)
			}
		})
	}
}

var (
	fence  = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	indent = regexp.MustCompile(`(?m)(?:^\n(?:^    .*\n)+)`)
	prompt = regexp.MustCompile(`(?m)^\$ (.*)$`)
	step   = regexp.MustCompile(`(?m)^- run: (.*)$`)
)

// shellBlocks are the blocks of a Markdown text that hold commands; of a session at a prompt, what was typed.
func shellBlocks(markdown string) []string {
	type block struct {
		at   int
		text string
	}
	var found []block
	typed := func(pattern *regexp.Regexp, text string) string {
		var lines []string
		for _, line := range pattern.FindAllStringSubmatch(text, -1) {
			lines = append(lines, line[1])
		}
		return strings.Join(lines, "\n")
	}
	prose := fence.ReplaceAllStringFunc(markdown, func(b string) string { return strings.Repeat(" ", len(b)) })
	for _, at := range indent.FindAllStringIndex(prose, -1) {
		text := strings.ReplaceAll(prose[at[0]:at[1]], "\n    ", "\n")
		if prompt.MatchString(text) {
			text = typed(prompt, text)
		}
		found = append(found, block{at[0], text})
	}
	for _, at := range fence.FindAllStringSubmatchIndex(markdown, -1) {
		text, pattern := markdown[at[4]:at[5]], prompt
		if markdown[at[2]:at[3]] == "yaml" {
			pattern = step
		}
		found = append(found, block{at[0], typed(pattern, text)})
	}
	slices.SortFunc(found, func(a, b block) int { return a.at - b.at })
	var blocks []string
	for _, b := range found {
		blocks = append(blocks, strings.TrimSpace(b.text))
	}
	return blocks
}

// pasted is what a shell knows after what was pasted into it so far.
type pasted struct {
	suite    *suites.Suite
	vars     map[string]string
	written  []string // files
	commands int      // of mcpcheck
}

// paste reads a block as a shell would, and returns what would go wrong.
func (p *pasted) paste(block string) (errs []error) {
	file, err := syntax.NewParser().Parse(strings.NewReader(block), "README.md")
	if err != nil {
		return []error{err}
	}
	config := &expand.Config{
		NoUnset: true,
		Env:     expand.FuncEnviron(func(name string) string { return p.vars[name] }),
	}
	assign := func(assigns []*syntax.Assign) {
		for _, a := range assigns {
			if value, err := expand.Literal(config, a.Value); err == nil {
				p.vars[a.Name.Value] = value
			}
		}
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.DeclClause:
			assign(node.Args)
		case *syntax.CallExpr:
			assign(node.Assigns)
			args := node.Args
			switch line := literally(args); {
			case strings.HasPrefix(line, "mcpcheck "), strings.HasPrefix(line, "./mcpcheck "):
				args = args[1:]
			case strings.HasPrefix(line, "go run ./cmd/mcpcheck "):
				args = args[3:]
			default:
				return true
			}
			p.commands++
			fields, err := expand.Fields(config, args...)
			if err == nil {
				err = p.mcpcheck(fields)
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("mcpcheck %s: %w", literally(args), err))
			}
		}
		return true
	})
	return errs
}

// literally are the words of a command that are no expansions, each with a space behind it.
func literally(args []*syntax.Word) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(a.Lit() + " ")
	}
	return b.String()
}

// mcpcheck goes as far with the arguments as can be gone without a network.
func (p *pasted) mcpcheck(args []string) error {
	c := &command{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, env: func(name string) (string, bool) {
		v, ok := p.vars[name]
		return v, ok
	}}
	var name string
	if len(args) > 0 && slices.Contains(commands(), args[0]) {
		name, args = args[0], args[1:]
	}
	switch name {
	case "", "checklist":
		o := &options{}
		flags := checkFlags(o)
		if help, err := c.parse(flags, args); help || err != nil {
			return err
		}
		outputs, err := reporting(o)
		if err != nil {
			return err
		}
		for _, out := range outputs {
			p.written = append(p.written, out.path)
		}
		p.written = append(p.written, o.transcript)
		targets := flags.Args()
		if dash := flags.ArgsLenAtDash(); dash >= 0 {
			targets = targets[:dash]
		}
		_, err = c.prepare(p.suite, o, targets)
		return err
	case "watch":
		o := &watchOptions{}
		flags := watchFlags(o)
		if _, err := c.parse(flags, args); err != nil {
			return err
		}
		return checkURL(flags.Arg(0))
	case "migrate":
		flags := migrateFlags(&migrateOptions{})
		if _, err := c.parse(flags, args); err != nil {
			return err
		}
		if slices.Contains(p.written, flags.Arg(0)) {
			return nil
		}
		return checkURL(flags.Arg(0))
	case "client":
		var o options
		flags := clientFlags(&o)
		if _, err := c.parse(flags, args); err != nil {
			return err
		}
		if flags.ArgsLenAtDash() != 0 && (o.listen == "" || flags.NArg() > 0) {
			return errors.New("the command of the client stands behind --")
		}
		return nil
	case "serve":
		o := &serveOptions{}
		if _, err := c.parse(serveFlags(o), args); err != nil {
			return err
		}
		_, err := serverConfig(*o)
		return err
	case "judge", "report", "diff":
		for _, flags := range flagSets() {
			if flags.Name() == "mcpcheck "+name {
				if _, err := c.parse(flags, args); err != nil {
					return err
				}
				for _, file := range flags.Args() {
					if !slices.Contains(p.written, file) {
						return fmt.Errorf("no command above writes %s", file)
					}
				}
			}
		}
		return nil
	}
	// The others need nothing but themselves.
	var stderr strings.Builder
	own := &command{interrupts: catchInterrupts(), stdin: c.stdin, stdout: c.stdout, stderr: &stderr, env: c.env}
	if code := own.run(append([]string{name}, args...)); code != exitOK {
		return fmt.Errorf("exit code %d: %s", code, &stderr)
	}
	return nil
}
