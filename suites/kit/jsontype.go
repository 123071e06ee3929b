package kit

import (
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/wire"
)

// JSONType names the type of a JSON value: "null", "boolean", "number", "string", "array" or "object"; "" for one that is absent.
func JSONType(raw json.RawMessage) string { return wire.TypeOf(raw) }
