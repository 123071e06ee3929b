package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// maxNameBytes bounds what a target is called.
const maxNameBytes = 100

// parser reads one file. The nodes are walked by hand: a decoder tells of an unknown field without its column of neighbours, and of one
// that is there twice not at all.
type parser struct {
	path string
}

// Parse reads the text of a file; path names it in errors, and its folder is where the paths in it begin.
func Parse(path string, data []byte) (*Config, error) {
	p := &parser{path: path}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, p.syntax(err)
	}
	c := &Config{Path: path}
	if len(document.Content) == 0 {
		return c, nil
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, &Error{Path: path, Err: errors.New("a second document; a configuration is one")}
	}
	root := actual(document.Content[0])
	if root.Tag == "!!null" {
		return c, nil
	}
	known := append([]string{sectionDefaults, sectionTargets}, names(runKeys)...)
	err := p.each(root, "the configuration", known, func(name string, value *yaml.Node) (err error) {
		switch name {
		case sectionDefaults:
			c.Defaults, err = p.settings(value, "defaults", nil)
		case sectionTargets:
			c.Targets, err = p.targets(value)
		default:
			k, _ := lookup(name, runKeys)
			var s Setting
			s, err = p.setting(k, value)
			c.Run = append(c.Run, s)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

var yamlLine = regexp.MustCompile(`^yaml: line (\d+): `)

// syntax moves the line of a YAML error to where ours have it.
func (p *parser) syntax(err error) error {
	text, line := err.Error(), 0
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	return &Error{Path: p.path, Line: line, Err: fmt.Errorf("not YAML: %s", strings.TrimPrefix(text, "yaml: "))}
}

func (p *parser) wrong(n *yaml.Node, format string, args ...any) error {
	return &Error{Path: p.path, Line: n.Line, Err: fmt.Errorf(format, args...)}
}

// actual is the node that an alias stands for.
func actual(n *yaml.Node) *yaml.Node {
	for range 8 {
		if n.Kind != yaml.AliasNode || n.Alias == nil {
			break
		}
		n = n.Alias
	}
	return n
}

// each walks a mapping whose keys are all known and there once.
func (p *parser) each(n *yaml.Node, what string, known []string, f func(name string, value *yaml.Node) error) error {
	if n = actual(n); n.Kind != yaml.MappingNode {
		return p.wrong(n, "%s has keys and values, such as %s: …", what, known[0])
	}
	var seen []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], actual(n.Content[i+1])
		switch {
		case name.Kind != yaml.ScalarNode || !slices.Contains(known, name.Value):
			return &Error{Path: p.path, Line: name.Line, Err: fmt.Errorf("%s has no key %q", what, name.Value), Unknown: name.Value, Known: known}
		case slices.Contains(seen, name.Value):
			return p.wrong(name, "%s has the key %s twice", what, name.Value)
		}
		seen = append(seen, name.Value)
		if err := f(name.Value, value); err != nil {
			return err
		}
	}
	return nil
}

// settings reads the keys that defaults and targets share; own takes those that it knows itself.
func (p *parser) settings(n *yaml.Node, what string, own func(k key, value *yaml.Node) error) ([]Setting, error) {
	var all []Setting
	known := names(settingKeys)
	if own != nil {
		known = names(targetKeys, settingKeys)
	}
	if actual(n).Tag == "!!null" && own == nil {
		return nil, nil
	}
	err := p.each(n, what, known, func(name string, value *yaml.Node) error {
		if k, ok := lookup(name, targetKeys); ok {
			return own(k, value)
		}
		k, _ := lookup(name, settingKeys)
		s, err := p.setting(k, value)
		all = append(all, s)
		return err
	})
	return all, err
}

func (p *parser) targets(n *yaml.Node) ([]Target, error) {
	if n.Tag == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.SequenceNode {
		return nil, p.wrong(n, "targets is a list, each with - url: …")
	}
	var all []Target
	for _, item := range n.Content {
		t, err := p.target(actual(item))
		if err != nil {
			return nil, err
		}
		for _, other := range all {
			switch {
			case t.Name != "" && t.Name == other.Name:
				return nil, p.wrong(item, "two targets have the name %s, this one and that of line %d", t.Name, other.Line)
			case t.URL == other.URL && (t.Name == "" || other.Name == ""):
				return nil, p.wrong(item, "the URL stands in line %d already; give both targets a name", other.Line)
			}
		}
		all = append(all, t)
	}
	return all, nil
}

// target reads a server; one that is only a text is its URL.
func (p *parser) target(n *yaml.Node) (t Target, err error) {
	t.Line = n.Line
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		t.URL = n.Value
	} else {
		t.Settings, err = p.settings(n, "a target", func(k key, value *yaml.Node) error {
			s, err := p.setting(k, value)
			if err != nil {
				return err
			}
			switch text := s.Values[0]; k.name {
			case "url":
				t.URL = text
			case "name":
				t.Name = text
			case "group":
				t.Group = text
			case "expect":
				t.Expect = text
			}
			if len(s.Values[0]) > maxNameBytes && k.name != "url" {
				return p.wrong(value, "the %s is longer than %d bytes", k.name, maxNameBytes)
			}
			return nil
		})
	}
	switch u, parsed := url.Parse(t.URL); {
	case err != nil:
		return t, err
	case t.URL == "":
		return t, p.wrong(n, "a target wants a url")
	case parsed != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return t, p.wrong(n, "the url of a target is the MCP endpoint, such as http://localhost:3000/mcp")
	case u.User != nil:
		// The URL is not repeated: it holds a secret.
		return t, p.wrong(n, "the url holds credentials; write them as headers: {Authorization: Basic $VARIABLE}")
	}
	return t, nil
}

