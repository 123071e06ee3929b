package report

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Words that all renderers for people share.

// headline is what the run amounts to, in at most two words.
func headline(r Report) string {
	s := Count(r.Results)
	switch {
	case r.Diagnosis != nil:
		return "not tested"
	case r.Conformant != nil && *r.Conformant:
		return "conformant"
	case r.Conformant != nil:
		return "not conformant"
	case r.Interrupted:
		return "interrupted"
	case incompleteness(r) != nil:
		return "incomplete"
	case s.Judged() == 0 && s.Error == 0:
		return "nothing judged"
	case s.Fail > 0:
		return "failed" // in the part that was selected
	case r.Filtered:
		return "partial"
	}
	return "inconclusive"
}

// headlineVerdict is the verdict whose colour the headline has.
func headlineVerdict(r Report) Verdict {
	switch s := Count(r.Results); {
	case s.Fail > 0:
		return Fail
	case r.Conformant != nil:
		return Pass
	case s.Error > 0:
		return Error
	}
	return Warn
}

// plural is "1 warning" or "2 warnings".
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// word is how people read a verdict.
func (v Verdict) word() string {
	return strings.ReplaceAll(string(v), "-", " ")
}

// outcomeText says what a report amounts to: findings, each counted once, and beside them the cells that the table counts.
func outcomeText(r Report) string {
	if len(r.Results) == 0 {
		return "nothing judged"
	}
	text := findingsText(r) + "; " + cellsText(Count(r.Results))
	if unlooked := unlookedText(r); unlooked != "" {
		text += "; " + unlooked
	}
	return text
}

// findingsText counts findings: "2 fail, 1 warn (1 of them excused)".
func findingsText(r Report) string {
	counts := CountFindings(r.Results)
	var parts []string
	for _, v := range Verdicts() {
		if n := counts.Of(v); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v.word()))
		}
	}
	switch text := strings.Join(parts, ", "); {
	case text == "":
		return "no findings"
	case counts.Excused > 0:
		return fmt.Sprintf("%s (%d of them excused)", text, counts.Excused)
	default:
		return text
	}
}

// cellsText counts cells, those of findings aside: "640 of 829 cells passed, 83 not applicable, 106 not observed".
func cellsText(s Summary) string {
	text := fmt.Sprintf("%d of %s passed", s.Pass, plural(s.Total(), "cell"))
	for _, v := range []Verdict{NotApplicable, NotObserved} {
		if n := s.Of(v); n > 0 {
			text += fmt.Sprintf(", %d %s", n, v.word())
		}
	}
	return text
}

// serverText is what the server calls itself, short enough for a line.
func serverText(s Server) string {
	return cut(strings.TrimSpace(oneLine(s.Name)+" "+oneLine(s.Version)), 60)
}

// effort is what the run cost.
func effort(r Report) string {
	d := time.Duration(r.DurationMS) * time.Millisecond
	took := fmt.Sprintf("%.2f s", d.Seconds())
	if d >= time.Minute {
		took = d.Round(time.Second).String()
	}
	return counted(r.Requests, "request") + " in " + took
}

// scope says what was judged: "2025-11-25, 2025-06-18 over streamable-http", or what the target was found to speak.
func scope(r Report) string {
	main := mainTransport(r.Results)
	var names, others []string
	for _, c := range Columns(r.Results) {
		if c.Transport == main {
			names = append(names, oneLine(c.Revision))
		} else {
			others = append(others, oneLine(c.Revision+" over "+c.Transport))
		}
	}
	if len(names) == 0 {
		return strings.Join(r.Target.Revisions, ", ")
	}
	text := strings.Join(names, ", ")
	if main != "" {
		text += " over " + oneLine(main)
	}
	return strings.Join(append([]string{text}, others...), ", ")
}

// name is how a column is called: the transport is named only where it is not that of most results.
func (c Column) name(main string) string {
	if c.Transport == main {
		return oneLine(c.Revision)
	}
	return oneLine(c.Revision + " " + c.Transport)
}

// where lists the places of a finding by level: "MUST in 2025-11-25, 2025-06-18; SHOULD in 2025-03-26".
func (f Finding) where(main string) string {
	type levelPlaces struct {
		level string
		names []string
	}
	var places []levelPlaces
	for _, c := range f.Cells {
		i := 0
		for i < len(places) && places[i].level != c.Level {
			i++
		}
		if i == len(places) {
			places = append(places, levelPlaces{level: c.Level})
		}
		places[i].names = append(places[i].names, c.name(main))
	}
	var parts []string
	for _, p := range places {
		parts = append(parts, oneLine(p.level+" in "+strings.Join(p.names, ", ")))
	}
	return strings.Join(parts, "; ")
}

// moreText says what a finding has beyond the evidence that was kept.
func (f Finding) moreText() string {
	if f.More == 0 {
		return ""
	}
	return fmt.Sprintf("%d more of the same kind", f.More)
}

// blocksText says what a finding keeps from being judged.
func (f Finding) blocksText() string {
	if f.Blocks == 0 {
		return ""
	}
	return counted(f.Blocks, "other result") + ", not observed because of this"
}

// sentenceEnd is a full stop behind which another sentence starts, as the catalogue writes them.
var sentenceEnd = regexp.MustCompile("[^.][.] +[A-Z0-9`\"(-]")

// firstSentence is the first sentence of a text in one line.
func firstSentence(text string) string {
	if at := sentenceEnd.FindStringIndex(text); at != nil {
		return text[:at[0]+2]
	}
	return text
}
