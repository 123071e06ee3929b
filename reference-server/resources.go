package refserver

import (
	"net/url"
	"strings"
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

func (c *request) annotations(audience ...string) *annotations {
	return &annotations{Audience: audience, Priority: 0.5, LastModified: since(c, Rev20250618, "2026-07-28T12:00:00Z")}
}

type resourceTemplate struct {
	URITemplate string `json:"uriTemplate"`
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"` // from 2025-06-18
	Description string `json:"description,omitempty"`
	MimeType    string `json:"mimeType,omitempty"`
}

type contents struct {
	URI      string `json:"uri"`
	MimeType string `json:"mimeType,omitempty"`
	Text     string `json:"text,omitempty"`
	Blob     string `json:"blob,omitempty"`
}

const (
	greetingPrefix = "ref://greeting/"
	brokenURI      = "ref://broken"
	// A transparent PNG of one pixel.
	pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

func (c *request) allResources() []resource {
	all := []resource{
		{URI: "ref://about", Name: "about", Title: "About", Description: "What this server is.", MimeType: "text/plain",
			Annotations: c.annotations("user", "assistant")},
		{URI: "ref://pixel", Name: "pixel", Title: "A pixel", Description: "The smallest picture.", MimeType: "image/png"},
		{URI: notesURI, Name: "notes", Title: "Notes", Description: "All notes of the session.", MimeType: "text/plain"},
		{URI: brokenURI, Name: "broken", Title: "Broken", Description: "Fails whenever it is read."},
	}
	for i := range c.session.allNotes() {
		all = append(all, resource{URI: noteURI(i), Name: "note", Title: "Note", MimeType: "text/plain"})
	}
	for i := range all {
		all[i].Title = since(c, Rev20250618, all[i].Title)
	}
	return all
}

func (c *request) listResources() (any, *rpcError) {
	resources, next, err := page(c, c.allResources())
	if err != nil {
		return nil, err
	}
	return struct {
		Resources  []resource `json:"resources"`
		NextCursor string     `json:"nextCursor,omitempty"`
	}{resources, next}, nil
}

func (c *request) listTemplates() (any, *rpcError) {
	templates, next, err := page(c, []resourceTemplate{{
		URITemplate: greetingPrefix + "{name}",
		Name:        "greeting",
		Title:       since(c, Rev20250618, "Greeting"),
		Description: "A greeting for somebody.",
		MimeType:    "text/plain",
	}})
	if err != nil {
		return nil, err
	}
	return struct {
		ResourceTemplates []resourceTemplate `json:"resourceTemplates"`
		NextCursor        string             `json:"nextCursor,omitempty"`
	}{templates, next}, nil
}

// uri reads the parameter of the same name and checks that it is a URI (server/resources#security-considerations).
func (c *request) uri() (string, *rpcError) {
	var params struct {
		URI *string `json:"uri"`
	}
	if err := decodeParams(c.message, &params); err != nil {
		return "", err
	}
	if params.URI == nil {
		return "", invalidParams("uri is required")
	}
	if u, err := url.Parse(*params.URI); err != nil || !u.IsAbs() {
		return "", invalidParams("uri is no absolute URI")
	}
	return *params.URI, nil
}

func (c *request) readResource() (any, *rpcError) {
	uri, err := c.uri()
	if err != nil {
		return nil, err
	}
	if uri == brokenURI {
		return nil, internalError()
	}
	item, ok := c.contents(uri)
	if !ok {
		return nil, resourceNotFound(uri)
	}
	return struct {
		Contents []contents `json:"contents"`
	}{[]contents{item}}, nil
}

func resourceNotFound(uri string) *rpcError {
	return &rpcError{Code: codeResourceNotFound, Message: "resource not found", Data: map[string]any{"uri": uri}}
}

func (c *request) contents(uri string) (contents, bool) {
	plain := func(text string) (contents, bool) {
		return contents{URI: uri, MimeType: "text/plain", Text: text}, true
	}
	notes := c.session.allNotes()
	switch uri {
	case "ref://about":
		return plain("The reference server of mcpcheck.")
	case "ref://pixel":
		return contents{URI: uri, MimeType: "image/png", Blob: pixel}, true
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
	return contents{}, false
}

func (c *request) subscribe() (any, *rpcError) {
	uri, err := c.uri()
	if err != nil {
		return nil, err
	}
	if _, ok := c.contents(uri); !ok && uri != brokenURI {
		return nil, resourceNotFound(uri)
	}
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	if len(c.session.subscribed) >= maxNotes {
		return nil, &rpcError{Code: codeInternal, Message: "too many subscriptions"}
	}
	c.session.subscribed[uri] = true
	return empty{}, nil
}

func (c *request) unsubscribe() (any, *rpcError) {
	uri, err := c.uri()
	if err != nil {
		return nil, err
	}
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	delete(c.session.subscribed, uri)
	return empty{}, nil
}
