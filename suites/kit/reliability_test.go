package kit

import (
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/wire"
	"github.com/mcpcheck/mcpcheck/wire/wiretest"
)

// where there are no sessions, what another conversation was served later shows that a method fails by itself; a session shows that itself.
func TestFailsSteadily(t *testing.T) {
	const listed = "== list\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\"}\n< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n"
	sessions := func(*C, ...client.Option) *wire.Exchange { return nil }
	for name, row := range map[string]struct {
		open  func(*C, ...client.Option) *wire.Exchange
		later time.Duration
		want  bool
	}{
		"without sessions, later":   {nil, time.Minute, true},
		"without sessions, earlier": {nil, -time.Minute, false},
		"in another session":        {sessions, time.Minute, false},
	} {
		failed, other := wiretest.Transcript(t, pingSent+"< 500\n"), wiretest.Transcript(t, listed)
		other.Started = failed.Started.Add(row.later)
		r := recordingOf(&Recording{Era: eraOf(row.open)}, failed, other)
		if got := r.failsSteadily(failed.Exchange("ping")); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
