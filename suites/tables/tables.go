// Package tables holds judgements as text: rows of a table, each a few conversations and what a requirement says of them. Rows are
// how judges are proven branch by branch, without a server. The package reads, judges and writes rows, and cuts them out of recordings;
// it knows no requirement and no era beyond what it is handed.
package tables

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A File is a table as it is kept: a txtar archive. A member "script NAME" is how the conversation of that name usually goes; a member
// "ID: WHAT" is a row. Rows say how their conversations differ from the usual ones.
type File struct {
	Name    string
	archive *txtar.Archive
	Rows    []*Row
	usual   usual
}

// usual are the conversations that rows differ from, by script.
type usual map[string]string

const scriptPrefix = "script "

// A Folder is the tables of an era. It is not safe for concurrent use.
type Folder struct {
	Files []*File
	usual []*File
	made  map[string]*wire.Transcript // of what usually goes on
	read  map[string]*wire.Dialogue   // what rows differ from
}

// AddUsual reads how conversations usually go, for the rows of all tables that have none of their own under that name.
func (d *Folder) AddUsual(name string, data []byte) error {
	f, err := readFile(name, data)
	if err != nil {
		return err
	}
	if len(f.Rows) > 0 {
		return fmt.Errorf("%s: %q is a row, and has no place among the usual conversations", name, f.Rows[0].Name())
	}
	d.usual = append(d.usual, f)
	return nil
}

// Add reads a table. What it says of how conversations go is for its own rows.
func (d *Folder) Add(name string, data []byte) error {
	f, err := readFile(name, data)
	if err != nil {
		return err
	}
	d.Files = append(d.Files, f)
	return nil
}

func readFile(name string, data []byte) (*File, error) {
	f := &File{Name: name, archive: txtar.Parse(data), usual: usual{}}
	known := map[string]bool{}
	for i := range f.archive.Files {
		member := f.archive.Files[i]
		if script, ok := strings.CutPrefix(member.Name, scriptPrefix); ok {
			if f.usual[script] != "" {
				return nil, fmt.Errorf("%s: two scripts %q", name, script)
			}
			f.usual[script] = string(member.Data)
			continue
		}
		row, err := ReadRow(member.Name, string(member.Data))
		if err != nil {
			return nil, fmt.Errorf("%s: row %q: %w", name, member.Name, err)
		}
		if known[row.Name()] {
			return nil, fmt.Errorf("%s: two rows %q", name, row.Name())
		}
		known[row.Name()] = true
		if row.like != "" {
			i := slices.IndexFunc(f.Rows, func(r *Row) bool { return r.ID == row.ID && r.What == row.like })
			if i < 0 {
				return nil, fmt.Errorf("%s: row %q: no row %q of the requirement stands ahead of it", name, member.Name, row.like)
			}
			row.base = f.Rows[i]
		}
		f.Rows = append(f.Rows, row)
	}
	return f, nil
}

// conversation returns how a script usually goes, for the rows of a file.
func (d *Folder) conversation(f *File, script string) (string, bool) {
	if text, ok := f.usual[script]; ok {
		return text, true
	}
	for _, other := range d.usual {
		if text, ok := other.usual[script]; ok {
			return text, true
		}
	}
	return "", false
}

// Format writes the table with what its rows now say.
func (f *File) Format() []byte {
	a := &txtar.Archive{Comment: f.archive.Comment}
	for _, member := range f.archive.Files {
		if i := slices.IndexFunc(f.Rows, func(r *Row) bool { return r.Name() == member.Name }); i >= 0 {
			member.Data = []byte(f.Rows[i].update(string(member.Data)))
		}
		a.Files = append(a.Files, member)
	}
	return txtar.Format(a)
}

// A Row is one judgement: the requirement, what is true of the run, the conversations, and what is said of them.
type Row struct {
	ID, What string
	Said     Said
	context  []line
	scripts  []section
	// like is the What of the row that it differs from, base that row; "" and nil where it stands for itself.
	like string
	base *Row
}

// A line is "name: value".
type line struct{ name, value string }

// A section is what a row says of one conversation.
type section struct {
	script string
	// text tells how it differs from the usual one; edits replace text of that first.
	text  string
	edits []edit
	// whole: it is all there is, and the usual one does not matter.
	whole bool
	// under is what it differs from in the place of the usual one: what another row says of the conversation; nil: the usual one.
	under *section
}

type edit struct{ old, new string }

// revisionVariable stands for the revision of the row in its conversations.
const revisionVariable = "$REVISION"

// Name is the row's name in its file.
func (r *Row) Name() string { return r.ID + ": " + r.What }

