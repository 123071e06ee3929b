package legacy

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

// promptsGet gets one prompt that needs no argument and looks at what it consists of.
func promptsGet(s *kit.Section) {
	get := s.Script("prompts/get", kit.Shared, func(c *kit.C) {
		if p, ok := plainPrompt(c.Facts); ok {
			// Arguments are optional, but some servers take a missing member for a missing object.
			resume(c, c.Call("get", "prompts/get", client.WithParams(map[string]any{"name": p.Name, "arguments": struct{}{}})))
		}
	}, kit.Prompts)

	s.Check("prompts.get.shape", get, func(t *kit.T) {
		const expected = "messages with role user or assistant and one content object of a type of the revision"
		t.Says(expected)
		demandListed(t, plainPrompt, "every prompt requires an argument, and mcpcheck makes none up")
		x := t.Conclusive("get")
		answer, ok := judges.AnswerOf(t, x)
		if !ok || answer.Kind != wire.KindResult {
			t.NotObservedAt(kit.Inconclusive, x, "the prompt could not be had: %s", kit.Describe(x))
		}
		if found := badMessages(t, answer.Message); len(found) > 0 {
			expected, got := kit.Wording(found)
			t.BreachAt(answer, expected, got)
			return
		}
		if len(promptContents(answer.Message)) == 0 {
			t.NotObservedAt(kit.Inconclusive, x, "the prompt has no messages in it")
		}
		t.OK(answer.Exchange, "a prompt of %d messages, each with a role and one content object", len(promptContents(answer.Message)))
	})

	s.Passive("prompts.get.image", func(t *kit.T) { judgeMedia(t, "image") }, kit.Prompts)

	s.Passive("prompts.get.audio", func(t *kit.T) { judgeMedia(t, "audio") }, kit.Prompts)

	s.Passive("prompts.get.embedded-resource", func(t *kit.T) {
		t.Says("an embedded resource with a URI, a MIME type, and text or base64 blob")
		j := newPromptJudge(t, "resource", "embeds a resource")
		for _, c := range j.contents {
			judgeEmbedded(j, c)
		}
	}, kit.Prompts)
}

// promptsRefused are requests for prompts that cannot be had. They are no genuine ones, so that the list is the control.
func promptsRefused(s *kit.Section) {
	refused := s.Script("prompts/refused", kit.Shared, func(c *kit.C) {
		get := func(label, name string, arguments any, broken string) {
			params := map[string]any{"name": name, "arguments": arguments}
			resume(c, c.Call(label, "prompts/get", client.WithParams(params), client.Broken(broken)))
		}
		c.Call("control", "prompts/list")
		get("unknown name", bogusName(c), struct{}{}, "the name of a prompt that does not exist")
		if p, ok := demandingPrompt(c.Facts); ok {
			get("missing argument", p.Name, struct{}{}, "a prompt without the argument "+kit.Quote([]byte(p.Required[0]))+", which it requires")
			// With more arguments than one there would be two things wrong, or values to make up.
			if len(p.Required) == 1 {
				get("number", p.Name, map[string]any{p.Required[0]: 7}, "a prompt with a number for an argument; arguments are strings")
			}
		}
		c.Call("control after", "prompts/list")
	}, kit.Prompts)

	s.Check("prompts.get.unknown-name", refused, func(t *kit.T) {
		t.Control("control", "control after")
		judges.InvalidParams(t, t.Conclusive("unknown name"), "the request for an unknown prompt")
	})

	s.Check("prompts.get.missing-argument", refused, func(t *kit.T) {
		t.Control("control", "control after")
		demandListed(t, demandingPrompt, "")
		judges.InvalidParams(t, t.Conclusive("missing argument"), "the request without a required argument")
	})

	s.Passive("prompts.get.internal-error", func(t *kit.T) {
		judges.InternalFailures(t, "prompts/get", "prompts/list")
	}, kit.Prompts)

	s.Check("prompts.arguments-validated", refused, func(t *kit.T) {
		t.Control("control", "control after")
		demandListed(t, demandingPrompt, "")
		t.Says("prompts with missing or mistyped arguments refused")
		x := t.Conclusive("missing argument")
		switch answer, answered := judges.AnswerOf(t, x); {
		case answered && answer.Kind == wire.KindResult:
			t.Blocked("prompts.get.missing-argument", "a required argument may be left out, so that the type of another value says nothing")
		case !answered && x.Status()/100 != 4:
			t.NotObservedAt(kit.Inconclusive, x, "the request without a required argument got no answer: %s", kit.Describe(x))
		}
		t.OK(x, "a prompt without an argument that it requires is refused: %s", kit.Describe(x))
		if t.IfSent("number") == nil {
			return
		}
		if answer, answered := judges.AnswerOf(t, t.Conclusive("number")); answered && answer.Kind == wire.KindResult {
			t.NoteAt(answer, "a prompt is served with a number for an argument; arguments are strings")
		}
	})
}

