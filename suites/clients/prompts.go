package clients

import (
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func prompts(s *kit.Section) {
	s.Passive("prompts.client.capabilities", promptsDeclared)
}

func promptsModern(s *kit.Section) {
	s.Passive("modern.client.prompts.respects-capabilities", promptsDiscovered)
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
