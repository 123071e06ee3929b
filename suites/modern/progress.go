package modern

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// maxProgress is from when progress is more than anybody can show; the text names no number.
const maxProgress = 100

const noProgress = "no request that was made reported progress"

func progress(s *kit.Section) {
	s.Passive("modern.progress.token-from-active-request", func(t *kit.T) {
		const expected = "the progress token of the request"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, noProgress)
		eachProgress(t, func(m kit.Seen, late bool) {
			token, _ := m.Pointer("/params/progressToken")
			switch asked, there := m.Exchange.RequestMessage().Pointer("/params/_meta/progressToken"); {
			case late:
				// modern.progress.stops-at-completion reports it.
			case !there:
				t.BreachAt(m, expected, "token "+kit.JSON(token)+" for a request without any")
			case token != nil && !wire.SameID(token, asked):
				t.BreachAt(m, expected+" ("+kit.JSON(asked)+")", "token "+kit.JSON(token))
			default:
				t.OK(m.Exchange, "progress is of the request on whose stream it comes")
			}
		})
	})
	s.Passive("modern.progress.increases", func(t *kit.T) {
		const expected = "a greater progress with each notification"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no request reported progress twice")
		last := map[*wire.Exchange]float64{}
		eachProgress(t, func(m kit.Seen, _ bool) {
			var now float64
			if m.Decode("/params/progress", &now) != nil {
				return
			}
			before, there := last[m.Exchange]
			last[m.Exchange] = now
			raw, _ := m.Pointer("/params/progress")
			switch {
			case !there:
			case now <= before:
				t.BreachAt(m, expected, "progress "+kit.JSON(raw)+" again or less")
			default:
				t.OK(m.Exchange, "progress increases")
			}
		})
	})
	s.Passive("modern.progress.stops-at-completion", func(t *kit.T) {
		const expected = "no progress after the response"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, noProgress)
		eachProgress(t, func(m kit.Seen, late bool) {
			if late {
				t.BreachAt(m, expected, "progress behind the response on the same stream")
				return
			}
			t.OK(m.Exchange, "progress ends before the response")
		})
	})
	s.Passive("modern.progress.shape", func(t *kit.T) {
		t.Says("progressToken and a number progress; total a number, message a string")
		t.Unseen(kit.Unprovoked, noProgress)
		eachProgress(t, func(m kit.Seen, _ bool) {
			found, _ := t.Schema().Notification(progressMethod, m.Params)
			if found = kit.Without(found, "/params/_meta"); len(found) > 0 {
				expected, got := kit.Wording(found)
				t.BreachAt(m, expected, got)
				return
			}
			t.OK(m.Exchange, "progress notifications have a token and a number")
		})
	})
	s.Passive("modern.progress.rate-limited", func(t *kit.T) {
		expected := fmt.Sprintf("no more than %d notifications in a second", maxProgress)
		t.Says(expected)
		t.Unseen(kit.Unprovoked, noProgress)
		came := map[*wire.Exchange][]time.Duration{}
		eachProgress(t, func(m kit.Seen, _ bool) {
			at := append(came[m.Exchange], m.At)
			came[m.Exchange] = at
			if n := len(at) - 1 - maxProgress; n >= 0 && at[len(at)-1]-at[n] < time.Second {
				t.BreachAt(m, expected, fmt.Sprintf("more than %d", maxProgress))
				return
			}
			t.OK(m.Exchange, "progress comes at a rate that can be shown")
		})
	})
	s.Passive("modern.progress.message-relevant", func(t *kit.T) {
		const expected = "a message that says something, or none"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no progress with a message was seen")
		eachProgress(t, func(m kit.Seen, _ bool) {
			var text string
			switch raw, there := m.Pointer("/params/message"); {
			case !there || json.Unmarshal(raw, &text) != nil:
			case text == "":
				t.BreachAt(m, expected, "an empty one")
			default:
				t.OK(m.Exchange, "progress comes with a message")
			}
		})
	})
}

// eachProgress visits progress on the streams of requests; late: it came after the response. On subscriptions
// modern.subscriptions.no-request-scoped-messages reports it.
func eachProgress(t *kit.T, visit func(m kit.Seen, late bool)) {
	onRequests(t, progressMethod, visit)
}
