package legacy

import (
	"fmt"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const (
	readMethod = "resources/read"
	// codeResourceNotFound is what the legacy revisions recommend (server/resources#error-handling).
	codeResourceNotFound = -32002
	// readPatience is how long a read may take: a resource may be big, and we only want to see how it comes.
	readPatience = time.Second
)

// resourcesTemplates is about the list of templates. None is ever expanded: mcpcheck makes up no URI that might mean something.
func resourcesTemplates(s *kit.Section) {
	s.Check("resources.templates.answered", inventory, func(t *kit.T) {
		judges.TemplatesListed(t, templateList, "jsonrpc.request.answered")
	}, kit.Resources, kit.Serves)

	s.Check("resources.templates.uri-template", inventory, func(t *kit.T) { judges.URITemplates(t, templateList, t.Breach) }, kit.Resources)
}

// otherNotFound says whose code for an unknown resource it is that is not this era's.
func otherNotFound(code int64) string {
	if code == judges.CodeInvalidParams {
		return ", which is the code of 2026-07-28: several SDKs send it in every revision"
	}
	return ""
}

// resourcesRead is about what reading gives: for one or two listed resources, and for what cannot be read.
func resourcesRead(s *kit.Section) {
	read := s.Script("resources/read", kit.Shared, func(c *kit.C) {
		var steps []func()
		for i, r := range c.Facts.Read() {
			steps = append(steps, func() {
				resume(c, c.Call(readLabel(i), readMethod, client.WithParams(map[string]any{"uri": r.URI}), client.GiveUp(max(readPatience, c.Client().Soon()))))
			})
		}
		c.Parallel(steps...)
	}, kit.Resources)
	both := []*kit.Script{inventory, read}
	results := func(t *kit.T) []kit.Seen { return readResults(t, read) }

	s.CheckAcross("resources.read.shape", both, func(t *kit.T) { judges.ContentsRead(t, results) }, kit.Resources)

	s.CheckAcross("resources.read.binary-encoded", both, func(t *kit.T) { judges.BlobsRead(t, results) }, kit.Resources)

	resourcesRefused(s)
}

// resourcesRefused are reads of what is no resource. They are no genuine ones, so that the list is the control.
func resourcesRefused(s *kit.Section) {
	wrong := s.Script("resources/wrong-reads", kit.Shared, func(c *kit.C) {
		attempt := func(label string, uri any, broken string) func() {
			return func() {
				resume(c, c.Call(label, readMethod, client.WithParams(map[string]any{"uri": uri}), client.Broken(broken)))
			}
		}
		c.Control("control", resourceList.Method)
		c.Parallel(
			attempt("unknown", "mcpcheck-no-such:///"+c.BogusName(), "the URI of a resource that does not exist"),
			attempt("number", 5, "a URI that is a number"),
			attempt("no URI", "not a uri", "a URI without a scheme"),
		)
		c.Call("control after", resourceList.Method)
	}, kit.Resources)

	s.Check("resources.read.not-found", wrong, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandServed(t, readMethod, "resources.read.shape")
		judges.UnknownResource(t, "unknown", codeResourceNotFound, otherNotFound)
	}, kit.Resources)

	s.Check("resources.read.not-found-data", wrong, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandServed(t, readMethod, "resources.read.shape")
		judges.UnknownResourceNamed(t, "unknown", codeResourceNotFound, "resources.read.not-found")
	}, kit.Resources)

	s.Passive("resources.read.internal-error", func(t *kit.T) {
		judges.InternalFailures(t, readMethod, resourceList.Method, templateList.Method, subscribeMethod, unsubscribeMethod)
	}, kit.Resources)

	s.Check("resources.read.validates-uri", wrong, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandServed(t, readMethod, "resources.read.shape")
		judges.URIsValidated(t, "number", "no URI")
	}, kit.Resources)
}

func readLabel(i int) string { return fmt.Sprintf("read %d", i+1) }

// readResults are the results of reading listed resources, one or two. An error is no finding: the server may have its reasons.
func readResults(t *kit.T, read *kit.Script) []kit.Seen {
	judges.DemandServed(t, readMethod, "resources.read.shape")
	if len(t.Facts().Read()) == 0 {
		judges.ResourcePages(t, resourceList)
		t.NotObserved(kit.Unprovoked, "no listed resource has a URI that mcpcheck would send back")
	}
	tr := t.In(read).Transcript()
	var all []kit.Seen
	var refused *wire.Exchange
	for i := range t.Facts().Read() {
		x := tr.Exchange(readLabel(i))
		if x == nil {
			continue
		}
		switch answer, _ := judges.AnswerTo(t, tr, x); {
		case answer.Kind != wire.KindResult:
			refused = x
		case kit.JSONType(answer.Result) != "object":
			t.Blocked("jsonrpc.response.result-object", "the result is "+kit.JSON(answer.Result))
		default:
			all = append(all, answer)
		}
	}
	if len(all) == 0 {
		if refused == nil {
			t.In(read).Answered(readLabel(0)) // says why it was not sent
		}
		t.NotObservedAt(kit.Inconclusive, refused, "no listed resource could be read: %s", kit.Describe(refused))
	}
	return all
}