// plainPrompt is the first prompt that requires no argument, demandingPrompt the first that does. A name that is listed twice is none:
// prompts.list.unique-names says so.
func plainPrompt(f *kit.Facts) (kit.Prompt, bool) {
	return promptThat(f, func(p kit.Prompt) bool { return len(p.Required) == 0 })
}

func demandingPrompt(f *kit.Facts) (kit.Prompt, bool) {
	// Where its arguments could not be read it has none of them, see prompts.list.shape.
	return promptThat(f, func(p kit.Prompt) bool { return len(p.Required) > 0 && len(p.Arguments) > 0 && p.Required[0] != "" })
}

func promptThat(f *kit.Facts, fits func(kit.Prompt) bool) (kit.Prompt, bool) {
	times := map[string]int{}
	for _, p := range f.Prompts {
		times[p.Name]++
	}
	i := slices.IndexFunc(f.Prompts, func(p kit.Prompt) bool { return times[p.Name] == 1 && fits(p) })
	if i < 0 {
		return kit.Prompt{}, false
	}
	return f.Prompts[i], true
}

// demandListed demands a prompt of some kind. Without one the server offers nothing of the kind, unless otherwise says why there is
// only nothing to see.
func demandListed(t *kit.T, choose func(*kit.Facts) (kit.Prompt, bool), otherwise string) {
	_, ok := choose(t.Facts())
	switch {
	case ok:
	case len(t.Facts().Prompts) == 0:
		t.NotApplicable("no prompt is listed")
	case otherwise != "":
		t.NotObserved(kit.Unprovoked, "%s", otherwise)
	default:
		t.NotApplicable("no prompt requires an argument")
	}
}

// badMessages lists what the revision's schema does not allow in the messages of a prompt. The members of images, sounds and embedded
// resources have requirements of their own, and types of later revisions are lifecycle.operation.negotiated-version's.
func badMessages(t *kit.T, answer wire.Message) []schema.Violation {
	found, _ := t.Schema().Result("prompts/get", answer.Result)
	// What is no object at all is jsonrpc.response.result-object's.
	found = kit.Without(kit.Within(found, "/result/messages"),
		"/result/messages/*/content/annotations", "/result/messages/*/content/icons", "/result/messages/*/content/_meta")
	contents := promptContents(answer)
	return slices.DeleteFunc(found, func(v schema.Violation) bool {
		// "", "result", "messages", index, "content", member
		steps := strings.Split(v.Path, "/")
		if len(steps) < 6 {
			return false
		}
		i, err := strconv.Atoi(steps[3])
		return err == nil && i < len(contents) && slices.Contains(judgedElsewhere[contents[i].kind], steps[5])
	})
}

// judgedElsewhere are members of contents that prompts.get.shape leaves alone, by type.
var judgedElsewhere = map[string][]string{
	"image":         {"data", "mimeType"},
	"audio":         {"data", "mimeType", "type"},
	"resource":      {"resource"},
	"resource_link": {"type"},
}

// A promptContent is the content of one message of a prompt.
type promptContent struct {
	wire.Message
	kind string
	in   kit.Seen // the answer that it stands in
}

// promptContents returns the contents in order. One that is no object has no kind.
func promptContents(answer wire.Message) []promptContent {
	var messages []json.RawMessage
	_ = answer.Decode("/result/messages", &messages)
	all := make([]promptContent, len(messages))
	for i, raw := range messages {
		content, _ := wire.ReadMessage(raw).Pointer("/content")
		all[i].Message = wire.ReadMessage(content)
		_ = all[i].Decode("/type", &all[i].kind)
	}
	return all
}

// A promptJudge looks at the contents of one type in all prompts that were asked for as they should be, and tells each thing once.
type promptJudge struct {
	*kit.T
	contents []promptContent
	told     map[string]bool
}

