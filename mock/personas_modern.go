package mock

import (
	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// modernOnly speaks 2026-07-28 and nothing else.
func modernOnly() Persona {
	return Persona{
		Name: "modern", About: "2026-07-28 only, JSON answers, tools and nothing else", Conforms: true,
		Profile: refserver.Profile{Name: "modern", Era: refserver.EraModern, ToolsOnly: true, Tools: []string{EchoTool}},
	}
}

// modernNames has a tool with a letter beyond ASCII in its name, which it should not have and a header cannot carry.
func modernNames() Persona {
	p := modernOnly()
	p.Name, p.About, p.Conforms = "modern-names", "2026-07-28 only, with a tool whose name goes beyond ASCII", false
	p.Profile.Tools = []string{EchoTool, "mcpcheck_é"}
	return p
}

// modernStreams answers on event streams, and in pages.
func modernStreams() Persona {
	return Persona{
		Name: "modern-streams", About: "2026-07-28 only, answers on event streams, lists in pages, calls take a while", Conforms: true,
		Profile:   refserver.Profile{Name: "modern-streams", Era: refserver.EraModern, SSE: true, ToolsOnly: true, PageSize: 1, Tools: []string{EchoTool, canary}},
		Deviation: &refserver.Deviation{Edits: []refserver.Edit{{On: "result tools/call", Delay: "300ms"}}},
	}
}
