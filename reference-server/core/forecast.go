package core

import "github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"

// HeaderKeyword stands in the schema of a parameter that the client repeats in a header (2026-07-28:
// basic/transports/streamable-http#custom-headers-from-tool-parameters).
const HeaderKeyword = "x-mcp-header"

// forecastInput has a parameter of each type that may be repeated in a header, one of them in an object, and one that is not repeated.
func forecastInput() schema {
	in := func(kind, header, about string) schema {
		return schema{"type": kind, "description": about, HeaderKeyword: header}
	}
	return object(nil, schema{
		"region": in("string", "Region", "where"),
		"days":   in("integer", "Days", "how many days ahead"),
		"alerts": in("boolean", "Alerts", "whether warnings are wanted"),
		"place":  object(nil, schema{"city": in("string", "City", "where in the region")}),
		"units":  schema{"type": "string", "description": "celsius or fahrenheit"},
	})
}

// forecast always tells the same.
func (c *Request) forecast() (any, *jsonrpc.Error) {
	var args struct {
		Region *string `json:"region"`
		Days   *int    `json:"days"`
	}
	if bad := c.arguments(&args); bad != nil {
		return *bad, nil
	}
	if args.Region == nil {
		return says("fine weather everywhere"), nil
	}
	return says("fine weather in %s", *args.Region), nil
}

// InputSchema returns the input schema of a tool that is offered to the caller; nil where there is no such tool.
func (c *Request) InputSchema(tool string) map[string]any {
	for _, t := range c.offeredTools() {
		if t.name == tool {
			input, _ := t.input.(schema)
			return input
		}
	}
	return nil
}
