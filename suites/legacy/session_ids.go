package legacy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// sessionIDs is about the ids themselves: whether there are any, and what they are made of.
func sessionIDs(s *kit.Section) {
	s.Check("session.assignment", inventory, func(t *kit.T) {
		t.Control("initialize")
		open := t.Answered("initialize")
		t.Says("a session id on the response to initialize, or none at all")
		ids := open.ResponseSession()
		switch {
		case len(ids) > 0 && ids[0] != "":
			t.OK(open, "the response to initialize assigns a session id")
			return
		case len(ids) > 0:
			t.Note(open, "the response to initialize has an empty Mcp-Session-Id, which counts as none")
			return
		}
		for _, x := range t.Transcript().Exchanges {
			if later := x.ResponseSession(); len(later) > 0 && later[0] != "" {
				t.Note(x, "a session id first comes with a later response (to %q); clients look for it on that to initialize", x.Label)
				return
			}
		}
		t.OK(open, "no session id is assigned: the server is stateless")
	})

	s.Check("session.id-charset", inventory, func(t *kit.T) {
		x := t.Answered("initialize")
		const expected = "visible ASCII characters only (0x21 to 0x7E)"
		t.Says(expected)
		ids := x.ResponseSession()
		if len(slices.Compact(slices.Sorted(slices.Values(ids)))) > 1 {
			t.Breach(x, "one session id", fmt.Sprintf("%d different ones on one response", len(ids)))
		}
		for _, id := range ids {
			if i := slices.IndexFunc([]byte(id), func(b byte) bool { return b < 0x21 || b > 0x7e }); i >= 0 {
				t.Breach(x, expected, fmt.Sprintf("byte 0x%02x at position %d", id[i], i))
				return
			}
		}
		t.OK(x, "%d visible ASCII characters", len(ids[0]))
	}, withSessions)

	s.Passive("session.id-secure", func(t *kit.T) {
		const expected = "session ids that differ and cannot be guessed"
		t.Says(expected)
		issued := issuedIDs(t)
		var ids []string
		for _, i := range issued {
			if slices.Contains(ids, i.id) {
				t.Breach(i.Exchange, expected, "the same id for two sessions")
				return
			}
			ids = append(ids, i.id)
		}
		if len(ids) < 2 {
			t.NotObserved(kit.Unprovoked, "fewer than two sessions were opened, so that nothing can be compared")
		}
		last := issued[len(issued)-1]
		shortest := slices.MinFunc(ids, func(a, b string) int { return len(a) - len(b) })
		switch {
		case len(shortest) < 8:
			t.Breach(last.Exchange, expected, fmt.Sprintf("an id of %d characters", len(shortest)))
		case clockIDs(ids, last.at):
			t.Breach(last.Exchange, expected, "ids that differ only in a clock value")
		case countedIDs(ids):
			t.Breach(last.Exchange, expected, "ids that count up")
		}
		t.OK(last.Exchange, "%d session ids, all different, none a counter, a clock value or too short", len(ids))
	}, withSessions)
}

// An issuedID is the session id that an initialize brought.
type issuedID struct {
	*wire.Exchange
	id string
	at time.Time
}

// issuedIDs returns what each initialize of the revision brought that did not itself name a session.
func issuedIDs(t *kit.T) []issuedID {
	var all []issuedID
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			ids := x.ResponseSession()
			fresh := x.RequestMessage().Method == "initialize" && kit.RequestHeader(x, "Mcp-Session-Id") == "" && x.Served()
			if fresh && len(ids) > 0 && ids[0] != "" {
				all = append(all, issuedID{x, ids[0], tr.Started.Add(x.Sent)})
			}
		}
	}
	return all
}

// countedIDs tells whether ids differ only in a number, and that number hardly: random ones do not come so close to each other.
func countedIDs(ids []string) bool {
	_, numbers, ok := numbersIn(ids)
	return ok && slices.Max(numbers)-slices.Min(numbers) <= 10_000
}

// clockIDs tells whether ids differ only in a number that is the time of the run, in whatever unit, or are UUIDs of version 1 from one
// generator, which differ in their time fields only.
func clockIDs(ids []string, now time.Time) bool {
	if oneClockUUIDs(ids) {
		return true
	}
	whole, _, ok := numbersIn(ids)
	if !ok {
		return false
	}
	for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond, time.Nanosecond} {
		inTime := func(n int64) bool {
			const day = 24 * time.Hour
			away := n - now.UnixNano()/int64(unit)
			return away < int64(day/unit) && away > -int64(day/unit)
		}
		if !slices.ContainsFunc(whole, func(n int64) bool { return !inTime(n) }) {
			return true
		}
	}
	return false
}

// numbersIn finds the part in which ids differ. Where that is a decimal number in all of them it returns these numbers, and also the
// whole ones with the digits that all ids share in front and behind.
func numbersIn(ids []string) (whole, numbers []int64, ok bool) {
	prefix, suffix := commonEnds(ids)
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	front := prefix[len(strings.TrimRightFunc(prefix, isDigit)):]
	back := suffix[:len(suffix)-len(strings.TrimLeftFunc(suffix, isDigit))]
	for _, id := range ids {
		part := id[len(prefix) : len(id)-len(suffix)]
		n, err := strconv.ParseInt("0"+part, 10, 64)
		if err != nil {
			return nil, nil, false
		}
		numbers = append(numbers, n)
		// One that is too long for an integer becomes the largest, which is no clock value either.
		w, _ := strconv.ParseInt("0"+front+part+back, 10, 64)
		whole = append(whole, w)
	}
	return whole, numbers, true
}

// commonEnds returns what all strings begin and end with; the two never overlap.
func commonEnds(ids []string) (prefix, suffix string) {
	shortest := slices.MinFunc(ids, func(a, b string) int { return len(a) - len(b) })
	n := 0
	for n < len(shortest) && !slices.ContainsFunc(ids, func(id string) bool { return id[n] != shortest[n] }) {
		n++
	}
	prefix = shortest[:n]
	m := 0
	for m < len(shortest)-n && !slices.ContainsFunc(ids, func(id string) bool {
		return id[len(id)-1-m] != shortest[len(shortest)-1-m]
	}) {
		m++
	}
	return prefix, shortest[len(shortest)-m:]
}

var uuidV1 = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-1[0-9a-fA-F]{3}-([0-9a-fA-F]{4}-[0-9a-fA-F]{12})$`)

func oneClockUUIDs(ids []string) bool {
	node := ""
	for _, id := range ids {
		m := uuidV1.FindStringSubmatch(id)
		if m == nil || node != "" && node != m[1] {
			return false
		}
		node = m[1]
	}
	return true
}