// ReadRow reads a row. Errors name the line.
func ReadRow(name, text string) (*Row, error) {
	id, what, ok := strings.Cut(name, ": ")
	if !ok || strings.Contains(id, " ") {
		return nil, errors.New(`a member is "script NAME" or "ID: WHAT"`)
	}
	r := &Row{ID: id, What: what}
	number := 0
	for l := range strings.Lines(text) {
		number++
		l = strings.TrimRight(l, "\r\n")
		if err := r.read(l); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	for _, s := range r.scripts {
		if _, err := wire.ReadDialogue(s.text); err != nil {
			return nil, fmt.Errorf("script %q: %w", s.script, err)
		}
	}
	return r, nil
}

func (r *Row) read(text string) error {
	name, rest, _ := strings.Cut(text, ":")
	rest = strings.TrimSpace(rest)
	if name == "script" {
		if slices.ContainsFunc(r.scripts, func(s section) bool { return s.script == rest }) {
			return fmt.Errorf("the script %q stands twice", rest)
		}
		r.scripts = append(r.scripts, section{script: rest})
		return nil
	}
	if n := len(r.scripts); n > 0 {
		return r.scripts[n-1].read(name, rest, text)
	}
	switch {
	case text == "" || text[0] == '#':
		return nil
	case name == "is" || name == "says":
		return r.Said.read(name, rest)
	case name == "like":
		r.like = rest
		return nil
	case !slices.Contains(contextLines, name):
		return fmt.Errorf("%.40q: ahead of the conversations stand is, says, like, %s", text, strings.Join(contextLines, ", "))
	}
	r.context = append(r.context, line{name, rest})
	return nil
}

func (s *section) read(name, rest, text string) error {
	switch name {
	case "from":
		if rest != "nothing" {
			return errors.New(`"from: nothing" says that the usual conversation does not matter`)
		}
		s.whole = true
	case "replace":
		from, to, ok := strings.Cut(rest, " =>")
		if from == "" || !ok {
			return errors.New(`"replace: OLD => NEW" changes text of the usual conversation`)
		}
		s.edits = append(s.edits, edit{from, strings.TrimPrefix(to, " ")})
	default:
		s.text += text + "\n"
		return nil
	}
	s.text += "\n" // so that errors name the right line
	return nil
}

// section is what the row says of a script, or the row that it is like; nil where neither says anything.
func (r *Row) section(script string) *section {
	var under *section
	if r.base != nil {
		under = r.base.section(script)
	}
	i := slices.IndexFunc(r.scripts, func(s section) bool { return s.script == script })
	if i < 0 {
		return under
	}
	s := r.scripts[i]
	s.under = under
	return &s
}

// saysOf are the scripts of the row and of the one that it is like.
func (r *Row) saysOf() (scripts []string) {
	if r.base != nil {
		scripts = r.base.saysOf()
	}
	for _, s := range r.scripts {
		if !slices.Contains(scripts, s.script) {
			scripts = append(scripts, s.script)
		}
	}
	return scripts
}

// about are the lines about the run, of the row and of the one that it is like, which come first.
func (r *Row) about() []line {
	if r.base == nil {
		return r.context
	}
	return slices.Concat(r.base.about(), r.context)
}

// edited is the section with other text, in its own exchanges or in the usual ones.
func (s section) edited(edits []edit) section {
	for _, e := range edits {
		if strings.Contains(s.text, e.old) {
			s.text = strings.ReplaceAll(s.text, e.old, e.new)
		} else {
			s.edits = append(slices.Clone(s.edits), e)
		}
	}
	return s
}

// dialogue returns the conversation of a section, given how it usually goes and the revision.
func (d *Folder) dialogue(s *section, usually, rev string) (*wire.Dialogue, error) {
	if s.under != nil && !s.whole {
		under := s.under.edited(s.edits)
		if under.whole && len(under.edits) > len(s.under.edits) {
			return nil, fmt.Errorf("the conversation has no %q to replace", under.edits[len(under.edits)-1].old)
		}
		base, err := d.dialogue(&under, usually, rev)
		if err != nil {
			return nil, err
		}
		own, err := wire.ReadDialogue(strings.ReplaceAll(s.text, revisionVariable, rev))
		if err != nil {
			return nil, err
		}
		return own.On(base)
	}
	own, err := wire.ReadDialogue(strings.ReplaceAll(s.text, revisionVariable, rev))
	if err != nil || s.whole {
		return own, err
	}
	for _, e := range s.edits {
		if !strings.Contains(usually, e.old) {
			return nil, fmt.Errorf("the usual conversation has no %q to replace", e.old)
		}
		usually = strings.ReplaceAll(usually, e.old, e.new)
	}
	usually = strings.ReplaceAll(usually, revisionVariable, rev)
	base := d.read[usually]
	if base == nil {
		if base, err = wire.ReadDialogue(usually); err != nil {
			return nil, fmt.Errorf("the usual conversation: %w", err)
		}
		if d.read == nil {
			d.read = map[string]*wire.Dialogue{}
		}
		d.read[usually] = base // many rows differ from the same
	}
	return own.On(base)
}
