package core

import (
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// The tools here ask the person in front of the client (from 2025-06-18: client/elicitation).

type elicitForm struct {
	Mode            string `json:"mode,omitempty"` // from 2025-11-25
	Message         string `json:"message"`
	RequestedSchema schema `json:"requestedSchema"`
}

type elicitURL struct {
	Mode          string `json:"mode"`
	Message       string `json:"message"`
	ElicitationID string `json:"elicitationId,omitempty"` // until 2025-11-25
	URL           string `json:"url"`
}

type elicitResult struct {
	Action  string                     `json:"action"`
	Content map[string]json.RawMessage `json:"content"`
}

// offersForms: an empty object declares forms, and so does every declaration of a revision that knows nothing else
// (client/elicitation#capabilities).
func (c *Request) offersForms() bool {
	elicitation := c.Caller.Capabilities.Elicitation
	return declared(elicitation, "form") || declared(elicitation, "") && (len(membersOf(elicitation)) == 0 || !revision.AtLeast(c.Caller.Revision, revision.V20251125))
}

func (c *Request) offersURLs() bool {
	return revision.AtLeast(c.Caller.Revision, revision.V20251125) && declared(c.Caller.Capabilities.Elicitation, "url")
}

// orderForm has a field of each kind; no object is nested in it (client/elicitation#requested-schema).
func (c *Request) orderForm() schema {
	fields := schema{
		"name":   schema{"type": "string", "title": "Name", "description": "Who orders?", "minLength": 1, "maxLength": 50},
		"email":  schema{"type": "string", "format": "email"},
		"cups":   schema{"type": "integer", "minimum": 1, "maximum": 12},
		"drink":  schema{"type": "string", "enum": []string{"coffee", "tea"}},
		"sugar":  schema{"type": "boolean", "default": false},
		"degree": schema{"type": "number", "minimum": 0, "maximum": 100},
	}
	if revision.AtLeast(c.Caller.Revision, revision.V20251125) {
		choice := func(value, title string) schema { return schema{"const": value, "title": title} }
		fields["extras"] = schema{"type": "array", "items": schema{"type": "string", "enum": []string{"milk", "honey"}}, "maxItems": 2}
		fields["size"] = schema{"type": "string", "oneOf": []any{choice("s", "Small"), choice("l", "Large")}, "default": "s"}
	}
	return object([]string{"name", "cups", "drink"}, fields)
}

// askPerson shows a form, and trusts no client to have checked what comes back (client/elicitation#security-considerations).
func (c *Request) askPerson() (any, *jsonrpc.Error) {
	if !c.offersForms() {
		return c.lacksForms()
	}
	form := elicitForm{Mode: since(c, revision.V20251125, "form"), Message: "What may we bring you?", RequestedSchema: c.orderForm()}
	result, instead := c.elicit(form)
	switch {
	case instead != nil:
		return end(instead)
	case result.Action != "accept":
		return says("nothing was ordered: %s", result.Action), nil
	}
	if wrong := misfit(form.RequestedSchema, result.Content); wrong != "" {
		return Fails("the order does not fit the form: %s", wrong), nil
	}
	return says("the order was taken"), nil
}

// askPersonURL sends the person to a page. There is none behind it: whoever agrees counts as having been there.
func (c *Request) askPersonURL() (any, *jsonrpc.Error) {
	if !c.offersURLs() {
		return c.lacks(map[string]any{"elicitation": map[string]any{"url": jsonrpc.Empty{}}}, "the client opens no URLs")
	}
	page := c.newPage("Please sign in to the coffee shop.")
	result, instead := c.elicit(page)
	switch {
	case instead != nil:
		return end(instead)
	case result.Action != "accept":
		return says("the page was not opened: %s", result.Action), nil
	}
	c.visited(page)
	return says("the page was opened"), nil
}

// codeURLElicitationRequired says that a page has to be visited first (client/elicitation#url-elicitation-required-error).
const codeURLElicitationRequired = -32042

// openLocked works once the person has been to a page, and until then says so by an error, without asking.
func (c *Request) openLocked() (any, *jsonrpc.Error) {
	if !c.offersURLs() {
		return Fails("the client opens no URLs"), nil
	}
	page := c.newPage("Please unlock your account.")
	return nil, &jsonrpc.Error{Code: codeURLElicitationRequired, Message: "a page has to be visited first",
		Data: map[string]any{"elicitations": []any{page}}}
}

func (c *Request) newPage(message string) elicitURL {
	id := RandomID()
	page := elicitURL{Mode: "url", Message: message, URL: "https://refserver.example/visit/" + id}
	if !c.speaks(revision.V20260728) {
		page.ElicitationID = id
	}
	return page
}

// visited tells the client that asked that the person is done, where such a notification exists (until 2025-11-25).
func (c *Request) visited(page elicitURL) {
	if page.ElicitationID == "" {
		return
	}
	c.Caller.Line.Notify(jsonrpc.Notification("notifications/elicitation/complete", map[string]any{"elicitationId": page.ElicitationID}))
}

func (c *Request) elicit(params any) (elicitResult, any) {
	answers, instead := c.Caller.Line.Ask(Question{Method: "elicitation/create", Params: params})
	if instead != nil {
		return elicitResult{}, instead
	}
	return c.elicited(answers[0])
}

// elicited reads what a client answered whose person was asked.
func (c *Request) elicited(raw json.RawMessage) (elicitResult, any) {
	var result elicitResult
	if json.Unmarshal(raw, &result) != nil || !slices.Contains([]string{"accept", "decline", "cancel"}, result.Action) {
		return elicitResult{}, c.unfit("the answer of the client is no elicitation result")
	}
	return result, nil
}

// misfit says what of the content does not fit the form; "" where all of it does.
func misfit(form schema, content map[string]json.RawMessage) string {
	required, _ := form["required"].([]string)
	for _, name := range required {
		if _, ok := content[name]; !ok {
			return name + " is missing"
		}
	}
	for name, raw := range content {
		field, ok := form["properties"].(schema)[name].(schema)
		if !ok {
			continue
		}
		if !fits(field, raw) {
			return fmt.Sprintf("%s is not as asked", name)
		}
	}
	return ""
}

func fits(field schema, raw json.RawMessage) bool {
	value, err := jsonrpc.DecodeAny(raw)
	if err != nil {
		return false
	}
	switch field["type"] {
	case "string":
		s, ok := value.(string)
		return ok && allowed(field, s) && within(field, "minLength", "maxLength", float64(utf8.RuneCountInString(s)))
	case "boolean":
		_, ok := value.(bool)
		return ok
	case "array":
		list, ok := value.([]any)
		for _, item := range list {
			s, isString := item.(string)
			ok = ok && isString && allowed(field["items"].(schema), s)
		}
		return ok && within(field, "minItems", "maxItems", float64(len(list)))
	}
	var number float64
	if json.Unmarshal(raw, &number) != nil || string(raw) == "null" {
		return false
	}
	return within(field, "minimum", "maximum", number) && (field["type"] == "number" || number == float64(int64(number)))
}

// allowed tells whether a text is one of those that the field offers, if it offers any.
func allowed(field schema, s string) bool {
	if values, ok := field["enum"].([]string); ok {
		return slices.Contains(values, s)
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if choices, ok := field[keyword].([]any); ok {
			return slices.ContainsFunc(choices, func(c any) bool { return c.(schema)["const"] == s })
		}
	}
	return true
}

func within(field schema, low, high string, n float64) bool {
	if least, ok := field[low].(int); ok && n < float64(least) {
		return false
	}
	most, ok := field[high].(int)
	return !ok || n <= float64(most)
}