// newPromptJudge gathers the contents; the phrase says what a prompt with such a content does.
func newPromptJudge(t *kit.T, kind, phrase string) *promptJudge {
	j := &promptJudge{T: t, told: map[string]bool{}}
	prompts := 0
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			if x.RequestMessage().Method != "prompts/get" || x.Broken != "" {
				continue
			}
			answer, ok := judges.AnswerIn(t, tr, x)
			if !ok || answer.Kind != wire.KindResult {
				continue
			}
			prompts++
			for _, c := range promptContents(answer.Message) {
				if c.in = answer; c.kind == kind {
					j.contents = append(j.contents, c)
				}
			}
		}
	}
	t.Unseen(kit.Unprovoked, "no prompt could be had")
	if prompts > 0 {
		t.Unseen(kit.Unprovoked, "no prompt that was asked for %s", phrase)
	}
	return j
}

func (j *promptJudge) once(what string, tell func()) {
	if !j.told[what] {
		j.told[what] = true
		tell()
	}
}

func (j *promptJudge) breach(c promptContent, expected, got string) {
	j.once(expected, func() { j.BreachAt(c.in, expected, got) })
}

// base64 judges encoded data; it tells whether there is some that clients can read.
func (j *promptJudge) base64(c promptContent, pointer, what string) bool {
	raw, _ := c.Pointer(pointer)
	var data string
	if kit.JSONType(raw) != "string" || c.Decode(pointer, &data) != nil {
		j.breach(c, what+" as a string in base64", fmt.Sprintf("%s is %s", what, kit.JSON(raw)))
		return false
	}
	switch form := kit.Base64(data); form {
	case kit.NotBase64:
		j.breach(c, what+" in base64", fmt.Sprintf("%s is %s: %s", what, form, kit.Quote([]byte(data))))
		return false
	case kit.Base64URL:
		j.once(form.String(), func() { j.WarnAt(c.in, what+" in standard base64", fmt.Sprintf("%s is %s", what, form)) })
	case kit.Base64Loose:
		j.once(form.String(), func() { j.NoteAt(c.in, "%s is %s: some clients cannot decode it", what, form) })
	}
	return true
}

// mimeType matches type and subtype after RFC 2045, parameters aside.
var mimeType = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+/[A-Za-z0-9!#$%&'*+.^_`|~-]+\\s*(;.*)?$")

// judgeMedia judges images or sounds in prompts.
func judgeMedia(t *kit.T, kind string) {
	t.Says("base64 data with a MIME type")
	j := newPromptJudge(t, kind, "has "+kind+" content")
	for _, c := range j.contents {
		readable := j.base64(c, "/data", "data")
		raw, _ := c.Pointer("/mimeType")
		var name string
		if kit.JSONType(raw) != "string" || c.Decode("/mimeType", &name) != nil || !mimeType.MatchString(name) {
			j.breach(c, "a valid MIME type", "mimeType is "+kit.JSON(raw))
			continue
		}
		if readable {
			t.OK(c.in.Exchange, "%s content is base64 with the type %s", kind, kit.Quote([]byte(name)))
		}
	}
}

// schemedURI matches what has a scheme and nothing in it that no URI has. Letters beyond ASCII are tolerated, as in many file names.
var schemedURI = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20\x7f<>"]+$`)

// judgeEmbedded judges one resource that stands in a prompt.
func judgeEmbedded(j *promptJudge, c promptContent) {
	var uri, text, name string
	rawURI, _ := c.Pointer("/resource/uri")
	rawText, hasText := c.Pointer("/resource/text")
	_, hasBlob := c.Pointer("/resource/blob")
	rawType, _ := c.Pointer("/resource/mimeType")
	sound := true
	if c.Decode("/resource/uri", &uri) != nil || !schemedURI.MatchString(uri) {
		sound = false
		j.breach(c, "a resource with a valid URI", "uri is "+kit.JSON(rawURI))
	}
	switch {
	case hasText && kit.JSONType(rawText) == "string" && c.Decode("/resource/text", &text) == nil:
	case hasBlob:
		sound = j.base64(c, "/resource/blob", "blob") && sound
	default:
		sound = false
		j.breach(c, "a resource with text or blob", "text is "+kit.JSON(rawText)+", and there is no blob")
	}
	if kit.JSONType(rawType) != "string" || c.Decode("/resource/mimeType", &name) != nil || name == "" {
		sound = false
		j.once("type", func() { j.WarnAt(c.in, "a resource with a MIME type", "mimeType is "+kit.JSON(rawType)) })
	}
	if sound {
		j.OK(c.in.Exchange, "an embedded resource has a URI, a MIME type, and text or blob: %s", kit.Quote([]byte(uri)))
	}
}
