package main

import (
	"fmt"
	"regexp"
	"strings"
)

// The usage texts are the one place where commands and flags are told of; manual page and completions are read out of them.

// section of a usage text. The title is empty for what stands outside of any.
type section struct {
	title string
	items []item
}

// item is a line of a list, such as a flag and what it does; a paragraph has no term, an example no text.
type item struct{ term, text string }

// lines whether a section is shown as it stands.
func (s section) examples() bool { return strings.HasPrefix(s.title, "Example") }

var heading = regexp.MustCompile(`^[A-Z][A-Za-z ]*:$`)

// sections takes a usage text apart. A list's lines are indented by six columns at most, and what continues them by more.
func sections(text string) []section {
	const deepest = 6
	all := []section{{}}
	last := func() *section { return &all[len(all)-1] }
	add := func(i item) { last().items = append(last().items, i) }
	fresh := true // no line continues across an empty one
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		words := strings.TrimLeft(line, " ")
		indent := len(line) - len(words)
		items := last().items
		switch {
		case words == "":
			fresh = true
			continue
		case heading.MatchString(line):
			all = append(all, section{title: strings.TrimSuffix(line, ":")})
		case indent == 0 && (fresh || len(items) == 0):
			if last().title != "" {
				all = append(all, section{})
			}
			add(item{text: words})
		case indent > 0 && indent <= deepest && last().examples():
			add(item{term: words})
		case indent > 0 && indent <= deepest:
			term, text, _ := strings.Cut(words, "  ")
			add(item{term, strings.TrimSpace(text)})
		default:
			end := &items[len(items)-1]
			end.text = strings.TrimSpace(end.text + " " + words)
		}
		fresh = false
	}
	return all
}

// manual is mcpcheck man: the manual page, in roff.
func (c *command) manual(args []string) error {
	flags := newFlags("mcpcheck man")
	help, err := c.parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	case flags.NArg() > 0:
		return usagef("mcpcheck man > mcpcheck.1", "man takes no arguments: %s", strings.Join(flags.Args(), " "))
	}
	return c.print(manualPage(thisBuild()))
}

// manualPage is the page of the whole program: what mcpcheck --help says, then a section for each command.
func manualPage(b build) string {
	var page strings.Builder
	day, _, _ := strings.Cut(b.date, "T")
	fmt.Fprintf(&page, ".TH MCPCHECK 1 %q %q\n", day, roff("mcpcheck "+b.version))
	page.WriteString(".SH NAME\nmcpcheck \\- check servers of the Model Context Protocol, clause by clause\n")
	main := sections(usage("mcpcheck"))
	page.WriteString(".SH SYNOPSIS\n")
	for _, s := range main {
		if s.title == "Usage" {
			for i, synopsis := range s.items[:2] {
				if i > 0 {
					page.WriteString(".br\n")
				}
				page.WriteString(roff(synopsis.term) + "\n")
			}
		}
	}
	page.WriteString(".SH DESCRIPTION\n")
	for _, s := range main {
		title := s.title
		if title == "Usage" {
			title = "Commands"
		}
		writeSection(&page, ".SH", strings.ToUpper(title), s)
	}
	for _, name := range commands() {
		fmt.Fprintf(&page, ".SH \"MCPCHECK %s\"\n", strings.ToUpper(name))
		for _, s := range sections(usage("mcpcheck " + name)) {
			writeSection(&page, ".SS", s.title, s)
		}
	}
	return page.String()
}

// writeSection writes one section below a heading of the given macro.
func writeSection(page *strings.Builder, macro, title string, s section) {
	if title != "" {
		fmt.Fprintf(page, "%s %q\n", macro, title)
	}
	if s.examples() {
		page.WriteString(".nf\n")
		for _, i := range s.items {
			page.WriteString(escaped.Replace(i.term) + "\n")
		}
		page.WriteString(".fi\n")
		return
	}
	for n, i := range s.items {
		switch {
		case i.term != "" && i.text != "":
			fmt.Fprintf(page, ".TP\n\\fB%s\\fR\n%s\n", roff(i.term), roff(i.text))
		case i.term != "" && n > 0:
			fmt.Fprintf(page, ".br\n\\fB%s\\fR\n", roff(i.term))
		case i.term != "":
			fmt.Fprintf(page, "\\fB%s\\fR\n", roff(i.term))
		default:
			page.WriteString(paragraph(page.String()) + roff(i.text) + "\n")
		}
	}
}

// paragraph separates a paragraph from what stands before it; a heading has done so already.
func paragraph(before string) string {
	lines := strings.Split(strings.TrimSuffix(before, "\n"), "\n")
	if strings.HasPrefix(lines[len(lines)-1], ".S") {
		return ""
	}
	return ".PP\n"
}

// escaped, text comes out as it stands and can be pasted: a bare - or ' becomes typographic in a manual page.
var escaped = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "~", `\(ti`, "^", `\(ha`, `"`, `\(dq`)

// roff writes running text, in which a line that begins with a dot would be a command.
func roff(text string) string {
	lines := strings.Split(strings.TrimSuffix(wrap(escaped.Replace(text), 80, ""), "\n"), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
