package report

import (
	"slices"
	"time"
)

// DiffSchema names the JSON form of a Difference.
const DiffSchema = "mcpcheck.diff/v1"

// A Difference is what changed between two reports, for machines and people.
type Difference struct {
	Schema string   `json:"schema"`
	Before DiffSide `json:"before"`
	After  DiffSide `json:"after"`
	// Worse and Better are verdicts that moved, one entry for a requirement that moved in the same way in several revisions; Other counts
	// cells that moved without weight.
	Worse  []Moved `json:"worse"`
	Better []Moved `json:"better"`
	Other  int     `json:"other"`
	// Lost says why the newer target could not be tested, where the older could.
	Lost string `json:"lost,omitempty"`
	// Surface is what a client would notice, breaking changes first. Unseen says why it is not known.
	Surface []SurfaceChange `json:"surface"`
	Unseen  string          `json:"unseen,omitempty"`
}

// DiffSide is one of two reports.
type DiffSide struct {
	Tool    Tool      `json:"tool"`
	Target  Target    `json:"target"`
	Outcome string    `json:"outcome"`
	Started time.Time `json:"started"`
}

// A Moved is a requirement whose verdict is another, in the columns that it names.
type Moved struct {
	ID      string   `json:"id"`
	Before  Verdict  `json:"before"`
	After   Verdict  `json:"after"`
	Columns []string `json:"columns"`
	// Message is that of the newer result, Spec its clause.
	Message string `json:"message"`
	Spec    string `json:"spec"`
}

// DiffOptions say what counts as a failure.
type DiffOptions struct {
	// Worse: a verdict got worse, or the target could not be tested any more. Breaking: a client may not work any more.
	Worse, Breaking bool
}

// Compare compares two reports.
func Compare(before, after Report) Difference {
	side := func(r Report) DiffSide { return DiffSide{r.Tool, r.Target, Outcome(r), r.Started} }
	d := Difference{
		Schema: DiffSchema, Before: side(before), After: side(after), Worse: []Moved{}, Better: []Moved{}, Surface: DiffSurface(before, after),
	}
	if d.Surface == nil {
		d.Surface = []SurfaceChange{}
	}
	if after.Diagnosis != nil && before.Diagnosis == nil {
		d.Lost = after.Diagnosis.Seen
	}
	switch {
	case before.Surface == nil:
		d.Unseen = "the older report does not hold what the server offers"
	case after.Surface == nil:
		d.Unseen = "the newer report does not hold what the server offers"
	}
	specs := map[string]string{}
	for _, r := range slices.Concat(after.Results, before.Results) {
		if specs[r.ID] == "" {
			specs[r.ID] = r.Spec
		}
	}
	for _, c := range Diff(before, after) {
		switch {
		case c.Worse():
			d.Worse = moved(d.Worse, c, specs[c.ID])
		case c.Better():
			d.Better = moved(d.Better, c, specs[c.ID])
		default:
			d.Other++
		}
	}
	return d
}

func moved(all []Moved, c Change, spec string) []Moved {
	column := c.Revision
	if c.Transport == "http-sse" {
		column += " http-sse"
	}
	for i := range all {
		if m := &all[i]; m.ID == c.ID && m.Before == c.Before && m.After == c.After {
			m.Columns, m.Message = append(m.Columns, column), c.Message
			return all
		}
	}
	return append(all, Moved{c.ID, c.Before, c.After, []string{column}, c.Message, spec})
}

// cells counts the cells of entries.
func cells(all []Moved) int {
	n := 0
	for _, m := range all {
		n += len(m.Columns)
	}
	return n
}

// Breaking counts the changes that may break a client.
func (d Difference) Breaking() int {
	n := 0
	for _, c := range d.Surface {
		n += boolInt(c.Breaking)
	}
	return n
}

// Fails tells whether a difference is a failure.
func (d Difference) Fails(o DiffOptions) bool {
	return o.Worse && (len(d.Worse) > 0 || d.Lost != "") || o.Breaking && d.Breaking() > 0
}

// A diffPoint is one thing that changed, for formats that know points alone.
type diffPoint struct {
	// kind is "worse", "better", "breaking" or "changed"; name and text say what.
	kind, name, text string
	rule, spec       string
	fails            bool
}

// points are all changes, what fails first.
func (d Difference) points(o DiffOptions) []diffPoint {
	var all []diffPoint
	if d.Lost != "" {
		all = append(all, diffPoint{"worse", "not tested any more", oneLine(d.Lost), "target", "", o.Worse})
	}
	verdicts := func(kind string, list []Moved, fails bool) {
		for _, m := range list {
			text := verdictOr(m.Before) + ", now " + verdictOr(m.After)
			if m.Message != "" {
				text += ": " + cut(oneLine(m.Message), textLimit)
			}
			all = append(all, diffPoint{kind, oneLine(m.ID) + " (" + columnsText(m.Columns) + ")", text, oneLine(m.ID), m.Spec, fails})
		}
	}
	verdicts("worse", d.Worse, o.Worse)
	for _, c := range d.Surface {
		p := diffPoint{"changed", cut(c.where(), titleLimit), cut(oneLine(c.Says), textLimit), "surface." + oneLine(c.Change), "", c.Breaking && o.Breaking}
		if c.Breaking {
			p.kind = "breaking"
		}
		all = append(all, p)
	}
	verdicts("better", d.Better, false)
	slices.SortStableFunc(all, func(a, b diffPoint) int { return boolInt(b.fails) - boolInt(a.fails) })
	return all
}
