package tables

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Cut returns the row, with its name, that says of a requirement what the recording says, with only those conversations, exchanges,
// header fields and times in it on which that rests.
func (b *Bench) Cut(r *kit.Recording, id string) (string, error) {
	check := b.check(id)
	if check == nil {
		return "", fmt.Errorf("%s: %w", id, ErrNoCheck)
	}
	c := &cutter{bench: b, id: id, want: said(b, r, id)}
	url := r.Environment.URL
	kept := c.conversations(r)
	kept = c.plain(kept, url)
	kept = c.exchanges(kept)
	kept = c.lines(kept)
	return c.text(kept)
}

func (b *Bench) check(id string) *kit.Check {
	if b.byID == nil {
		b.byID = map[string]*kit.Check{}
		for _, c := range b.Checks {
			b.byID[c.Entry.ID] = c
		}
	}
	return b.byID[id]
}

func said(b *Bench, r *kit.Recording, id string) Said {
	return SaidOf(kit.NewJudgeBy(r, b.byID).Cell(id))
}

// A cutter leaves out what does not change what is said.
type cutter struct {
	bench *Bench
	id    string
	want  Said
	// timeless: times do not matter.
	timeless bool
}

// with is a recording of the same run with other transcripts.
func with(r *kit.Recording, transcripts []*wire.Transcript) *kit.Recording {
	return &kit.Recording{Era: r.Era, Revision: r.Revision, Transport: r.Transport, Environment: r.Environment, Given: r.Given,
		Damaged: r.Damaged, Capped: r.Capped, Transcripts: transcripts}
}

func (c *cutter) same(r *kit.Recording) bool { return said(c.bench, r, c.id) == c.want }

// conversations leaves whole conversations out.
func (c *cutter) conversations(r *kit.Recording) *kit.Recording {
	for _, t := range r.Transcripts {
		if less := with(r, slices.DeleteFunc(slices.Clone(r.Transcripts), func(o *wire.Transcript) bool { return o == t })); c.same(less) {
			r = less
		}
	}
	for _, less := range []func(*kit.Recording){
		func(r *kit.Recording) { r.Given = kit.Given{} },
		func(r *kit.Recording) { r.Given.Echoed = nil },
		func(r *kit.Recording) { r.Given.Named = nil },
		func(r *kit.Recording) { r.Given.DualEra = kit.Unknown },
		func(r *kit.Recording) { r.Damaged = false },
		func(r *kit.Recording) { r.Capped = false },
		func(r *kit.Recording) { r.Environment = usualEnvironment },
	} {
		n := with(r, r.Transcripts)
		if less(n); c.same(n) {
			r = n
		}
	}
	return r
}

// plain leaves out what no judge looks at, where the server stands, and times where they do not matter.
func (c *cutter) plain(r *kit.Recording, url string) *kit.Recording {
	for _, change := range []func(*wire.Transcript){
		func(t *wire.Transcript) {
			t.Duration = 0
			for _, x := range t.Exchanges {
				x.Conn, x.Reused = 0, false
				if x.Response != nil {
					x.Response.RawHead = nil
				}
			}
		},
		func(t *wire.Transcript) {
			for _, x := range t.Exchanges {
				if x.Request.URL == url {
					x.Request.URL = wire.DefaultURL
				}
			}
		},
	} {
		if plain := c.rewritten(r, change); plain != nil {
			r = plain
		}
	}
	if timeless := c.rewritten(r, func(t *wire.Transcript) { t.Started = wire.DefaultStart; untimed(t) }); timeless != nil {
		c.timeless = true
		r = timeless
	}
	return r
}

// untimed gives a transcript the times that one has which says none.
func untimed(t *wire.Transcript) {
	var now time.Duration
	for _, x := range t.Exchanges {
		x.Sent, x.Head, x.End = now, 0, now+2*time.Millisecond
		if x.Response != nil {
			x.Head, x.Response.Chunks = now+time.Millisecond, nil
		}
		now = x.End + time.Millisecond
	}
}

// rewritten is the recording with changed copies of its transcripts, as they are read from their text; nil where something else is said
// of them then.
func (c *cutter) rewritten(r *kit.Recording, change func(*wire.Transcript)) *kit.Recording {
	var all []*wire.Transcript
	for _, t := range r.Transcripts {
		n, err := reread(t, change)
		if err != nil {
			return nil
		}
		all = append(all, n)
	}
	if n := with(r, all); c.same(n) {
		return with(n, n.Transcripts)
	}
	return nil
}

