package kit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/wire"
	"github.com/onsi/gomega/gcustom"
	"github.com/onsi/gomega/types"
)

// An Outcome is a Gomega matcher on an exchange that can say in a phrase what it allows.
type Outcome struct {
	types.GomegaMatcher
	expected string
}

// Expected is the phrase, such as "HTTP 400" or "HTTP 202 with an empty body".
func (o Outcome) Expected() string { return o.expected }

// That makes an outcome from a phrase and a predicate.
func That(expected string, allowed func(*wire.Exchange) bool) Outcome {
	return Outcome{
		GomegaMatcher: gcustom.MakeMatcher(func(x *wire.Exchange) (bool, error) { return allowed(x), nil }).
			WithMessage("be " + expected),
		expected: expected,
	}
}

// HTTP allows the given statuses.
func HTTP(statuses ...int) Outcome {
	words := make([]string, len(statuses))
	for i, s := range statuses {
		words[i] = fmt.Sprintf("HTTP %d", s)
	}
	return That(Or(words...), func(x *wire.Exchange) bool { return slices.Contains(statuses, x.Status()) })
}

// Served is the result that belongs to the request.
func Served() Outcome {
	return That("a result for the request", func(x *wire.Exchange) bool { return x.Served() })
}

// Refused is any answer that turns the request away: an HTTP 4xx or a JSON-RPC error.
func Refused() Outcome {
	return That("a refusal (HTTP 4xx or a JSON-RPC error)", func(x *wire.Exchange) bool {
		if x.Status()/100 == 4 {
			return true
		}
		answer, _ := x.Answer()
		return answer.Kind == wire.KindError
	})
}

// AnyOf allows what any of the outcomes allows.
func AnyOf(outcomes ...Outcome) Outcome {
	words := make([]string, len(outcomes))
	for i, o := range outcomes {
		words[i] = o.expected
	}
	return That(Or(words...), func(x *wire.Exchange) bool {
		return slices.ContainsFunc(outcomes, func(o Outcome) bool {
			ok, err := o.Match(x)
			return ok && err == nil
		})
	})
}

// Or joins phrases for a sentence: "a", "a or b", "a, b or c".
func Or(words ...string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
