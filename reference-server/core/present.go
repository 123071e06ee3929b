package core

import (
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// Instructions are what the server tells a model about itself.
const Instructions = "A server to check checkers with. Its tools with an effect are write-note and those that ask the model or the person."

// An Implementation names a program.
type Implementation struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"` // from 2025-06-18
	Version     string `json:"version"`
	Description string `json:"description,omitempty"` // from 2025-11-25
	Icons       []icon `json:"icons,omitempty"`       // from 2025-11-25
}

type icon struct {
	Src      string   `json:"src"`
	MimeType string   `json:"mimeType,omitempty"`
	Sizes    []string `json:"sizes,omitempty"`
	Theme    string   `json:"theme,omitempty"`
}

// tick is an icon that needs no second request (basic/index#icons).
const tick = "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%208%208'%3E%3Cpath%20d='M1%204l2%202%204-4'/%3E%3C/svg%3E"

// Capabilities are what the server declares that it can do.
type Capabilities struct {
	Tools       *listCapability      `json:"tools,omitempty"`
	Resources   *resourcesCapability `json:"resources,omitempty"`
	Prompts     *listCapability      `json:"prompts,omitempty"`
	Logging     *jsonrpc.Empty       `json:"logging,omitempty"`
	Completions *jsonrpc.Empty       `json:"completions,omitempty"` // from 2025-03-26
	Tasks       *tasksCapability     `json:"tasks,omitempty"`       // from 2025-11-25
}

type listCapability struct {
	ListChanged bool `json:"listChanged,omitempty"`
}

type resourcesCapability struct {
	Subscribe   bool `json:"subscribe,omitempty"`
	ListChanged bool `json:"listChanged,omitempty"`
}

// Info names this server to a caller.
func (s *Server) Info(caller Caller) Implementation {
	info := Implementation{Name: "mcpcheck-reference-server", Version: "1.0.0"}
	if revision.AtLeast(caller.Revision, revision.V20250618) {
		info.Title = "The mcpcheck reference server"
	}
	if revision.AtLeast(caller.Revision, revision.V20251125) {
		info.Description = "A conforming server, and every fault of one."
		info.Icons = []icon{{Src: tick, MimeType: "image/svg+xml", Sizes: []string{"any"}, Theme: "light"}}
	}
	return info
}

// Capabilities declares what the server really does for a caller: what it could not be told is not declared.
func (s *Server) Capabilities(caller Caller) Capabilities {
	declared := Capabilities{
		Tools:     &listCapability{ListChanged: caller.Pushes},
		Resources: &resourcesCapability{Subscribe: caller.Pushes, ListChanged: caller.Pushes},
		Prompts:   &listCapability{ListChanged: caller.Pushes},
	}
	if caller.Keeps || revision.AtLeast(caller.Revision, revision.V20260728) {
		declared.Logging = &jsonrpc.Empty{} // a level has to be kept somewhere, or to come with each request
	}
	if revision.AtLeast(caller.Revision, revision.V20250326) {
		declared.Completions = &jsonrpc.Empty{}
	}
	if s.offersTasks(caller) {
		declared.Tasks = &tasksCapability{}
	}
	if s.NoTools {
		declared.Tools = nil
	}
	if !s.ToolsOnly {
		return declared
	}
	left := Capabilities{Tools: declared.Tools, Tasks: declared.Tasks}
	if len(s.Prompts) > 0 {
		left.Prompts = declared.Prompts
	}
	if s.Completes {
		left.Completions = declared.Completions
	}
	return left
}
