package clients

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func mrtrModern(s *kit.Section) {
	s.Passive("modern.client.mrtr.fulfils-before-retry", fulfilsBeforeRetry)
	s.Passive("modern.client.mrtr.response-keys-match", responseKeysMatch)
	s.Passive("modern.client.mrtr.echoes-state", echoesState)
	s.Passive("modern.client.mrtr.no-invented-state", inventsNoState)
	s.Passive("modern.client.mrtr.new-id", retriesWithNewID)
	s.Passive("modern.client.mrtr.same-request", retriesTheSame)
	s.Passive("modern.client.mrtr.not-on-other-requests", nothingOnOthers)
	s.Passive("modern.client.mrtr.roots-file-uris", rootsInResponses)
	s.Passive("modern.client.mrtr.elicitation-missing-mode", missingModeIsFormModern)
	s.Passive("modern.client.mrtr.elicitation-validates", formsValidated)
	s.Passive("modern.client.mrtr.url-not-prefetched", pageNotPrefetchedModern)
	s.Passive("modern.client.mrtr.sampling-respects-max-tokens", respectsMaxTokens)
	s.Passive("modern.client.mrtr.sampling-tools-undeclared", toolsRefusedModern)
}

func fulfilsBeforeRetry(t *kit.T) {
	const expected = "inputResponses with every key of inputRequests"
	t.Says(expected)
	asked := questions(t)
	t.Unseen(kit.Unprovoked, "the client was asked for nothing, or did not come back: it declares nothing that it could be asked for, or a person has to answer")
	for _, q := range asked {
		if q.retry == nil || len(q.asked) == 0 {
			continue
		}
		var given map[string]json.RawMessage
		_ = q.retry.RequestMessage().Decode("/params/inputResponses", &given) // missing: every key is
		var lacks []string
		for _, key := range slices.Sorted(maps.Keys(q.asked)) {
			if _, ok := given[key]; !ok {
				lacks = append(lacks, key)
			}
		}
		if len(lacks) > 0 {
			t.Breach(q.retry, expected, what(q.retry)+" without "+strings.Join(lacks, ", "))
			continue
		}
		t.Saw()
	}
}

func responseKeysMatch(t *kit.T) {
	const expected = "the keys of inputRequests, each with a result of its kind"
	t.Says(expected)
	for _, q := range questions(t) {
		if q.retry == nil || len(q.asked) == 0 {
			continue
		}
		var given map[string]json.RawMessage
		_ = q.retry.RequestMessage().Decode("/params/inputResponses", &given) // missing: fulfilsBeforeRetry has it
		for _, key := range slices.Sorted(maps.Keys(given)) {
			request, known := q.asked[key]
			method, _ := kit.Text(request, "method")
			switch wrong := responseFault(method, given[key]); {
			case !known:
				t.Breach(q.retry, expected, "an answer to "+kit.Quote([]byte(key))+", which was not asked")
			case wrong != "":
				t.Breach(q.retry, expected, wrong+" in answer to "+method)
			default:
				t.Saw()
			}
		}
	}
	t.Unseen(kit.Unprovoked, "the client answered nothing that it was asked for: it declares nothing that it could be asked for, or a person has to answer")
}

// responseFault says what keeps an answer from being a result of its kind, "" for nothing.
func responseFault(method string, raw json.RawMessage) string {
	lacks := func(names ...string) string {
		for _, name := range names {
			if _, there := wire.Lookup(raw, "/"+name); !there {
				return "a result without " + name
			}
		}
		return ""
	}
	switch method {
	case "roots/list":
		return lacks("roots")
	case "sampling/createMessage":
		return lacks("role", "content", "model")
	case "elicitation/create":
		if action, _ := kit.Text(raw, "action"); !slices.Contains([]string{"accept", "decline", "cancel"}, action) {
			return "the action " + kit.Quote([]byte(action))
		}
	}
	return ""
}

