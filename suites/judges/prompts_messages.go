package judges

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

// PromptMessages judges the messages of a prompt that needs no argument.
func PromptMessages(t *kit.T, label string, choose func(*kit.Facts) (kit.Prompt, bool)) {
	const expected = "messages with role user or assistant and one content object of a type of the revision"
	t.Says(expected)
	DeclaredServed(t, "prompts", "prompts/get", expected)
	DemandPrompt(t, choose, "every prompt requires an argument, and mcpcheck makes none up")
	x := t.Conclusive(label)
	answer, _ := AnswerOf(t, x)
	if answer.Kind != wire.KindResult {
		t.NotObservedAt(kit.Inconclusive, x, "the prompt could not be had: %s", kit.Describe(x))
	}
	if Interim(t, answer.Message) {
		t.NotObservedAt(kit.Inconclusive, answer.Exchange, "the prompt is not there yet: its result is not complete")
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
}

// PromptResources judges resources that stand in prompts.
func PromptResources(t *kit.T) {
	t.Says("an embedded resource with a URI, a MIME type, and text or base64 blob")
	j := newPromptJudge(t, "resource", "embeds a resource")
	for _, c := range j.contents {
		judgeEmbedded(j, c)
	}
}

// badMessages lists what the revision's schema does not allow in the messages of a prompt. The members of images, sounds and embedded
// resources have requirements of their own, and types of later revisions are for the rule about what was negotiated.
func badMessages(t *kit.T, answer wire.Message) []schema.Violation {
	found := t.ResultShape("prompts/get", answer.Result)
	// What is no object at all is for ResultObjects.
	found = kit.Without(kit.Within(found, "/result/messages"),
		"/result/messages/*/content/annotations", "/result/messages/*/content/icons", "/result/messages/*/content/_meta")
	contents := promptContents(answer)
	return slices.DeleteFunc(found, func(v schema.Violation) bool {
		// "", "result", "messages", index, "content", member
		steps := strings.Split(v.Path, "/")
		if len(steps) < 6 {
			return false
		}
		i, _ := strconv.Atoi(steps[3])
		return slices.Contains(judgedElsewhere[contents[i].kind], steps[5])
	})
}

// judgedElsewhere are members of contents that PromptMessages leaves alone, by type.
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

func (j *promptJudge) once(what string, tell func()) {
	if !j.told[what] {
		j.told[what] = true
		tell()
	}
}

func (j *promptJudge) breach(c promptContent, expected, got string) {
	j.once(expected, func() { j.BreachAt(c.in, expected, got) })
}

// base64 judges encoded data.
func (j *promptJudge) base64(c promptContent, member, what string) {
	data, ok := kit.Text(c.Raw(), member)
	if !ok {
		raw, _ := c.Pointer("/" + member)
		j.breach(c, what+" as a string in base64", fmt.Sprintf("%s is %s", what, kit.JSON(raw)))
	}
	switch form := kit.Base64(data); form {
	case kit.NotBase64:
		j.breach(c, what+" in base64", fmt.Sprintf("%s is %s: %s", what, form, kit.Quote([]byte(data))))
	case kit.Base64URL:
		j.once(form.String(), func() { j.WarnAt(c.in, what+" in standard base64", fmt.Sprintf("%s is %s", what, form)) })
	case kit.Base64Loose:
		j.once(form.String(), func() { looseBase64(j.T, c.in, what+" in standard base64", fmt.Sprintf("%s is %s", what, form)) })
	}
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
			answer, ok := AnswerIn(t, tr, x)
			if !ok || answer.Kind != wire.KindResult || Interim(t, answer.Message) {
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

// mimeType matches type and subtype after RFC 2045, parameters aside.
var mimeType = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+/[A-Za-z0-9!#$%&'*+.^_`|~-]+\\s*(;.*)?$")

// PromptMedia judges images or sounds in prompts.
func PromptMedia(t *kit.T, kind string) {
	t.Says("base64 data with a MIME type")
	j := newPromptJudge(t, kind, "has "+kind+" content")
	for _, c := range j.contents {
		j.base64(c, "data", "data")
		name, _ := kit.Text(c.Raw(), "mimeType")
		if !mimeType.MatchString(name) {
			raw, _ := c.Pointer("/mimeType")
			j.breach(c, "a valid MIME type", "mimeType is "+kit.JSON(raw))
		}
		t.OK(c.in.Exchange, "%s content is base64 with the type %s", kind, kit.Quote([]byte(name)))
	}
}

// schemedURI matches what has a scheme and nothing in it that no URI has. Letters beyond ASCII are tolerated, as in many file names.
var schemedURI = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20\x7f<>"]+$`)

// judgeEmbedded judges one resource that stands in a prompt.
func judgeEmbedded(j *promptJudge, c promptContent) {
	said := func(member string) string {
		raw, _ := c.Pointer("/resource/" + member)
		return member + " is " + kit.JSON(raw)
	}
	uri, _ := kit.Text(c.Raw(), "resource/uri")
	if !schemedURI.MatchString(uri) {
		j.breach(c, "a resource with a valid URI", said("uri"))
	}
	_, hasText := kit.Text(c.Raw(), "resource/text")
	_, hasBlob := c.Pointer("/resource/blob")
	switch {
	case hasText:
	case hasBlob:
		j.base64(c, "resource/blob", "blob")
	default:
		j.breach(c, "a resource with text or blob", said("text")+", and there is no blob")
	}
	if name, _ := kit.Text(c.Raw(), "resource/mimeType"); name == "" {
		j.once("type", func() { j.WarnAt(c.in, "a resource with a MIME type", said("mimeType")) })
	}
	j.OK(c.in.Exchange, "an embedded resource has a URI, a MIME type, and text or blob: %s", kit.Quote([]byte(uri)))
}