func reread(t *wire.Transcript, change func(*wire.Transcript)) (*wire.Transcript, error) {
	n := *t
	n.Exchanges = make([]*wire.Exchange, len(t.Exchanges))
	for i, x := range t.Exchanges {
		n.Exchanges[i] = x.Clone()
	}
	change(&n)
	d, err := wire.ReadDialogue(n.Dialogue())
	if err != nil {
		return nil, err
	}
	return d.Transcript()
}

// exchanges leaves exchanges out, one at a time.
func (c *cutter) exchanges(r *kit.Recording) *kit.Recording {
	for i := range r.Transcripts {
		for at := len(r.Transcripts[i].Exchanges) - 1; at >= 0; at-- {
			r = c.less(r, i, func(t *wire.Transcript) {
				t.Exchanges = slices.Delete(t.Exchanges, at, at+1)
				if c.timeless {
					untimed(t)
				}
			})
		}
	}
	return r
}

// less is the recording with a changed copy of a transcript, or as it was where something else is said of that.
func (c *cutter) less(r *kit.Recording, i int, change func(*wire.Transcript)) *kit.Recording {
	n, err := reread(r.Transcripts[i], change)
	if err != nil {
		return r
	}
	all := slices.Clone(r.Transcripts)
	all[i] = n
	if less := with(r, all); c.same(less) {
		return with(r, all) // which has read nothing yet
	}
	return r
}

// lines leaves out what is known of sessions, windows, and header fields but for the media type of what came.
func (c *cutter) lines(r *kit.Recording) *kit.Recording {
	for i, t := range r.Transcripts {
		r = c.less(r, i, func(t *wire.Transcript) { t.Session = wire.SessionInfo{} })
		r = c.less(r, i, func(t *wire.Transcript) { t.Windows = nil })
		r = c.less(r, i, func(t *wire.Transcript) { t.Shared = false })
		for at, x := range t.Exchanges {
			for name := range x.Request.Header {
				r = c.less(r, i, func(t *wire.Transcript) { delete(t.Exchanges[at].Request.Header, name) })
			}
			for _, name := range responseFields(x) {
				r = c.less(r, i, func(t *wire.Transcript) { delete(t.Exchanges[at].Response.Header, name) })
			}
		}
	}
	return r
}

func responseFields(x *wire.Exchange) []string {
	if x.Response == nil {
		return nil
	}
	var names []string
	for name := range x.Response.Header {
		if http.CanonicalHeaderKey(name) != "Content-Type" {
			names = append(names, name)
		}
	}
	return names
}

// text writes the row, and makes sure that it is read as it is meant.
func (c *cutter) text(r *kit.Recording) (string, error) {
	var b strings.Builder
	b.WriteString(c.want.lines())
	for _, l := range contextOf(r) {
		fmt.Fprintf(&b, "%s: %s\n", l.name, l.value)
	}
	if r.Transcript(r.Era.Inventory) == nil {
		fmt.Fprintf(&b, "%s: %s\n", lineWithout, r.Era.Inventory.Name)
	}
	for _, t := range r.Transcripts {
		bare := *t
		bare.Script, bare.Revision, bare.Transport = "", "", ""
		fmt.Fprintf(&b, "script: %s\nfrom: nothing\n%s", t.Script, bare.Dialogue())
	}
	verdict, _, _ := strings.Cut(c.want.Is, " ")
	row, err := ReadRow(c.id+": "+verdict, b.String())
	if err != nil {
		return "", fmt.Errorf("cutting a row for %s: %w", c.id, err)
	}
	again, err := c.bench.Judge(&Folder{}, &File{}, row)
	if err != nil {
		return "", fmt.Errorf("cutting a row for %s: %w", c.id, err)
	}
	if s := SaidOf(again); s != c.want {
		return "", fmt.Errorf("cutting a row for %s: the row is %s, and the recording %s", c.id, s.Is, c.want.Is)
	}
	return fmt.Sprintf("-- %s --\n%s", row.Name(), b.String()), nil
}
