package catalogue

// The eras of the protocol.
const (
	Legacy = "legacy" // a session opened by initialize
	Modern = "modern" // stateless
)

// EraOf returns the era to which a known revision belongs.
func EraOf(revision string) (era string, known bool) {
	switch revision {
	case "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25":
		return Legacy, true
	case "2026-07-28":
		return Modern, true
	}
	return "", false
}
