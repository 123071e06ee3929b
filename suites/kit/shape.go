package kit

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Schema returns the message schemas of the revision that is judged.
func (t *T) Schema() *schema.Set {
	set, err := schema.For(t.Revision())
	if err != nil {
		panic(fmt.Errorf("kit: %w", err))
	}
	return set
}

// Shape returns what the message schema of the revision does not allow in the result of a request; none where the exchange brought
// no result, or the revision does not know the method.
func (t *T) Shape(x *wire.Exchange) []schema.Violation {
	answer, _ := x.Answer()
	if answer.Kind != wire.KindResult {
		return nil
	}
	return t.ResultShape(x.RequestMessage().Method, answer.Result)
}

// ResultShape is Shape for a result of a method. The result of a long list is judged once in a revision, though many checks ask for it.
func (t *T) ResultShape(method string, result json.RawMessage) []schema.Violation {
	if len(result) < longResult {
		found, _ := t.Schema().Result(method, result)
		return found
	}
	s := t.recording.shapes()
	s.mu.Lock()
	defer s.mu.Unlock()
	key := shapeKey{method, sha256.Sum256(result)}
	found, known := s.found[key]
	if !known {
		found, _ = t.Schema().Result(method, result)
		s.found[key] = found
	}
	return found
}

// longResult is from how many bytes on the shape of a result is remembered.
const longResult = 16 << 10

// shapes remember what was found in long results.
type shapes struct {
	mu    sync.Mutex
	found map[shapeKey][]schema.Violation
}

type shapeKey struct {
	method string
	result [sha256.Size]byte
}

func (r *Recording) shapes() *shapes {
	r.shaping.Do(func() {
		if r.shaped == nil {
			r.shaped = &shapes{found: map[shapeKey][]schema.Violation{}}
		}
	})
	return r.shaped
}

// Wording turns violations of a schema into the two phrases of one finding: what may stand at the first place, and what stands
// there and how many more there are. One cause tends to repeat in every item, so that one finding is enough.
func Wording(found []schema.Violation) (expected, got string) {
	first := found[0]
	path := first.Path
	if path == "" {
		path = "the value"
	}
	expected = fmt.Sprintf("%s at %s", first.Want, path)
	got = fmt.Sprintf("%s is %s", path, first.Got)
	if n := len(found) - 1; n > 0 {
		got += fmt.Sprintf(", and %d more like it", n)
	}
	return expected, got
}

// Without returns the violations that some rule does not leave to another requirement: those whose path does not match a pattern.
// A pattern is a pointer in which * stands for one step: "/result/tools/*/icons". It covers what lies below it as well.
func Without(found []schema.Violation, patterns ...string) []schema.Violation {
	var rest []schema.Violation
	for _, v := range found {
		if !covered(v.Path, patterns) {
			rest = append(rest, v)
		}
	}
	return rest
}

// Within returns the violations whose path matches a pattern.
func Within(found []schema.Violation, patterns ...string) []schema.Violation {
	var rest []schema.Violation
	for _, v := range found {
		if covered(v.Path, patterns) {
			rest = append(rest, v)
		}
	}
	return rest
}

func covered(path string, patterns []string) bool {
	steps := strings.Split(path, "/")
	for _, p := range patterns {
		want := strings.Split(p, "/")
		if len(want) > len(steps) {
			continue
		}
		all := true
		for i, w := range want {
			all = all && (w == "*" || w == steps[i])
		}
		if all {
			return true
		}
	}
	return false
}
