package legacy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// codeURLRequired is the error that asks for a visit to some pages first (client/elicitation#url-elicitation-required-error).
const codeURLRequired = -32042

func elicitationByURL(s *kit.Section, asked []*kit.Script) {
	s.CheckAcross("utilities.elicitation.url-shape", asked, func(t *kit.T) {
		t.Says("message, elicitationId and a valid https: URL without credentials")
		for _, m := range requestsOf(t, judges.ElicitMethod) {
			if kit.ElicitationMode(m.Asked) != "url" {
				t.Unseen(kit.Unnamed, "no tool named with --call made the server ask by URL")
				continue
			}
			judges.PageMembers(t, m, true, "message", "elicitationId", "url")
		}
	})

	s.Passive("utilities.elicitation.complete-id", func(t *kit.T) {
		const expected = "the elicitationId of an elicitation that the client was given"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no notifications/elicitation/complete came")
		given, nameless := elicitationIDs(t)
		for _, m := range t.Messages() {
			if m.Kind != wire.KindNotification || m.Method != "notifications/elicitation/complete" {
				continue
			}
			raw, _ := m.Pointer("/params/elicitationId")
			var id string
			_ = m.Decode("/params/elicitationId", &id)
			switch {
			case kit.JSONType(raw) != "string" || json.Unmarshal(raw, &id) != nil:
				t.BreachAt(m, expected, "elicitationId "+kit.JSON(raw))
			case given[id]:
				t.OK(m.Exchange, "notifications/elicitation/complete names an elicitation that the client was given")
			case nameless:
				t.Unseen(kit.Unprovoked, "an elicitation came without elicitationId, so that nobody can say which one a notification names")
			case withCredentials(m.Exchange):
				// It may stem from an earlier session of the same user.
				t.WarnAt(m, expected, kit.Quote([]byte(id))+", which no elicitation of this run has")
			default:
				t.BreachAt(m, expected, kit.Quote([]byte(id))+", which no elicitation of this run has")
			}
		}
	})

	s.Passive("utilities.elicitation.required-error", func(t *kit.T) {
		const expected = "data.elicitations with the elicitations by URL to complete, each with its elicitationId"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no error -32042 came")
		for _, m := range t.Messages() {
			if code, _ := m.ErrorCode(); m.Kind != wire.KindError || code != codeURLRequired {
				continue
			}
			list := requiredElicitations(m)
			if len(list) == 0 {
				raw, _ := m.Pointer("/error/data/elicitations")
				t.BreachAt(m, expected, "data.elicitations "+kit.JSON(raw))
				continue
			}
			judgeRequired(t, m, list, expected)
		}
	})
}

// judgeRequired judges the entries of one error; the first that is wrong stands for all.
func judgeRequired(t *kit.T, m kit.Seen, list []json.RawMessage, expected string) {
	unmarked := false
	for i, raw := range list {
		entry := wire.ReadMessage(raw)
		mode, hasMode := entry.Pointer("/mode")
		id, _ := entry.Pointer("/elicitationId")
		switch {
		case kit.JSONType(raw) != "object":
			t.BreachAt(m, expected, fmt.Sprintf("entry %d is %s", i, kit.JSON(raw)))
			return
		case hasMode && strings.TrimSpace(string(mode)) != `"url"`:
			t.BreachAt(m, expected, fmt.Sprintf("mode %s in entry %d", kit.JSON(mode), i))
			return
		case kit.JSONType(id) != "string":
			t.BreachAt(m, expected, fmt.Sprintf("elicitationId %s in entry %d", kit.JSON(id), i))
			return
		}
		unmarked = unmarked || !hasMode
	}
	if unmarked {
		// That it has a url shows what is meant; a client that goes by the mode takes it for a form.
		t.WarnAt(m, expected, "an entry without mode, which means a form")
		return
	}
	t.OK(m.Exchange, "error -32042 lists its elicitations")
}

// requiredElicitations are the entries of an error; none where they are no list.
func requiredElicitations(m kit.Seen) (list []json.RawMessage) {
	_ = m.Decode("/error/data/elicitations", &list)
	return list
}

// elicitationIDs are the ids that elicitations and errors -32042 of the revision have named, and whether one had none.
func elicitationIDs(t *kit.T) (given map[string]bool, nameless bool) {
	given = map[string]bool{}
	add := func(raw json.RawMessage, pointer string) {
		var id *string
		if wire.ReadMessage(raw).Decode(pointer, &id) != nil || id == nil {
			nameless = true
			return
		}
		given[*id] = true
	}
	for _, m := range t.Messages() {
		switch code, _ := m.ErrorCode(); {
		case m.Kind == wire.KindRequest && m.Method == judges.ElicitMethod && kit.ElicitationMode(m.Message) == "url":
			add(m.Raw(), "/params/elicitationId")
		case m.Kind == wire.KindError && code == codeURLRequired:
			for _, raw := range requiredElicitations(m) {
				add(raw, "/elicitationId")
			}
		}
	}
	return given, nameless
}

// withCredentials tells that a request carried some: they are recorded as redacted, whatever header the user gave them in.
func withCredentials(x *wire.Exchange) bool {
	for _, values := range x.Request.Header {
		if slices.Contains(values, wire.Redacted) {
			return true
		}
	}
	return false
}
