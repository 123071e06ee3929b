package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"

	"github.com/mcpcheck/mcpcheck/mock"
	"github.com/mcpcheck/mcpcheck/report"
)

// A panel tells a person what to do with their client and what was seen of it. On a terminal it is drawn anew with each thing that is seen;
// elsewhere each is a line.
type panel struct {
	w     io.Writer
	live  bool
	width int
	keys  string // how to say what

	mu      sync.Mutex
	meeting mock.Meeting
	seen    map[string]int // by method of JSON-RPC, or of HTTP where there is none
	told    []string       // what was seen, in the order in which it first was
	times   map[string]int
	height  int // lines that are on the terminal
}

// maxTold bounds what a panel shows: a client sends what it likes.
const maxTold = 16

// panel decides once who looks. single tells that keys work without Enter.
func (c *command) panel(single bool) *panel {
	p := &panel{w: c.stderr, live: single && isTerminal(c.stderr), width: 80, keys: "n next   a again   s skip   q judge what was seen"}
	if p.live {
		p.width = terminalWidth(c.stderr)
	}
	if !single {
		p.keys += "   (and Enter)"
	}
	return p
}

// begin says where to connect.
func (p *panel) begin(at *endpoint) {
	if at.remote {
		p.print("warning: whoever knows the URL can connect from other machines")
	}
	p.print("Connect your client to  " + at.url + "  (Streamable HTTP)")
	p.print("")
}

// print writes lines as they are. In a terminal without its own line discipline a line ends in CR and LF.
func (p *panel) print(lines ...string) {
	end := "\n"
	if p.live {
		end = "\r\n"
	}
	for _, line := range lines {
		fmt.Fprint(p.w, line+end)
	}
}

// meet shows a persona.
func (p *panel) meet(m mock.Meeting) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.meeting, p.seen, p.told, p.times, p.height = m, map[string]int{}, nil, map[string]int{}, 0
	if p.live {
		p.draw()
		return
	}
	p.print(p.head())
	if m.Persona.Person != "" {
		p.print("  note  " + m.Persona.Person)
	}
	for _, t := range tasks(m.Tool) {
		p.print("  do    " + t.what)
	}
	p.print("  " + p.keys)
}

func (p *panel) head() string {
	m := p.meeting
	number := fmt.Sprintf("%d. ", m.Number)
	if m.Planned > 0 {
		number = fmt.Sprintf("%d of %d, ", m.Number, m.Planned)
	}
	return number + m.Persona.Name + ": " + m.Persona.About
}

// saw takes note of an arrival. The method of a message counts, and that of HTTP where there is no message.
func (p *panel) saw(a mock.Arrival) {
	p.mu.Lock()
	defer p.mu.Unlock()
	kind := a.Method
	if kind == "" {
		kind = a.HTTP
	}
	text := about(a)
	if p.times[text] == 0 {
		if len(p.told) == maxTold {
			return
		}
		p.told = append(p.told, text)
		if !p.live {
			p.print("  seen  " + report.Cut(text, p.width-8))
		}
	}
	p.seen[kind]++
	p.times[text]++
	if p.live {
		p.draw()
	}
}

// help says what can be said, after something that could not.
func (p *panel) help() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.live {
		p.print("  " + p.keys)
	}
}

// leave leaves a persona where it stands.
func (p *panel) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.height = 0
	p.print("")
}

// wrapped is a text on as many lines as it needs, each behind an indent; those after the first by two columns more.
func (p *panel) wrapped(indent, text string) []string {
	lines := report.Wrap(text, p.width-len(indent)-4)
	for i := range lines {
		lines[i] = indent + lines[i]
		if i > 0 {
			lines[i] = "  " + lines[i]
		}
	}
	return lines
}

// draw writes the panel in place of what is there.
func (p *panel) draw() {
	lines := p.wrapped("", p.head())
	if person := p.meeting.Persona.Person; person != "" {
		lines = append(lines, p.wrapped("  ", person)...)
	}
	for _, t := range tasks(p.meeting.Tool) {
		mark := "[ ] "
		switch {
		case t.done == nil:
			mark = " -  "
		case t.done(p.seen):
			mark = "[x] "
		}
		lines = append(lines, "  "+mark+t.what)
	}
	if len(p.told) == 0 {
		lines = append(lines, "  seen: nothing yet")
	}
	line := ""
	for i, text := range p.told {
		if n := p.times[text]; n > 1 {
			text = fmt.Sprintf("%s (%d)", text, n)
		}
		switch {
		case i == 0:
			line = "  seen: " + text
		case len(line)+2+len(text) >= p.width:
			lines = append(lines, line+",")
			line = "        " + text
		default:
			line += ", " + text
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	lines = append(lines, p.keys)
	var b strings.Builder
	if p.height > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\r\x1b[J", p.height)
	}
	for _, line := range lines {
		b.WriteString(report.Cut(line, p.width-1) + "\r\n")
	}
	fmt.Fprint(p.w, b.String())
	p.height = len(lines)
}

// keys are what a person says: single keys on a terminal, the first letters of lines elsewhere.
type keys struct {
	pressed <-chan byte
	single  bool
}

// keys reads what the person says until the end of standard input. restore gives the terminal back; it may be called twice.
func (c *command) keys() (k keys, restore func()) {
	pressed := make(chan byte)
	f, ok := c.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || !isTerminal(c.stderr) {
		go letters(c.stdin, pressed)
		return keys{pressed: pressed}, func() {}
	}
	before, err := term.MakeRaw(int(f.Fd()))
	if err != nil {
		go letters(c.stdin, pressed)
		return keys{pressed: pressed}, func() {}
	}
	go c.single(f, pressed)
	return keys{pressed, true}, sync.OnceFunc(func() { _ = term.Restore(int(f.Fd()), before) }) // nothing can be done about it
}

// letters hands on the first letter of each line that has one.
func letters(in io.Reader, pressed chan<- byte) {
	defer close(pressed)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if line := strings.ToLower(strings.TrimSpace(lines.Text())); line != "" {
			pressed <- line[0]
		}
	}
}

// What keys of a terminal mean that no longer looks after them itself.
const (
	ctrlC = 3
	ctrlD = 4
)

// single hands on each key. Ctrl-C interrupts, as it does elsewhere.
func (c *command) single(in io.Reader, pressed chan<- byte) {
	defer close(pressed)
	var key [1]byte
	for {
		if _, err := in.Read(key[:]); err != nil || key[0] == ctrlD {
			return
		}
		if key[0] == ctrlC {
			c.interrupts.signals <- os.Interrupt
			continue
		}
		pressed <- strings.ToLower(string(rune(key[0])))[0]
	}
}
