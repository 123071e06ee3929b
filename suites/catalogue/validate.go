package catalogue

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/revision"
)

var (
	idShape = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+$`)
	// A page below the revision, and an anchor as the site writes it: percent-encoded where the heading has an "&".
	refShape = regexp.MustCompile(`^[a-z0-9-]+(/[a-z0-9-]+)*(#[a-z0-9_%-]+)?$`)
)

// validate checks what entries say, one by one and against each other, and returns all problems in catalogue order.
func validate(entries []Entry) []error {
	var problems []error
	files := map[string]string{} // id -> file
	for _, e := range entries {
		for _, p := range e.problems() {
			problems = append(problems, fmt.Errorf("%s: %s: %s", e.File, e.ID, p))
		}
		if other, twice := files[e.ID]; twice {
			problems = append(problems, fmt.Errorf("%s: %s: the id is in %s already", e.File, e.ID, other))
			continue
		}
		files[e.ID] = e.File
	}
	return problems
}

// problems lists what is wrong with one entry by itself.
func (e Entry) problems() []string {
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }

	if e.Party != Server && e.Party != Client {
		add("party %q is neither server nor client", e.Party)
	}
	if want := e.Era + "/" + e.Area + ".yaml"; e.File != want {
		add("area %q belongs into %s", e.Area, want)
	}
	if p := e.idProblem(); p != "" {
		add("%s", p)
	}
	if len(e.Levels) == 0 {
		add("applies to no revision")
	}
	if levels, refs := e.Revisions(), slices.Sorted(maps.Keys(e.Refs)); !slices.Equal(levels, refs) {
		add("levels speak of %s, refs of %s", listed(levels), listed(refs))
	}
	for _, r := range e.Revisions() {
		if era, known := revision.EraOf(r); !known {
			add("there is no revision %q", r)
		} else if era != e.Era {
			add("revision %s is %s", r, era)
		}
		if l := e.Levels[r]; !l.Known() {
			add("%s: there is no level %q", r, l)
		}
	}
	for _, r := range slices.Sorted(maps.Keys(e.Refs)) {
		if !refShape.MatchString(e.Refs[r]) {
			add("%s: ref %q is not page#anchor", r, e.Refs[r])
		}
	}
	return append(list, e.proseProblems()...)
}

// proseProblems checks testable and the texts that users read.
func (e Entry) proseProblems() []string {
	var list []string
	word, _, ok := splitTestable(e.Testable)
	if !ok {
		list = append(list, fmt.Sprintf("testable %q is not yes, passive, with-capability (WHAT) or no (WHY)", e.Testable))
	}
	if e.Reason != "" && word != testableNo && e.Party != Client {
		list = append(list, "a reason is for entries that are not testable, and for what no client has been shown yet")
	}
	given := 0
	for _, text := range []string{e.Title, e.Why, e.Remedy} {
		if text != "" {
			given++
		}
	}
	if given != 0 && given != 3 {
		list = append(list, "title, why and remedy come together")
	}
	if strings.HasSuffix(e.Title, ".") {
		list = append(list, "a title ends without a full stop")
	}
	if len(e.Kinds) > 0 && e.Why == "" {
		list = append(list, "kinds of breach are for entries with a why")
	}
	texts := []string{e.Why, e.Remedy, e.Reason}
	for _, name := range slices.Sorted(maps.Keys(e.Kinds)) {
		texts = append(texts, e.Kinds[name].Why, e.Kinds[name].Remedy)
	}
	for _, text := range texts {
		if text != "" && !strings.HasSuffix(text, ".") {
			list = append(list, fmt.Sprintf("%q is no sentence", text))
		}
	}
	return list
}

// idProblem checks that the id leads to the file: legacy ids start with their area; modern ones with "modern.", then
// "client." if they bind the client, then the area.
func (e Entry) idProblem() string {
	if !idShape.MatchString(e.ID) {
		return "an id is parts of a-z, 0-9 and hyphens, joined by dots"
	}
	rest, modern := strings.CutPrefix(e.ID, "modern.")
	if modern != (e.Era == revision.Modern) {
		return "modern ids, and only they, start with \"modern.\""
	}
	if modern {
		var client bool
		if rest, client = strings.CutPrefix(rest, "client."); client != (e.Party == Client) {
			return "modern ids that bind the client, and only they, start with \"modern.client.\""
		}
	}
	first, _, _ := strings.Cut(rest, ".")
	if !slices.Contains(prefixes(e.Era, e.Area), first) {
		return fmt.Sprintf("the id does not name its area %q", e.Area)
	}
	return ""
}

// prefixes returns the first parts that ids of an area may have: its name, save where ids that must not change are
// older than the name.
func prefixes(era, area string) []string {
	if era == revision.Modern {
		switch area {
		case "versioning":
			return []string{"version"}
		case "legacy-compat":
			return []string{"legacy"}
		case "discover":
			return []string{"discover", "version"} // modern.client.version.discover-optional
		}
	}
	return []string{area}
}

func listed(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
