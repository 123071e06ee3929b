package modern

import (
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func resources(s *kit.Section) {
	s.Check("modern.resources.declared", methodsProbe, func(t *kit.T) { undeclaredListed(t, resourceList) })
	s.Check("modern.resources.list-not-per-connection", connections, func(t *kit.T) { samePerConnection(t, resourceList) }, kit.Resources)
	s.Check("modern.resources.list-answered", inventory, func(t *kit.T) { listAnswered(t, resourceList) }, kit.Resources)
	s.Check("modern.resources.list-shape", inventory, func(t *kit.T) { judges.ResourceShapes(t, resourceList) }, kit.Resources)
	s.Check("modern.resources.uri-valid", inventory, func(t *kit.T) { judges.ResourceURIs(t, resourceList, "modern.resources.list-shape") }, kit.Resources)
	s.Check("modern.resources.templates-list", inventory, templates, kit.Resources)
	resourcesRead(s)
	resourcesRefused(s)
}

// templates judges the list of templates. A server without any may not know the method, and mcpcheck fills in none.
func templates(t *kit.T) {
	const expected = "resourceTemplates, an array of objects with uriTemplate and name, or " + expectedNotFound
	t.Says(expected)
	x := t.Conclusive(templateList.Method)
	code := codeOf(x)
	answer, _ := x.Answer()
	switch page := kit.ReadPage(x, templateList.List); {
	case processed(x) && kit.JSONType(answer.Result) != "object":
		t.Blocked("modern.jsonrpc.result-member", "the result is "+kit.JSON(answer.Result))
	case page.Readable:
		judges.TemplateItems(t, templateList)
		if len(page.Items) > 0 {
			judges.URITemplates(t, templateList, t.Warn)
		}
	case processed(x):
		t.Breach(x, expected, kit.Describe(x)+" without an array resourceTemplates")
	case code == codeMethodNotFound || x.Status() == 404:
		t.OK(x, "there are no templates: %s", kit.Describe(x))
	default:
		t.NotObservedAt(kit.Inconclusive, x, "the list of templates was refused: %s", kit.Describe(x))
	}
}

// resourcesRead look at what reading listed resources gives.
func resourcesRead(s *kit.Section) {
	s.Passive("modern.resources.read-shape", func(t *kit.T) { judges.ContentsRead(t, resultsRead) }, kit.Resources)
	s.Passive("modern.resources.binary-encoded", func(t *kit.T) { judges.BlobsRead(t, resultsRead) }, kit.Resources)
	s.Passive("modern.resources.internal-error-code", func(t *kit.T) { internalFailures(t, readMethod) }, kit.Resources)
}

// resultsRead are the results of reading listed resources. An error is no finding: the server may have its reasons.
func resultsRead(t *kit.T) []kit.Seen {
	var all []kit.Seen
	var refused *wire.Exchange
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			if x.RequestMessage().Method != readMethod || x.Broken != "" {
				continue
			}
			answer, ok := judges.AnswerTo(t, tr, x)
			if !ok || answer.Kind != wire.KindResult || judges.Interim(t, answer.Message) {
				refused = x
				continue
			}
			// What is no object is reported by modern.jsonrpc.result-member.
			if kit.JSONType(answer.Result) == "object" {
				all = append(all, answer)
			}
		}
	}
	switch {
	case len(all) > 0:
	case refused != nil:
		t.NotObservedAt(kit.Inconclusive, refused, "no listed resource could be read: %s", kit.Describe(refused))
	case len(t.Facts().Read()) == 0:
		t.NotObserved(kit.Unprovoked, "no listed resource has a URI that mcpcheck would send back")
	default:
		t.NotObserved(kit.Unprovoked, "no listed resource was read")
	}
	return all
}

// resourcesRefused are the rules about reads of what does not exist.
func resourcesRefused(s *kit.Section) {
	contents := func(x *wire.Exchange) (items []json.RawMessage, ok bool) {
		answer, _ := x.Answer()
		return items, processed(x) && answer.Decode("/result/contents", &items) == nil && items != nil
	}
	s.Check("modern.resources.not-found-code", wrongParams, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandServed(t, readMethod, "modern.resources.read-shape")
		x := t.Conclusive("unknown resource", gatewayless...)
		switch items, read := contents(x); {
		case read && len(items) == 0:
			t.Blocked("modern.resources.no-empty-contents", "the answer has no contents", x)
		case read:
			t.NotObservedAt(kit.Inconclusive, x, "a template that takes everything may have answered: %s", kit.Describe(x))
		default:
			invalidParams(t, x, false)
		}
	}, kit.Resources)
	s.Check("modern.resources.no-empty-contents", wrongParams, func(t *kit.T) {
		const expected = "an error, not a result without contents"
		t.Says(expected)
		t.Control("control", "control after")
		x := t.Conclusive("unknown resource")
		if items, read := contents(x); read && len(items) == 0 {
			t.Breach(x, expected, kit.Describe(x)+" and contents []")
			return
		}
		t.OK(x, "%s", kit.Describe(x))
	}, kit.Resources)
}
