package diagnosis

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/wire"
)

// Recognised tells whether the answer can only come from an MCP server: it presents capabilities, an identity or a version.
func Recognised(x *wire.Exchange) bool { return Presentation(x).Kind == wire.KindResult }

// Presentation returns the first result that looks like an answer to initialize, whatever else is wrong with it.
func Presentation(x *wire.Exchange) wire.Message {
	messages := x.Messages()
	if answer, ok := x.Answer(); ok {
		// Over HTTP+SSE it stands on the stream.
		messages = append(slices.Clip(messages), wire.Located{Message: answer, Event: -1})
	}
	for _, m := range messages {
		if !m.HasResult {
			continue
		}
		for _, member := range []string{"/result/protocolVersion", "/result/capabilities", "/result/serverInfo"} {
			if _, ok := m.Pointer(member); ok {
				found := m.Message
				found.Kind = wire.KindResult
				return found
			}
		}
	}
	return wire.Message{}
}

// SpeaksJSONRPC tells that something in the answer names the JSON-RPC version, or has the other members of a response.
func SpeaksJSONRPC(x *wire.Exchange) bool {
	return slices.ContainsFunc(x.Messages(), func(m wire.Located) bool { return m.Version != nil || m.HasID && (m.HasResult || m.HasError) })
}
