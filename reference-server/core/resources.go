package core

import (
	"net/url"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

type resource struct {
	URI         string       `json:"uri"`
	Name        string       `json:"name"`
	Title       string       `json:"title,omitempty"` // from 2025-06-18
	Description string       `json:"description,omitempty"`
	MimeType    string       `json:"mimeType,omitempty"`
	Annotations *annotations `json:"annotations,omitempty"`
}

// annotations tell a client whom something is for and how much it matters (2025-06-18: server/resources#annotations).
type annotations struct {
	Audience     []string `json:"audience,omitempty"`
	Priority     float64  `json:"priority"`
	LastModified string   `json:"lastModified,omitempty"` // from 2025-06-18
}

func (c *Request) annotations(audience ...string) *annotations {
	return &annotations{Audience: audience, Priority: 0.5, LastModified: since(c, revision.V20250618, "2026-07-28T12:00:00Z")}
}

type resourceTemplate struct {
	URITemplate string `json:"uriTemplate"`
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"` // from 2025-06-18
	Description string `json:"description,omitempty"`
	MimeType    string `json:"mimeType,omitempty"`
}

type contents struct {
	URI      string  `json:"uri"`
	MimeType string  `json:"mimeType,omitempty"`
	Text     *string `json:"text,omitempty"` // may be empty
	Blob     string  `json:"blob,omitempty"`
}

// plainText is what can be read as text.
func plainText(uri, text string) contents {
	return contents{URI: uri, MimeType: "text/plain", Text: &text}
}

const (
	greetingPrefix = "ref://greeting/"
	brokenURI      = "ref://broken"
	mottoURI       = "ref://texts/motto"
	rootsURI       = "ref://roots"
	// A transparent PNG of one pixel.
	pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

func (c *Request) allResources() []resource {
	all := []resource{
		{URI: "ref://about", Name: "about", Title: "About", Description: "What this server is.", MimeType: "text/plain",
			Annotations: c.annotations("user", "assistant")},
		{URI: "ref://pixel", Name: "pixel", Title: "A pixel", Description: "The smallest picture.", MimeType: "image/png"},
		{URI: notesURI, Name: "notes", Title: "Notes", Description: "All notes of the session.", MimeType: "text/plain"},
		{URI: brokenURI, Name: "broken", Title: "Broken", Description: "Fails whenever it is read."},
	}
	if c.speaks(revision.V20260728) {
		// In its path the case of a letter means something, which headers have to keep.
		all = append([]resource{{URI: mottoURI, Name: "motto", Title: "Motto", MimeType: "text/plain"}}, all...)
	}
	if c.speaks(revision.V20260728) {
		all = append(all, resource{URI: rootsURI, Name: "roots", Title: "Roots", Description: "The folders of the client, which is asked for them.", MimeType: "text/plain"})
	}
	if c.Server.Official {
		all = append(all, officialResources()...)
	}
	for i := range c.Caller.State.allNotes() {
		all = append(all, resource{URI: noteURI(i), Name: "note", Title: "Note", MimeType: "text/plain"})
	}
	for i := range all {
		all[i].Title = since(c, revision.V20250618, all[i].Title)
	}
	return all
}

func (c *Request) listResources() (any, *jsonrpc.Error) {
	resources, next, err := page(c, c.allResources())
	if err != nil {
		return nil, err
	}
	return struct {
		Resources  []resource `json:"resources"`
		NextCursor string     `json:"nextCursor,omitempty"`
	}{resources, next}, nil
}

func (c *Request) allTemplates() []resourceTemplate {
	all := []resourceTemplate{{
		URITemplate: greetingPrefix + "{name}",
		Name:        "greeting",
		Title:       since(c, revision.V20250618, "Greeting"),
		Description: "A greeting for somebody.",
		MimeType:    "text/plain",
	}}
	if c.Server.Official {
		all = append(all, officialTemplate)
	}
	return all
}

func (c *Request) listTemplates() (any, *jsonrpc.Error) {
	templates, next, err := page(c, c.allTemplates())
	if err != nil {
		return nil, err
	}
	return struct {
		ResourceTemplates []resourceTemplate `json:"resourceTemplates"`
		NextCursor        string             `json:"nextCursor,omitempty"`
	}{templates, next}, nil
}

// uri reads the parameter of the same name and checks that it is a URI (server/resources#security-considerations).
func (c *Request) uri() (string, *jsonrpc.Error) {
	var params struct {
		URI *string `json:"uri"`
	}
	if err := jsonrpc.DecodeParams(c.Message, &params); err != nil {
		return "", err
	}
	if params.URI == nil {
		return "", jsonrpc.InvalidParams("uri is required")
	}
	if u, err := url.Parse(*params.URI); err != nil || !u.IsAbs() {
		return "", jsonrpc.InvalidParams("uri is no absolute URI")
	}
	return *params.URI, nil
}

func (c *Request) readResource() (any, *jsonrpc.Error) {
	uri, err := c.uri()
	if err != nil {
		return nil, err
	}
	if uri == brokenURI {
		return nil, jsonrpc.InternalError()
	}
	if uri == rootsURI && c.speaks(revision.V20260728) {
		roots, instead := c.roots()
		if instead != nil {
			return end(instead)
		}
		return readResult{[]contents{plainText(uri, "Roots:\n"+strings.Join(roots, "\n"))}}, nil
	}
	item, ok := c.contents(uri)
	if !ok {
		return nil, c.resourceNotFound(uri)
	}
	return readResult{[]contents{item}}, nil
}

type readResult struct {
	Contents []contents `json:"contents"`
}

// resourceNotFound has a code of its own until 2025-11-25 (2026-07-28: server/resources#error-handling).
func (c *Request) resourceNotFound(uri string) *jsonrpc.Error {
	code := jsonrpc.CodeResourceNotFound
	if c.speaks(revision.V20260728) {
		code = jsonrpc.CodeInvalidParams
	}
	return &jsonrpc.Error{Code: code, Message: "resource not found", Data: map[string]any{"uri": uri}}
}

func (c *Request) contents(uri string) (contents, bool) {
	plain := func(text string) (contents, bool) {
		return plainText(uri, text), true
	}
	notes := c.Caller.State.allNotes()
	switch uri {
	case "ref://about":
		return plain("The reference server of mcpcheck.")
	case "ref://pixel":
		return contents{URI: uri, MimeType: "image/png", Blob: pixel}, true
	case mottoURI:
		if c.speaks(revision.V20260728) {
			return plain("Each request stands on its own.")
		}
	case notesURI:
		return plain("Notes:\n" + strings.Join(notes, "\n"))
	}
	if name, ok := strings.CutPrefix(uri, greetingPrefix); ok && name != "" {
		return plain("Hello, " + name + "!")
	}
	for i, note := range notes {
		if uri == noteURI(i) {
			return plain("Note: " + note)
		}
	}
	if c.Server.Official {
		return officialContents(uri)
	}
	return contents{}, false
}

// HasResource tells whether there is a resource of a URI.
func (c *Request) HasResource(uri string) bool {
	_, ok := c.contents(uri)
	return ok || uri == brokenURI || uri == rootsURI && c.speaks(revision.V20260728)
}

func (c *Request) subscribe() (any, *jsonrpc.Error) {
	uri, err := c.uri()
	if err != nil {
		return nil, err
	}
	if !c.HasResource(uri) {
		return nil, c.resourceNotFound(uri)
	}
	c.Caller.State.mu.Lock()
	defer c.Caller.State.mu.Unlock()
	if len(c.Caller.State.subscribed) >= maxNotes {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternal, Message: "too many subscriptions"}
	}
	c.Caller.State.subscribed[uri] = true
	return jsonrpc.Empty{}, nil
}

func (c *Request) unsubscribe() (any, *jsonrpc.Error) {
	uri, err := c.uri()
	if err != nil {
		return nil, err
	}
	c.Caller.State.mu.Lock()
	defer c.Caller.State.mu.Unlock()
	delete(c.Caller.State.subscribed, uri)
	return jsonrpc.Empty{}, nil
}
