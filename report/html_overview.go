package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// What a page begins with: the findings as a list, and all areas as a picture.

// htmlEntry is a finding in the list, a link to where it stands in full.
type htmlEntry struct {
	Anchor, Class, Word, Title, ID, Where string
}

// htmlAnchors gives out anchors, each once, and knows how many of one name there are.
type htmlAnchors map[string]int

// plainID is an id as those of the catalogue are. It has a dot and no underscore, so that it is never another anchor of the page.
var plainID = regexp.MustCompile(`^[a-z0-9-]{1,40}(\.[a-z0-9-]{1,40}){1,5}$`)

// of is the anchor of a requirement: its id, so that a link can be written by hand. What else calls itself an id gets a number.
func (a htmlAnchors) of(id string) string {
	if !plainID.MatchString(id) {
		id = "requirement"
	}
	a[id]++
	if n := a[id]; n > 1 || id == "requirement" {
		return fmt.Sprintf("%s_%d", id, n)
	}
	return id
}

// places says where a finding shows, shorter than where: the table has the levels.
func (f Finding) places(results []Result, main string) string {
	var judged []Column // every column that has the requirement
	for _, r := range results {
		if c := (Column{r.Revision, r.Transport}); r.ID == f.ID && !slices.Contains(judged, c) {
			judged = append(judged, c)
		}
	}
	switch n := len(judged); {
	case len(f.Cells) == n && n == 2:
		return "both revisions"
	case len(f.Cells) == n && n > 2:
		return fmt.Sprintf("all %d revisions", n)
	}
	var names []string
	for _, c := range f.Cells {
		names = append(names, c.name(main))
	}
	return cut(strings.Join(names, ", "), titleLimit)
}

// htmlPicture is the state at a glance: an area a row, a column each for what is compared.
type htmlPicture struct {
	Label   string
	Columns []string
	Rows    []htmlPictureRow
}

// Wide tells that the picture has no room beside the list.
func (p htmlPicture) Wide() bool {
	return len(p.Columns) > 5
}

type htmlPictureRow struct {
	Area   string
	Anchor string // of the area in the table of all requirements
	Cells  []htmlPictureCell
}

// htmlPictureCell is the most important verdict of an area. Without a verdict the area has no requirement in that column.
type htmlPictureCell struct {
	Column, Class, Verdict, Word, More string
	Part                               bool // passed as far as it was observed
}

func newHTMLPicture(results []Result, main string, table htmlMatrix) htmlPicture {
	m := NewMatrix(results)
	p := htmlPicture{Label: "Areas by revision", Columns: htmlColumns(results, main)}
	for _, area := range m.Areas {
		row := htmlPictureRow{Area: area, Anchor: table.anchorOf(area)}
		for n, c := range m.Columns {
			row.Cells = append(row.Cells, newHTMLPictureCell(p.Columns[n], m.At(area, c)))
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

func newHTMLPictureCell(column string, s Summary) htmlPictureCell {
	c := htmlPictureCell{Column: column}
	if s.Total() == 0 {
		return c
	}
	worst := Pass
	for _, v := range []Verdict{Fail, Error, Warn, Note, Pass, NotObserved, NotApplicable} {
		if s.Of(v) > 0 {
			worst = v
			break
		}
	}
	c.Verdict, c.Class, c.Word = string(worst), htmlClass(worst), fmt.Sprintf("%d %s", s.Of(worst), worst.word())
	passed := fmt.Sprintf("%d of %d pass", s.Pass, s.Total()-s.NotApplicable)
	switch {
	case worst == NotObserved || worst == NotApplicable:
		c.Word, c.More = "", worst.word()
	case worst != Pass:
		c.More = passed
	case s.NotObserved > 0:
		c.Part, c.Word = true, passed
	}
	return c
}

// htmlColumns are the names of the columns of results.
func htmlColumns(results []Result, main string) []string {
	var names []string
	for _, c := range Columns(results) {
		names = append(names, c.name(main))
	}
	return names
}
