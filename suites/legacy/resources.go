package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func resources(s *kit.Section) {
	resourcesList(s)
	resourcesURIs(s)
	resourcesTemplates(s)
	resourcesRead(s)
	resourcesChanged(s)
	resourcesSubscribe(s)
}

// resourcesList is about the capability and the list, which the inventory has walked.
func resourcesList(s *kit.Section) {
	// Not the inventory's business: a client that keeps to the handshake never asks for what was not declared.
	undeclared := s.Script("resources/undeclared", kit.Shared, func(c *kit.C) {
		if c.Facts.Capability("resources") != kit.No {
			return
		}
		for _, list := range []judges.Listing{resourceList, templateList} {
			c.Call(list.Method, list.Method, client.Broken("a request of a feature that the server did not declare"))
		}
	})
	s.CheckAcross("resources.capability-declared", []*kit.Script{inventory, undeclared}, func(t *kit.T) {
		judges.ResourcesDeclared(t, undeclared, resourceList, templateList)
	})

	s.Check("resources.list.answered", inventory, func(t *kit.T) {
		judges.ResourcesListed(t, resourceList, "jsonrpc.request.answered")
	}, kit.Resources, kit.Serves)

	s.Check("resources.list.shape", inventory, func(t *kit.T) { judges.ResourceShapes(t, resourceList) }, kit.Resources)
}

// resourcesURIs is about what identifies resources.
func resourcesURIs(s *kit.Section) {
	s.Check("resources.list.uri-valid", inventory, func(t *kit.T) { judges.ResourceURIs(t, resourceList, "resources.list.shape") }, kit.Resources)

	s.Check("resources.list.unique-uris", inventory, func(t *kit.T) {
		judges.Unique(t, judges.ResourcePages(t, resourceList), resourceList)
	}, kit.Resources)
}

// resourcesChanged judges what the script of changes.go recorded: only tools can be called on to change something.
func resourcesChanged(s *kit.Section) {
	s.Check("resources.list-changed", changedLists, func(t *kit.T) { judgeChanged(t, "resources", "/uri") },
		kit.Capability("resources.listChanged"))
}