// setting reads the value of a key. Errors do not repeat values, which may be secrets.
func (p *parser) setting(k key, n *yaml.Node) (Setting, error) {
	s := Setting{Key: k.name, Flag: k.flag, Line: n.Line}
	var err error
	switch k.kind {
	case headers:
		s.Values, err = p.pairs(k, n, ": ")
	case outputs:
		if s.Values, err = p.pairs(k, n, "="); err == nil {
			s.Values = p.outputPaths(s.Values)
		}
	case calls:
		s.Values, err = p.calls(k, n)
	case list:
		s.Values, err = p.texts(k, n)
	default:
		var one string
		if one, err = p.scalar(k, n); err == nil {
			s.Values = []string{one}
		}
	}
	return s, err
}

// scalar reads one value and makes sure that it is what the flag takes.
func (p *parser) scalar(k key, n *yaml.Node) (string, error) {
	if n = actual(n); n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return "", p.wrong(n, "%s is one value, such as %s: %s", k.name, k.name, k.example)
	}
	value := strings.TrimSpace(n.Value)
	like := func(ok bool) (string, error) {
		if !ok {
			return "", p.wrong(n, "%s is written like %s: %s", k.name, k.name, k.example)
		}
		return value, nil
	}
	switch {
	case k.words != nil && !slices.Contains(k.words, value):
		return "", &Error{Path: p.path, Line: n.Line, Err: fmt.Errorf("%s is %s, not %q", k.name, strings.Join(k.words, ", "), value), Unknown: value, Known: k.words}
	case k.kind == truth:
		return like(n.Tag == "!!bool" && (value == "true" || value == "false"))
	case k.kind == number:
		i, err := strconv.Atoi(value)
		return like(err == nil && i >= 0)
	case k.kind == duration:
		d, err := time.ParseDuration(value)
		return like(err == nil && d >= 0)
	case k.kind == file && value != "":
		return p.beside(value), nil
	}
	return like(value != "" && !strings.ContainsAny(value, "\r\n\x00"))
}

// beside is a path that begins in the folder of the configuration.
func (p *parser) beside(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(p.path), path)
}

// outputPaths puts the reports beside the configuration; what goes to standard output or to a device stays.
func (p *parser) outputPaths(values []string) []string {
	for i, v := range values {
		if format, path, _ := strings.Cut(v, "="); path != "-" {
			values[i] = format + "=" + p.beside(path)
		}
	}
	return values
}

func (p *parser) texts(k key, n *yaml.Node) ([]string, error) {
	if n.Kind != yaml.SequenceNode {
		one, err := p.scalar(k, n)
		return []string{one}, err
	}
	var all []string
	for _, item := range n.Content {
		one, err := p.scalar(key{name: k.name, kind: text, example: k.example}, item)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, p.wrong(n, "%s is an empty list; leave it out", k.name)
	}
	return all, nil
}

// pairs reads a mapping of texts as NAME, separator, VALUE.
func (p *parser) pairs(k key, n *yaml.Node, separator string) ([]string, error) {
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		return nil, p.wrong(n, "%s has names and values, such as %s: %s", k.name, k.name, k.example)
	}
	var all []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i]
		if name.Kind != yaml.ScalarNode || name.Value == "" || strings.ContainsAny(name.Value, separator+"\r\n") {
			return nil, p.wrong(name, "%s has a name that is none", k.name)
		}
		value, err := p.scalar(key{name: name.Value, kind: text, example: "VALUE"}, n.Content[i+1])
		if err != nil {
			return nil, err
		}
		for _, other := range all {
			if before, _, _ := strings.Cut(other, separator); strings.EqualFold(before, name.Value) {
				return nil, p.wrong(name, "%s has %s twice", k.name, name.Value)
			}
		}
		all = append(all, name.Value+separator+value)
	}
	return all, nil
}

// calls reads tools: a list of names, or a mapping of names to arguments.
func (p *parser) calls(k key, n *yaml.Node) ([]string, error) {
	if n.Kind != yaml.MappingNode {
		return p.texts(k, n)
	}
	var all []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		tool, value := n.Content[i], actual(n.Content[i+1])
		if tool.Kind != yaml.ScalarNode || tool.Value == "" || strings.Contains(tool.Value, "=") {
			return nil, p.wrong(tool, "calls wants the name of a tool")
		}
		if value.Tag == "!!null" {
			all = append(all, tool.Value)
			continue
		}
		arguments := map[string]any{}
		if value.Kind != yaml.MappingNode || value.Decode(&arguments) != nil {
			return nil, p.wrong(value, "the arguments of %s are names and values, such as {text: hello}", tool.Value)
		}
		encoded, err := json.Marshal(arguments)
		if err != nil {
			return nil, p.wrong(value, "the arguments of %s are none that JSON has", tool.Value)
		}
		all = append(all, tool.Value+"="+string(encoded))
	}
	if len(all) == 0 {
		return nil, p.wrong(n, "calls is empty; leave it out")
	}
	return all, nil
}
