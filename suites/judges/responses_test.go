package judges

import (
	"encoding/json"
	"testing"

	"github.com/mcpcheck/mcpcheck/wire/wiretest"
)

// TestCarries: a response is carried under its id, which may have come as another type or in another spelling.
func TestCarries(t *testing.T) {
	for name, row := range map[string]struct {
		came string
		want bool
	}{
		"a result":          {answered(`{"jsonrpc":"2.0","id":1,"result":{}}`), true},
		"an error":          {answered(`{"jsonrpc":"2.0","id":1,"error":{}}`), true},
		"in other spelling": {answered(`{"jsonrpc":"2.0","id":1.0,"result":{}}`), true},
		"as a string":       {answered(`{"jsonrpc":"2.0","id":"1","result":{}}`), true},
		"of another":        {answered(`{"jsonrpc":"2.0","id":2,"result":{}}`), false},
		"a request with it": {streamed(`{"jsonrpc":"2.0","id":1,"method":"ping"}`), false},
		"a notification":    {streamed(`{"jsonrpc":"2.0","method":"ping"}`), false},
		"nothing":           {"< 202", false},
	} {
		x := wiretest.Transcript(t, exchange("ping", pingOne, row.came)).Exchanges[0]
		if got := Carries(x, json.RawMessage("1")); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestResponses: responses are counted, and nothing else that came.
func TestResponses(t *testing.T) {
	const result, failure, both, asks = `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":7,"message":"x"}}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, row := range map[string]struct {
		came      string
		responses int
		only      bool
		result    bool
		code      int64
	}{
		"a result":               {answered(result), 1, true, true, 0},
		"an error":               {answered(failure), 1, true, false, 7},
		"both in one":            {answered(both), 1, true, true, 0},
		"two":                    {streamed(result, failure), 2, false, true, 7},
		"a request and a result": {streamed(asks, result), 1, true, true, 0},
		"a request":              {streamed(asks), 0, false, false, 0},
		"nothing":                {"< 202", 0, false, false, 0},
	} {
		x := wiretest.Transcript(t, exchange("ping", pingOne, row.came)).Exchanges[0]
		code, _ := anyError(x)
		if Responses(x) != row.responses || OnlyResponse(x) != row.only || HasResult(x) != row.result || code != row.code || HasError(x) != (code != 0) {
			t.Errorf("%s: %d responses, only one %v, a result %v, code %d", name, Responses(x), OnlyResponse(x), HasResult(x), code)
		}
	}
}

// TestIDSet: ids are compared by value and type, however they are written.
func TestIDSet(t *testing.T) {
	var s IDSet
	for _, id := range []string{`1`, `1.0`, `"a"`} {
		s.Add(json.RawMessage(id))
	}
	for id, want := range map[string][3]any{
		`1`: {true, true, 2}, `1.0`: {true, true, 2}, `1e0`: {true, false, 2}, `"a"`: {true, true, 1}, `"\u0061"`: {true, true, 1},
		`"1"`: {false, true, 0}, `2`: {false, false, 0}, `null`: {false, false, 0},
	} {
		if got := [3]any{s.Has(json.RawMessage(id)), s.Misspelt(json.RawMessage(id)), s.Count(json.RawMessage(id))}; got != want {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
	}
	for id, want := range map[string]bool{`1`: true, `"a"`: true, `1.0`: true, `1.5`: false, `null`: false, `{}`: false, `true`: false, ``: false} {
		if StringOrInteger(json.RawMessage(id)) != want {
			t.Errorf("%s is a string or an integer: %v", id, !want)
		}
	}
}
