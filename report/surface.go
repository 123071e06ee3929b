package report

// A Surface is what a server offers, in a form that is the same however the server orders it: what a client sees of it before it calls
// anything. It is of one revision, the newest that was listed.
type Surface struct {
	Revision string `json:"revision"`
	// Capabilities are those that are declared; the parts of one have a dot: "resources.subscribe".
	Capabilities []string `json:"capabilities"`
	Tools        []Offer  `json:"tools"`
	Prompts      []Offer  `json:"prompts"`
	Resources    []Offer  `json:"resources"`
	Templates    []Offer  `json:"templates"`
	// Unlisted names the lists that could not be read to their end: "tools", "prompts", "resources", "templates". What they lack may be there.
	Unlisted []string `json:"unlisted,omitempty"`
}

// An Offer is an item of a list.
type Offer struct {
	// Name is what a client calls it by: the URI of a resource, the URI template of a template.
	Name string `json:"name"`
	// Definition holds what a client is told of it beside that: title, description, schemas, arguments, annotations.
	Definition map[string]any `json:"definition"`
}

// lists are the lists of a surface by their names, in the order in which they are told of.
func (s *Surface) lists() []surfaceList {
	return []surfaceList{{"tools", "tool", s.Tools}, {"prompts", "prompt", s.Prompts}, {"resources", "resource", s.Resources}, {"templates", "template", s.Templates}}
}

type surfaceList struct {
	name, item string
	offers     []Offer
}
