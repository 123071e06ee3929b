package kit

import (
	"bytes"
	"encoding/json"
)

// JSONType names the type of a JSON value: "null", "boolean", "number", "string", "array" or "object"; "" for one that is absent.
func JSONType(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}
