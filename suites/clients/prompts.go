package clients

import (
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func prompts(s *kit.Section) {
	s.Passive("prompts.client.capabilities", promptsDeclared)
	s.Passive("prompts.client.pagination", promptPages)
}

func promptsModern(s *kit.Section) {
	s.Passive("modern.client.prompts.respects-capabilities", promptsDiscovered)
	s.Passive("modern.client.prompts.handles-pagination", promptPages)
}

// promptPages: whoever lists prompts reads on behind the first page. Both eras have the rule.
func promptPages(t *kit.T) {
	const expected = "a request with the nextCursor of the first page of prompts"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client listed no prompts that a server has in pages")
	first := func(p page) bool { return p.method == "prompts/list" && p.first && p.Next() != "" }
	at, on := stopped(t.Transcripts(), first)
	all, elsewhere := stopped(t.Everywhere(), first)
	switch {
	case on > 0:
		t.Saw()
	case len(at) == 0:
	case len(all) > 1 && elsewhere == 0:
		t.Warn(at[0].Exchange, expected, "no request with it, in any conversation")
	default:
		t.Unseen(kit.Inconclusive, "the client left it at the first page of prompts, and that once")
	}
}

const noPrompts = "no prompts/* where the server has no prompts"

func promptsDeclared(t *kit.T) {
	t.Says(noPrompts)
	t.Unseen(kit.Unprovoked, "no session went on after initialize")
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			answer, _ := s.opening.Answer()
			promptsAsked(t, answer, s.requests)
		}
	}
}

func promptsDiscovered(t *kit.T) {
	t.Says(noPrompts)
	t.Unseen(kit.Unprovoked, "the client asked no server what it can do before it went on")
	for _, tr := range t.Transcripts() {
		discover := discovered(tr)
		if discover == nil {
			continue
		}
		answer, _ := discover.Answer()
		var later []*wire.Exchange
		for _, x := range tr.Exchanges {
			if x.Sent >= discover.AnsweredAt() && isModern(x.RequestMessage()) {
				later = append(later, x)
			}
		}
		promptsAsked(t, answer, later)
	}
}

// promptsAsked judges requests behind an answer with capabilities.
func promptsAsked(t *kit.T, answer wire.Message, requests []*wire.Exchange) {
	_, declared := answer.Pointer("/result/capabilities/prompts")
	for _, x := range requests {
		if strings.HasPrefix(x.RequestMessage().Method, "prompts/") && !declared {
			t.Warn(x, noPrompts, what(x))
			continue
		}
		t.Saw()
	}
}
