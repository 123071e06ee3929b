package legacy

import (
	"encoding/json"
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
		t.Control("initialize")
		const expected = "a result with resourceTemplates, an array of objects with uriTemplate and name"
		t.Says(expected)
		x := t.Conclusive(templateList.Method)
		answer, answered := x.Answer()
		switch page := kit.ReadPage(x, templateList.List); {
		case page.Readable:
		case answered && answer.Kind == wire.KindError, !answered && x.Status()/100 == 4:
			// Whether templates are part of the capability or optional within it is not said: no more than a warning.
			t.Warn(x, expected, kit.Describe(x))
			return
		case answered:
			member, _ := answer.Pointer("/result/resourceTemplates")
			t.Breach(x, expected, "a result in which resourceTemplates is "+kit.JSON(member))
			return
		default:
			t.Blocked("jsonrpc.request.answered", "resources/templates/list got no answer: "+kit.Describe(x))
		}
		pages := judges.PagesSent(t, templateList)
		if at, found := badItems(t, pages, templateList, "uriTemplate", "name", "title", "description", "mimeType"); len(found) > 0 {
			wanted, got := kit.Wording(found)
			t.Breach(at, wanted, got)
			return
		}
		t.OK(x, "resources/templates/list is answered with %s", judges.Counted(pages, "template"))
	}, kit.Resources, kit.Serves, kit.BlockedBy("version-header.negotiated-accepted"))

	s.Check("resources.templates.uri-template", inventory, func(t *kit.T) {
		const expected = "URI templates after RFC 6570"
		t.Says(expected)
		var bad badURIs
		good := 0
		pages := templatePages(t, templateList)
		for _, page := range pages {
			for _, raw := range page.Items {
				template, ok := kit.Text(raw, templateList.Key)
				if !ok {
					continue // resources.templates.answered
				}
				if why := kit.TemplateFault(template); why != "" {
					bad.add(page.Exchange, template, why)
					continue
				}
				good++
			}
		}
		switch {
		case bad.n > 0:
			t.Breach(bad.x, expected, bad.String())
		case good > 0:
			t.OK(pages[0].Exchange, "%d valid URI templates", good)
		default:
			t.Blocked("resources.templates.answered", "no template has a uriTemplate that could be read")
		}
	}, kit.Resources)
}

// resourcesRead is about what reading gives: for one or two listed resources, and for what cannot be read.
func resourcesRead(s *kit.Section) {
	read := s.Script("resources/read", kit.Shared, func(c *kit.C) {
		var steps []func()
		for i, r := range c.Facts.Read() {
			steps = append(steps, func() {
				resume(c, c.Call(readLabel(i), readMethod, client.WithParams(map[string]any{"uri": r.URI}), client.GiveUp(readPatience)))
			})
		}
		c.Parallel(steps...)
	}, kit.Resources)
	both := []*kit.Script{inventory, read}

	s.CheckAcross("resources.read.shape", both, func(t *kit.T) {
		t.Says("contents, an array of items with uri and either text or blob")
		for _, answer := range readResults(t, read) {
			judgeContents(t, answer)
		}
		t.Unseen(kit.Unprovoked, "the contents of what was read are empty")
	}, kit.Resources)

	s.CheckAcross("resources.read.binary-encoded", both, func(t *kit.T) {
		const expected = "standard base64 in blob"
		t.Says(expected)
		for _, answer := range readResults(t, read) {
			for i, item := range contentsOf(answer.Message) {
				blob, ok := kit.Text(item, "blob")
				if !ok {
					continue
				}
				got := fmt.Sprintf("/result/contents/%d/blob is %s", i, kit.Base64(blob))
				switch kit.Base64(blob) {
				case kit.NotBase64:
					t.BreachAt(answer, expected, got+": "+kit.Quote([]byte(blob)))
				case kit.Base64URL:
					t.WarnAt(answer, expected, got)
				case kit.Base64Loose:
					t.NoteAt(answer, "%s: some clients cannot decode it", got)
				default:
					t.OK(answer.Exchange, "blob is standard base64")
				}
			}
		}
		t.Unseen(kit.Unprovoked, "none of the resources that were read has a blob")
	}, kit.Resources)

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
		c.Call("control", resourceList.Method)
		c.Parallel(
			attempt("unknown", "mcpcheck-no-such:///"+bogusName(c), "the URI of a resource that does not exist"),
			attempt("number", 5, "a URI that is a number"),
			attempt("no URI", "not a uri", "a URI without a scheme"),
		)
		c.Call("control after", resourceList.Method)
	}, kit.Resources)

	s.Check("resources.read.not-found", wrong, func(t *kit.T) {
		t.Control("control", "control after")
		const expected = "JSON-RPC error -32002"
		t.Says(expected)
		x := t.Conclusive("unknown")
		answer, answered := judges.AnswerOf(t, x)
		code, _ := answer.ErrorCode()
		contents, _ := answer.Pointer("/result/contents")
		switch {
		case answered && answer.Kind == wire.KindError && code == codeResourceNotFound:
			t.OK(answer.Exchange, "%s", kit.DescribeMessage(answer.Message))
		case answered && answer.Kind == wire.KindError && code == judges.CodeInvalidParams:
			t.WarnAt(answer, expected, kit.DescribeMessage(answer.Message)+
				", which is the code of 2026-07-28: several SDKs send it in every revision")
		case answered && answer.Kind == wire.KindError:
			t.WarnAt(answer, expected, kit.DescribeMessage(answer.Message))
		case answered && kit.JSONType(contents) == "array" && len(contentsOf(answer.Message)) == 0:
			t.WarnAt(answer, expected, "a result with empty contents, as if the resource existed")
		case answered && kit.JSONType(contents) == "array":
			t.NotObservedAt(kit.Inconclusive, answer.Exchange, "the server has contents for a URI that mcpcheck made up: one of its templates seems to match everything")
		case !answered && x.Status()/100 == 4:
			t.Warn(x, expected, kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "the read of an unknown resource was neither refused nor answered with contents: %s", kit.Describe(x))
		}
	}, kit.Resources)

	s.Check("resources.read.not-found-data", wrong, func(t *kit.T) {
		t.Control("control", "control after")
		t.Says("the URI in error.data.uri")
		x := t.Conclusive("unknown")
		answer, answered := judges.AnswerOf(t, x)
		var asked, named string
		_ = x.RequestMessage().Decode("/params/uri", &asked)
		found := answered && answer.Kind == wire.KindError && answer.Decode("/error/data/uri", &named) == nil && named == asked
		switch code, _ := answer.ErrorCode(); {
		case found:
			t.OK(answer.Exchange, "the error names the URI in data.uri")
		case answered && answer.Kind == wire.KindError && code == codeResourceNotFound:
			data, _ := answer.Pointer("/error/data")
			t.NoteAt(answer, "the error for an unknown resource does not name the URI in data.uri: data is %s", kit.JSON(data))
		default:
			t.Blocked("resources.read.not-found", "an unknown resource is not answered by the error that would name it: "+kit.Describe(x))
		}
	}, kit.Resources)

	s.Passive("resources.read.internal-error", func(t *kit.T) {
		judges.InternalFailures(t, readMethod, resourceList.Method, templateList.Method, subscribeMethod, unsubscribeMethod)
	}, kit.Resources)

	s.Check("resources.read.validates-uri", wrong, func(t *kit.T) {
		t.Control("control", "control after")
		const expected = "an error for a uri that is no URI"
		t.Says(expected)
		number, text := t.Conclusive("number"), t.Conclusive("no URI")
		if answer, ok := judges.AnswerOf(t, number); ok && len(contentsOf(answer.Message)) > 0 {
			t.BreachAt(answer, expected, "contents for the number 5")
			return // one cause: nothing is checked
		}
		if answer, ok := judges.AnswerOf(t, text); ok && len(contentsOf(answer.Message)) > 0 {
			t.WarnAt(answer, expected, `contents for "not a uri"`)
			return
		}
		for _, x := range []*wire.Exchange{number, text} {
			answer, answered := judges.AnswerOf(t, x)
			if answered && answer.Kind == wire.KindError || !answered && x.Status()/100 == 4 {
				continue
			}
			t.NotObservedAt(kit.Inconclusive, x, "a uri that is no URI gave neither an error nor contents: %s", kit.Describe(x))
		}
		t.OK(number, "a number and a text without scheme are refused: %s", kit.Describe(number))
	}, kit.Resources)
}

