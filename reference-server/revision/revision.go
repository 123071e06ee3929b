// Package revision is the one list of the revisions that the reference server speaks, and the only place that compares them. It
// is not that of the checker: the two read the specification independently.
package revision

import "slices"

// The revisions of the specification that the server can speak.
const (
	V20241105 = "2024-11-05"
	V20250326 = "2025-03-26"
	V20250618 = "2025-06-18"
	V20251125 = "2025-11-25"
	V20260728 = "2026-07-28"
)

// Assumed is what a request without MCP-Protocol-Version means where nothing else tells
// (basic/transports#protocol-version-header).
const Assumed = V20250326

// All returns every revision that the server can speak, oldest first.
func All() []string { return append(Legacy(), Modern()...) }

// Legacy returns the revisions with an initialize handshake, oldest first.
func Legacy() []string { return []string{V20241105, V20250326, V20250618, V20251125} }

// Modern returns the revisions in which every request stands on its own, oldest first.
func Modern() []string { return []string{V20260728} }

// IsModern tells whether a revision is one of Modern.
func IsModern(revision string) bool { return slices.Contains(Modern(), revision) }

// AtLeast tells whether a revision is as new as another, or newer. One that is not on the list is older than all.
func AtLeast(revision, other string) bool { return compare(revision, other) >= 0 }

// Newest returns the newest of some revisions.
func Newest(revisions []string) string { return slices.MaxFunc(revisions, compare) }

func compare(a, b string) int {
	all := All()
	return slices.Index(all, a) - slices.Index(all, b)
}
