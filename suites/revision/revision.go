// Package revision is the one list of the revisions of the protocol: which there are, in which order, and to which era each belongs.
// Nothing else compares their dates. (The reference server reads the specification by itself, and has a list of its own.)
package revision

import (
	"slices"
	"strings"
)

// The eras of the protocol.
const (
	Legacy = "legacy" // a session opened by initialize
	Modern = "modern" // every request stands for itself
)

// published are the revisions with their eras, oldest first.
var published = []struct{ date, era string }{
	{"2024-11-05", Legacy},
	{"2025-03-26", Legacy},
	{"2025-06-18", Legacy},
	{"2025-11-25", Legacy},
	{"2026-07-28", Modern},
}

// Prerelease came before the first revision; SDKs still list it, and nothing else is known of it here.
const Prerelease = "2024-10-07"

// HTTPSSE is the revision that the transport HTTP+SSE belongs to, and by whose rules it is judged. Over Streamable HTTP it can be
// negotiated too.
const HTTPSSE = "2024-11-05"

// All are the published revisions, oldest first.
func All() []string { return since("", Legacy, Modern) }

// Of are the revisions of an era, oldest first.
func Of(era string) []string { return since("", era) }

// From are the revisions of an era from one of them on, oldest first.
func From(first, era string) []string { return since(first, era) }

func since(first string, eras ...string) []string {
	var list []string
	for _, p := range published {
		if slices.Contains(eras, p.era) && Since(p.date, first) {
			list = append(list, p.date)
		}
	}
	return list
}

// EraOf returns the era to which a published revision belongs.
func EraOf(r string) (era string, known bool) {
	for _, p := range published {
		if p.date == r {
			return p.era, true
		}
	}
	return "", false
}

// Known tells that r is a published revision.
func Known(r string) bool {
	_, known := EraOf(r)
	return known
}

// Since tells that r is first or later, in whatever era: what first brought is there, unless something took it away again. Revisions
// are dates, which sort as text; what is none (a server may negotiate anything) sorts as text as well. Everything is since "".
func Since(r, first string) bool { return r >= first }

// Before tells that r is older than first.
func Before(r, first string) bool { return r < first }

// Newest is the latest of a list that is not empty.
func Newest(list []string) string { return slices.Max(list) }

// Oldest is the earliest of a list that is not empty.
func Oldest(list []string) string { return slices.Min(list) }

// IsDate tells that s has the form of a revision, such as 2025-06-18, whether or not it is one.
func IsDate(s string) bool {
	return len(s) == len("2006-01-02") && s[4] == '-' && s[7] == '-' && strings.Trim(s[:4]+s[5:7]+s[8:], "0123456789") == ""
}

// HasVersionHeader tells that requests of a session that negotiated this carry MCP-Protocol-Version: from 2025-06-18 on. What is no
// date is not sent.
func HasVersionHeader(negotiated string) bool {
	return IsDate(negotiated) && Since(negotiated, "2025-06-18")
}

// MayBeModern tells that a version which a server lists is 2026-07-28 or later, published or not.
func MayBeModern(version string) bool {
	first := Oldest(Of(Modern))
	return Since(version, first) && len(version) == len(first)
}