// echoesState: a state comes back as it was given.
func echoesState(t *kit.T) {
	const expected = "requestState as it came"
	t.Says(expected)
	for _, q := range questions(t) {
		if q.retry == nil || q.state == nil {
			continue
		}
		got, there := q.retry.RequestMessage().Pointer("/params/requestState")
		switch {
		case !there:
			t.Breach(q.retry, expected, what(q.retry)+" without it")
		case wire.Unquote(got) != wire.Unquote(q.state) || kit.JSONType(got) != kit.JSONType(q.state):
			t.Breach(q.retry, expected, "requestState "+kit.JSON(got)+" for "+kit.JSON(q.state))
		default:
			t.Saw()
		}
	}
}

func inventsNoState(t *kit.T) {
	const expected = "no requestState, since the result had none"
	t.Says(expected)
	asked := questions(t)
	t.Unseen(kit.Unprovoked, "the client came back for no result without requestState")
	for _, q := range asked {
		if q.retry == nil || q.state != nil {
			continue
		}
		if got, there := q.retry.RequestMessage().Pointer("/params/requestState"); there {
			t.Breach(q.retry, expected, "requestState "+kit.JSON(got))
			continue
		}
		t.Saw()
	}
}

func retriesWithNewID(t *kit.T) {
	const expected = "another id than that of the first request"
	t.Says(expected)
	for _, q := range questions(t) {
		if q.retry == nil {
			continue
		}
		if id := q.retry.RequestMessage().ID; wire.SameID(id, q.x.RequestMessage().ID) {
			t.Breach(q.retry, expected, what(q.retry)+" with the same id "+kit.JSON(id))
			continue
		}
		t.Saw()
	}
}

// retriesTheSame: what comes back is the request as it was, with the answers. Headers are judged as those of every request.
func retriesTheSame(t *kit.T) {
	const expected = "the method and params of the first request"
	t.Says(expected)
	for _, q := range questions(t) {
		if q.retry == nil {
			continue
		}
		first, again := q.x.RequestMessage(), q.retry.RequestMessage()
		wrong := ""
		if again.Method != first.Method {
			wrong = again.Method + " for " + first.Method
		}
		for _, member := range []string{"name", "uri", "arguments"} {
			a, _ := first.Pointer("/params/" + member)
			b, _ := again.Pointer("/params/" + member)
			if wrong == "" && !sameJSON(a, b) {
				wrong = fmt.Sprintf("%s %s for %s", member, kit.JSON(b), kit.JSON(a))
			}
		}
		if wrong != "" {
			t.Breach(q.retry, expected, wrong)
			continue
		}
		t.Saw()
	}
}

// sameJSON tells that two texts mean the same; an empty object and none do where arguments are.
func sameJSON(a, b json.RawMessage) bool {
	norm := func(raw json.RawMessage) string {
		var v any
		if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
			return "{}"
		}
		text, _ := json.Marshal(v) // was JSON
		return string(text)
	}
	return norm(a) == norm(b)
}

// nothingOnOthers: only a request that comes back has what was asked for.
func nothingOnOthers(t *kit.T) {
	const expected = "neither inputResponses nor requestState"
	t.Says(expected)
	var back []*wire.Exchange
	for _, q := range questions(t) {
		back = append(back, q.retry)
	}
	eachModern(t, func(x *wire.Exchange, m wire.Message) {
		switch {
		case slices.Contains(back, x):
		case isRetry(m):
			t.Breach(x, expected, what(x)+" with one of them, and no result had asked for it")
		default:
			t.Saw()
		}
	})
}

func rootsInResponses(t *kit.T) {
	const expected = "file:// URIs"
	t.Says(expected)
	for _, q := range questions(t) {
		if q.retry == nil {
			continue
		}
		for key, request := range q.asked {
			if method, _ := kit.Text(request, "method"); method != "roots/list" {
				continue
			}
			raw, _ := q.retry.RequestMessage().Pointer("/params/inputResponses/" + key + "/roots")
			roots, _ := wire.Elements(raw)
			for _, root := range roots {
				if wrong := rootFault(root); wrong != "" {
					t.Breach(q.retry, expected, wrong)
				} else {
					t.Saw()
				}
			}
		}
	}
	t.Unseen(kit.Unprovoked, "the client told no roots")
}
