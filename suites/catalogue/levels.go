package catalogue

import "slices"

// A Level is how strongly a revision demands something.
type Level string

// The levels of RFC 2119 as the specification uses them, and two for what it says without a keyword or not at all.
const (
	Must      Level = "MUST"
	MustNot   Level = "MUST NOT"
	Should    Level = "SHOULD"
	ShouldNot Level = "SHOULD NOT"
	May       Level = "MAY"
	Implied   Level = "implied"  // the text or the schema states it as a fact
	Practice  Level = "practice" // not in the text: what the SDKs do, and clients rely on
)

// Levels returns all levels.
func Levels() []Level {
	return []Level{Must, MustNot, Should, ShouldNot, May, Implied, Practice}
}

// Severity returns the verdict that a breach of the level deserves at most: "fail", "warn" or "note". It is "" for a
// level that does not exist. An entry may soften it in its probe; none may harden it.
func (l Level) Severity() string {
	switch l {
	case Must, MustNot, Implied:
		return "fail"
	case Should, ShouldNot:
		return "warn"
	case May, Practice:
		return "note"
	}
	return ""
}

// Known reports whether the level exists.
func (l Level) Known() bool { return slices.Contains(Levels(), l) }
