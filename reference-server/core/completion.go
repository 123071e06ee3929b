package core

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

const maxCompletions = 100

// complete suggests names for the arguments of prompts and templates; nobody is introduced to themselves (server/utilities/completion).
func (c *Request) complete() (any, *jsonrpc.Error) {
	var params struct {
		Ref *struct {
			Type string `json:"type"`
			Name string `json:"name"`
			URI  string `json:"uri"`
		} `json:"ref"`
		Argument *struct {
			Name  *string `json:"name"`
			Value *string `json:"value"`
		} `json:"argument"`
		Context struct {
			Arguments map[string]string `json:"arguments"`
		} `json:"context"`
	}
	if err := jsonrpc.DecodeParams(c.Message, &params); err != nil {
		return nil, err
	}
	if params.Ref == nil || params.Argument == nil || params.Argument.Name == nil || params.Argument.Value == nil {
		return nil, jsonrpc.InvalidParams("ref and argument are required")
	}
	var known bool
	switch params.Ref.Type {
	case "ref/prompt":
		known = slices.ContainsFunc(c.allPrompts(), func(p prompt) bool { return p.Name == params.Ref.Name })
	case "ref/resource":
		known = slices.ContainsFunc(c.allTemplates(), func(t resourceTemplate) bool { return t.URITemplate == params.Ref.URI })
	}
	if !known {
		return nil, jsonrpc.InvalidParams("unknown reference")
	}
	if c.Server.Failing {
		return nil, jsonrpc.InternalError()
	}
	values := []string{}
	if *params.Argument.Name == "name" || *params.Argument.Name == otherName {
		for _, name := range []string{"Ada", "Alan", "Grace", "Barbara"} {
			if strings.HasPrefix(strings.ToLower(name), strings.ToLower(*params.Argument.Value)) && name != params.Context.Arguments["name"] {
				values = append(values, name)
			}
		}
	}
	total := len(values)
	values = values[:min(total, maxCompletions)]
	type completion struct {
		Values  []string `json:"values"`
		Total   int      `json:"total"`
		HasMore bool     `json:"hasMore"`
	}
	return struct {
		Completion completion `json:"completion"`
	}{completion{values, total, total > len(values)}}, nil
}