func readLabel(i int) string { return fmt.Sprintf("read %d", i+1) }

// readResults are the results of reading listed resources, one or two. An error is no finding: the server may have its reasons.
func readResults(t *kit.T, read *kit.Script) []kit.Seen {
	if len(t.Facts().Read()) == 0 {
		resourcePages(t, resourceList)
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
		switch answer, ok := judges.AnswerTo(t, tr, x); {
		case !ok || answer.Kind != wire.KindResult:
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

// judgeContents judges the result of one read. That an item has another uri than the one asked for is fine: it may be a directory.
func judgeContents(t *kit.T, answer kit.Seen) {
	const expected = "contents, an array of items with uri and either text or blob"
	if contents, _ := answer.Pointer("/result/contents"); kit.JSONType(contents) != "array" {
		t.BreachAt(answer, expected, "contents "+kit.JSON(contents))
		return
	}
	twofold := -1
	items := contentsOf(answer.Message)
	for i, item := range items {
		var members map[string]json.RawMessage
		_ = json.Unmarshal(item, &members)
		text, blob := kit.JSONType(members["text"]) == "string", kit.JSONType(members["blob"]) == "string"
		place := fmt.Sprintf("/result/contents/%d", i)
		switch {
		case !judges.IsObject(item):
			t.BreachAt(answer, expected, place+" is "+kit.JSON(item))
			return
		case kit.JSONType(members["uri"]) != "string":
			t.BreachAt(answer, expected, place+"/uri is "+kit.JSON(members["uri"]))
			return
		case !text && !blob:
			t.BreachAt(answer, expected, fmt.Sprintf("%s without text and blob that are strings; text is %s, blob is %s", place,
				kit.JSON(members["text"]), kit.JSON(members["blob"])))
			return
		case text && blob && twofold < 0:
			twofold = i
		}
	}
	switch {
	case twofold >= 0:
		t.WarnAt(answer, expected, fmt.Sprintf("/result/contents/%d with both text and blob", twofold))
	case len(items) > 0:
		t.OK(answer.Exchange, "contents have uri and either text or blob in each item (%d)", len(items))
	}
}

// contentsOf are the items in the result of a read; none where there is no array.
func contentsOf(answer wire.Message) []json.RawMessage {
	contents, _ := answer.Pointer("/result/contents")
	var items []json.RawMessage
	if kit.JSONType(contents) != "array" || json.Unmarshal(contents, &items) != nil {
		return nil
	}
	return items
}
