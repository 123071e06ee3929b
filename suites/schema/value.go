package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// ErrRemoteRef is the error for a schema that refers to something outside itself. It is never fetched.
var ErrRemoteRef = errors.New("a reference to another document")

// A RemoteRefError names the document; it is an ErrRemoteRef.
type RemoteRefError struct{ URL string }

func (e *RemoteRefError) Error() string { return ErrRemoteRef.Error() + ": " + quote(e.URL) }

// Is makes it an ErrRemoteRef.
func (e *RemoteRefError) Is(target error) bool { return target == ErrRemoteRef }

// ErrPattern is the error for a schema with a regular expression that RE2, Go's engine, does not know, such as one with a lookahead.
var ErrPattern = errors.New("a pattern that this engine does not know")

// ErrInvalidSchema is the error for a schema that its meta-schema does not accept or that contradicts itself; see CheckSchema.
var ErrInvalidSchema = errors.New("the schema is not valid")

// documentURL is where a schema without $id is thought to stand.
const documentURL = "mcpcheck://schema/root"

// Validate judges a value, such as structuredContent, by a tool's outputSchema. Without $schema that is 2020-12, or draft-07 where
// 2020-12 does not accept it. Formats are annotations. With an error (ErrRemoteRef, ErrDialect, ErrPattern, ErrTooLarge,
// ErrInvalidSchema) nothing is known of the value. Time and memory are bounded: sizes first, then the number of evaluations.
func Validate(schema, value json.RawMessage) (violations []Violation, err error) {
	defer recovered(&violations, &err)
	document, err := decode(schema, schemaLimits)
	if err != nil {
		return nil, err
	}
	instance, err := decode(value, valueLimits)
	if err != nil {
		return nil, err
	}
	d, err := declared(document)
	if err != nil {
		return nil, err
	}
	if count(document, "$dynamicAnchor") > 1 || count(document, "$recursiveAnchor") > 1 {
		// Where references to these lead is only known while judging, so that the meter cannot follow them.
		return nil, fmt.Errorf("%w: several dynamic anchors", ErrTooLarge)
	}
	drafts := []*jsonschema.Draft{jsonschema.Draft2020, jsonschema.Draft7}
	if d != nil {
		drafts = []*jsonschema.Draft{d.draft}
	}
	var compiled *jsonschema.Schema
	var first error
	for _, draft := range drafts {
		if compiled, err = compileTool(document, draft); err == nil || errors.Is(err, ErrPattern) {
			break
		}
		if first == nil {
			first = err
		}
	}
	switch {
	case err == nil:
	case first != nil && !errors.Is(err, ErrPattern):
		return nil, first
	default:
		return nil, err
	}
	m := meter{left: maxEvaluations}
	if err := m.visit(compiled, instance, 0); err != nil {
		return nil, err
	}
	e := explainer{root: instance, document: document, definition: func(p []string) string { return "#" + pointer(p) }}
	return e.explain(compiled.Validate(instance)), nil
}

func compileTool(document any, draft *jsonschema.Draft) (*jsonschema.Schema, error) {
	var unknown string
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(draft)
	compiler.UseLoader(refuse{})
	for _, name := range formats {
		compiler.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	compiler.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) {
		re, err := regexp.Compile(pattern)
		if err != nil {
			unknown = pattern
			return regexp.MustCompile("x"), nil // never used: compiling ends with ErrPattern
		}
		return re, nil
	})
	if err := compiler.AddResource(documentURL, document); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidSchema, err)
	}
	compiled, err := compiler.Compile(documentURL)
	switch {
	case errors.As(err, new(*RemoteRefError)):
		return nil, err
	case err != nil:
		var load *jsonschema.LoadURLError
		if errors.As(err, &load) {
			// The library does not wrap what the loader said.
			return nil, &RemoteRefError{URL: load.URL}
		}
		return nil, fmt.Errorf("%w: %s", ErrInvalidSchema, cut(strings.Join(strings.Fields(err.Error()), " ")))
	case unknown != "":
		return nil, fmt.Errorf("%w: %s", ErrPattern, quote(unknown))
	}
	return compiled, nil
}

// formats are what the library would assert in old drafts.
var formats = []string{"json-pointer", "relative-json-pointer", "uuid", "duration", "period", "ipv4", "ipv6", "hostname", "email",
	"date", "time", "date-time", "uri", "iri", "uri-reference", "iri-reference", "uri-template", "semver"}

// count returns how many objects in a document have a member of a name.
func count(v any, name string) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		for member, value := range v {
			n += bit(member == name) + count(value, name)
		}
	case []any:
		for _, value := range v {
			n += count(value, name)
		}
	}
	return n
}

// programSize is how many instructions a pattern compiles to; matching costs that for each byte.
func programSize(pattern string) int {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 1
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 1
	}
	return len(program.Inst)
}
