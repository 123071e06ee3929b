package refserver

import "slices"

// Revisions of the specification that are negotiated by initialize. Their names are dates, so they compare as strings.
const (
	Rev20241105 = "2024-11-05"
	Rev20250326 = "2025-03-26"
	Rev20250618 = "2025-06-18"
	Rev20251125 = "2025-11-25"
)

// assumedRevision is what a request without MCP-Protocol-Version means where nothing else tells
// (basic/transports#protocol-version-header).
const assumedRevision = Rev20250326

// Revisions returns every revision that the server can speak, oldest first.
func Revisions() []string {
	return []string{Rev20241105, Rev20250326, Rev20250618, Rev20251125}
}

// negotiate answers the version that a client asked for: the same where supported, otherwise the newest
// (basic/lifecycle#version-negotiation).
func (p Profile) negotiate(asked string) string {
	if p.supports(asked) {
		return asked
	}
	return slices.Max(p.revisions())
}

func (p Profile) supports(revision string) bool {
	return slices.Contains(p.revisions(), revision)
}

func (p Profile) revisions() []string {
	if len(p.Revisions) == 0 {
		return Revisions()
	}
	return p.Revisions
}
