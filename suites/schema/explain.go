package schema

import (
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// An explainer turns the library's tree of errors into violations: the leaves, and of a choice the branch that was most likely meant.
type explainer struct {
	root       any                           // the value that was judged
	document   any                           // the schema's document, to word what a missing member should have been; may be nil
	definition func(pointer []string) string // names what a place in the schema belongs to
}

// maxViolations is about how many violations of one value are worded.
const maxViolations = 1000

// A leaf is a violation that still knows how it came about.
type leaf struct {
	Violation
	at   []string
	kind jsonschema.ErrorKind
}

// explain returns the violations sorted by path, each once.
func (e *explainer) explain(err error) []Violation {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil
	}
	leaves := e.leaves(invalid)
	slices.SortStableFunc(leaves, func(a, b leaf) int {
		if c := slices.CompareFunc(a.at, b.at, compareTokens); c != 0 {
			return c
		}
		return strings.Compare(a.Want, b.Want)
	})
	var out []Violation
	for _, l := range leaves {
		same := func(v Violation) bool { return v.Path == l.Path && v.Want == l.Want && v.Got == l.Got }
		// Equal ones are neighbours.
		if n := len(out); n == 0 || !same(out[n-1]) {
			out = append(out, l.Violation)
		}
	}
	return out
}

// compareTokens sorts indices by number and names by letter.
func compareTokens(a, b string) int {
	m, err1 := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	if err1 == nil && err2 == nil {
		return m - n
	}
	return strings.Compare(a, b)
}

func (e *explainer) leaves(err *jsonschema.ValidationError) []leaf {
	switch k := err.ErrorKind.(type) {
	case *kind.Format:
		return nil // an annotation
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		var all []leaf
		for _, cause := range err.Causes {
			if len(all) >= maxViolations {
				break
			}
			all = append(all, e.leaves(cause)...)
		}
		return all
	case *kind.AnyOf:
		return e.choose(err)
	case *kind.OneOf:
		if k.Subschemas == nil {
			return e.choose(err)
		}
	case *kind.Required:
		return e.missing(err, k.Missing)
	case *kind.Dependency:
		return e.missing(err, k.Missing)
	case *kind.DependentRequired:
		return e.missing(err, k.Missing)
	case *kind.AdditionalProperties:
		var all []leaf
		for _, name := range k.Properties {
			all = append(all, e.leaf(err, append(slices.Clip(err.InstanceLocation), name), "no such member"))
		}
		return all
	case *kind.PropertyNames:
		return []leaf{e.leaf(err, append(slices.Clip(err.InstanceLocation), k.Property), "another name for the member")}
	}
	return []leaf{e.leaf(err, err.InstanceLocation, want(err.ErrorKind))}
}

func (e *explainer) leaf(err *jsonschema.ValidationError, at []string, want string) leaf {
	got := absent
	if value, ok := lookup(e.root, at); ok {
		got = describe(value)
	}
	switch k := err.ErrorKind.(type) {
	case *kind.MinLength:
		got += fmt.Sprintf(" (%d characters)", k.Got)
	case *kind.MaxLength:
		got += fmt.Sprintf(" (%d characters)", k.Got)
	case *kind.UniqueItems:
		got += fmt.Sprintf(" with the same at %d and %d", k.Duplicates[0], k.Duplicates[1])
	}
	return leaf{Violation{pointer(at), want, got, e.definition(schemaPointer(err.SchemaURL))}, at, err.ErrorKind}
}

// missing words what each missing member should have been, where the document tells.
func (e *explainer) missing(err *jsonschema.ValidationError, names []string) []leaf {
	var all []leaf
	for _, name := range names {
		phrase := "a value"
		place := append(slices.Clip(schemaPointer(err.SchemaURL)), "properties", name)
		if s, ok := lookup(e.document, place); ok {
			phrase = phraseOf(e.document, s, 0)
		}
		all = append(all, e.leaf(err, append(slices.Clip(err.InstanceLocation), name), phrase))
	}
	return all
}

// choose picks the branch of a choice that comes closest: of the right type, with the right tag, wrong deepest down, wrong least.
func (e *explainer) choose(err *jsonschema.ValidationError) []leaf {
	var best []leaf
	var wants, lacking []string
	var bestScore [4]int
	types := 0
	for i, cause := range err.Causes {
		branch := e.leaves(cause)
		if len(branch) == 0 {
			return nil // wrong only in what is not judged
		}
		score := [4]int{0, 0, 0, len(branch)}
		for _, l := range branch {
			depth := len(l.at) - len(err.InstanceLocation)
			switch k := l.kind.(type) {
			case *kind.Type, *kind.FalseSchema:
				score[0] += bit(depth == 0)
			case *kind.Const:
				score[1] += bit(depth == 1)
			case *kind.Enum:
				score[1] += bit(depth == 1 && len(k.Want) == 1)
			case *kind.Required:
				depth-- // it is the object that is wrong
				if len(branch) == 1 && depth == 0 {
					lacking = append(lacking, quote(l.at[len(l.at)-1]))
				}
			}
			score[2] = min(score[2], -depth)
		}
		if len(branch) == 1 && score[0] == 1 {
			types++
			if !slices.Contains(wants, branch[0].Want) {
				wants = append(wants, branch[0].Want)
			}
		}
		if i == 0 || slices.Compare(score[:], bestScore[:]) < 0 {
			best, bestScore = branch, score
		}
	}
	place := schemaPointer(err.SchemaURL)
	_, shared := lookup(e.document, append(slices.Clip(place), "properties"))
	switch {
	case len(err.Causes) < 2:
	case types == len(err.Causes):
		best[0].Want, best[0].Definition = strings.Join(wants, " or "), e.definition(place)
	case len(lacking) == len(err.Causes) && shared:
		// Branches of one object that differ in a member each: no branch was meant more than another.
		return []leaf{e.leaf(err, err.InstanceLocation, "a member "+strings.Join(lacking, " or "))}
	}
	return best
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// schemaPointer returns the tokens of the fragment of a place in a schema.
func schemaPointer(location string) []string {
	_, fragment, _ := strings.Cut(location, "#")
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	if fragment == "" {
		return nil
	}
	tokens := strings.Split(strings.TrimPrefix(fragment, "/"), "/")
	for i, token := range tokens {
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	}
	return tokens
}

func pointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token))
	}
	return b.String()
}

func lookup(v any, at []string) (any, bool) {
	for _, token := range at {
		switch c := v.(type) {
		case map[string]any:
			next, ok := c[token]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(c) {
				return nil, false
			}
			v = c[i]
		default:
			return nil, false
		}
	}
	return v, true
}

func number(r *big.Rat) string {
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}
