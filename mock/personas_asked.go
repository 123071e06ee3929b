package mock

import (
	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// open keeps no sessions and asks for no handshake: a client that knows neither gets far enough to be seen.
func open() Persona {
	p := streams()
	p.Name, p.About = "open", "keeps no sessions, answers on event streams, sends pings on them"
	p.Profile = refserver.Profile{Name: "open", SSE: true, ToolsOnly: true, Tools: []string{EchoTool}}
	return p
}
