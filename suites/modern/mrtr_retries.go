package modern

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A comeback is a request with answers, beside the one that answers the same as asked.
type comeback struct {
	name, way     string
	sent, control *wire.Exchange
	usual, now    reaction
}

// eachComeback visits the requests that come back in one way. Where the usual answers get no result, or get none to this day, others say
// nothing.
func eachComeback(t *kit.T, way string, visit func(comeback)) {
	eachOf(t, []string{way}, visit)
}

// eachOf is eachComeback for several ways, in the order in which they were gone.
func eachOf(t *kit.T, ways []string, visit func(comeback)) {
	t.Unseen(kit.Unnamed, unasked)
	for _, x := range t.Transcript().Exchanges {
		name := targetName(x.RequestMessage())
		gone := slices.IndexFunc(ways, func(way string) bool { return x.Label == name+way })
		if gone < 0 {
			continue
		}
		control := t.IfSent(name + answered)
		switch {
		case control == nil:
			t.Unseen(kit.Unprovoked, "%s did not ask a second time", name)
			continue
		case reactionOf(control) < asksAgain:
			t.Unseen(kit.CauseOf(control, kit.TurnedAway), "the answers that %s asks for are not taken: %s", name, kit.Describe(control))
			continue
		}
		visit(comeback{name, ways[gone], x, control, reactionOf(control), reactionOf(x)})
	}
}

// String says what the server made of the request, as the end of a sentence.
func (b comeback) String() string {
	switch b.now {
	case asksAgain:
		return "asks once more"
	case fails:
		return "fails"
	case completes:
		return "goes on without"
	}
	return "is answered " + kit.Describe(b.sent)
}

// got says what came, for a finding.
func (b comeback) got() string {
	switch b.now {
	case asksAgain:
		return "the questions once more"
	case fails:
		return "a result with isError true"
	}
	return kit.Describe(b.sent)
}

// asksOn tells that the request is answered with questions, and so is that with the usual answers: whether they are the same ones, because
// the answers were not taken, is the server's to know.
func (b comeback) asksOn(t *kit.T) bool {
	if b.now == asksAgain && b.usual == asksAgain {
		t.Unseen(kit.Inconclusive, "%s asks on, as it does when it is answered as usual", b.name)
		return true
	}
	return false
}

// conclusive ends the judgement where what a request was answered with says nothing of its answers.
func (b comeback) conclusive(t *kit.T) comeback {
	if b.sent.Response == nil {
		t.NotObservedAt(kit.BrokenOff, b.sent, "%s was not answered: %s", b.sent.Label, kit.Describe(b.sent))
	}
	t.MustConclude(b.sent, gatewayless...)
	if b.now == silent {
		t.NotObservedAt(kit.Inconclusive, b.sent, "%s was neither taken nor refused: %s", b.sent.Label, kit.Describe(b.sent))
	}
	return b
}

// mrtrRetries are the rules about the request that comes back.
func mrtrRetries(s *kit.Section) {
	s.Check("modern.mrtr.no-assumption-of-retry", asking, func(t *kit.T) {
		const expected = "a server that goes on when nobody comes back"
		t.Late()
		t.Says(expected)
		t.Control("control")
		t.Unseen(kit.Unnamed, unasked)
		for _, x := range t.Transcript().Exchanges {
			if !asks(x) {
				continue
			}
			if after := t.Conclusive("control after", gatewayless...); !after.Served() {
				t.Warn(after, expected, "the next request refused: "+kit.Describe(after))
			} else {
				t.OK(x, "the server goes on when nobody answers what it asked")
			}
			return
		}
	})
	s.Check("modern.mrtr.retry-needs-nothing-else", asking, func(t *kit.T) {
		const expected = "the same as over the connection that brought the question"
		t.Says(expected)
		const taken = "answers are taken over another connection"
		eachOf(t, []string{together, elsewhere}, func(b comeback) {
			if b.way == together {
				b.both(t, taken)
				return
			}
			if b.conclusive(t).now < b.usual {
				t.Warn(b.sent, expected, b.got())
				return
			}
			t.OK(b.sent, "%s", taken)
		})
	})
	s.Check("modern.mrtr.ignores-unknown-responses", asking, func(t *kit.T) {
		const expected = "the same as without the answer that nobody asked for"
		t.Says(expected)
		const ignored = "an answer that nobody asked for is ignored"
		eachOf(t, []string{together, oneMore}, func(b comeback) {
			if b.way == together {
				b.both(t, ignored)
				return
			}
			switch now := b.conclusive(t).now; {
			case now < asksAgain:
				t.Breach(b.sent, expected, b.got())
			case now < b.usual:
				t.Unseen(kit.Inconclusive, "%s asks once more where there is an answer too many", b.name)
			default:
				t.OK(b.sent, "%s", ignored)
			}
		})
	})
	s.Check("modern.mrtr.missing-responses-rerequested", asking, func(t *kit.T) {
		const expected = "the questions once more"
		t.Says(expected)
		eachComeback(t, noAnswers, func(b comeback) {
			switch b.conclusive(t).now {
			case asksAgain, completes:
				t.OK(b.sent, "%s without its answers %s", b.name, b)
			case fails:
				t.Note(b.sent, "%s without its answers fails, where it could ask once more", b.name)
			default:
				t.Breach(b.sent, expected, kit.Describe(b.sent))
			}
		})
	})
}

// both writes down that answers were taken which came over another connection, and one too many. Where they were not, each was tried by itself,
// and is judged there.
func (b comeback) both(t *kit.T, taken string) {
	if b.now >= b.usual {
		t.OK(b.sent, "%s", taken)
		return
	}
	t.Unseen(kit.CauseOf(b.sent, kit.Inconclusive), "%s was not taken, and neither half of it was tried by itself: %s", b.sent.Label, kit.Describe(b.sent))
}

// mrtrAnswers are the rules about what the person answers, and about answers that are none.
func mrtrAnswers(s *kit.Section) {
	s.Check("modern.mrtr.validates-responses", asking, func(t *kit.T) {
		const expected = "a JSON-RPC error, or the questions once more"
		t.Says(expected)
		for _, way := range []string{numbers, nullified} {
			eachComeback(t, way, func(b comeback) {
				switch now := b.conclusive(t).now; {
				case b.asksOn(t):
				case now == completes, now == turnsAway, b.sent.Status() >= 500:
					t.Breach(b.sent, expected, kit.Describe(b.sent))
				default:
					t.OK(b.sent, "%s with answers that are none %s", b.name, b)
				}
			})
		}
	})
	s.Check("modern.mrtr.elicitation-data-validated", asking, func(t *kit.T) {
		const expected = "an error, a result with isError true, or the question once more"
		t.Says(expected)
		eachComeback(t, misfitted, func(b comeback) {
			switch now := b.conclusive(t).now; {
			case b.asksOn(t):
			case now == completes:
				t.Note(b.sent, "%s takes data that does not fit its form: an ordinary result, which may still say so in its text", b.name)
			default:
				t.OK(b.sent, "%s with data that does not fit %s", b.name, b)
			}
		})
	})
	s.Check("modern.mrtr.elicitation-declined-handled", asking, func(t *kit.T) {
		const expected = "any answer but a failure of the server"
		t.Says(expected)
		for _, way := range []string{declined, cancelled} {
			eachComeback(t, way, func(b comeback) {
				switch cause := kit.CauseOf(b.sent, kit.Inconclusive); {
				case cause == kit.Limited:
					t.Unseen(kit.Limited, "mcpcheck did not wait for %s longer than for any tool that nobody named", b.name)
				case cause == kit.Unanswered, cause == kit.BrokenOff, b.sent.Status() == 500, b.sent.Status() == 501:
					t.Breach(b.sent, expected, kit.Describe(b.sent))
				case b.now == silent:
					t.MustConclude(b.sent)
					t.Unseen(cause, "what %s makes of a person who declines is not known: %s", b.name, kit.Describe(b.sent))
				case t.Conclusive(b.name+afterwards, gatewayless...).Served():
					t.OK(t.MustConclude(b.sent), "%s for a person who declines or cancels %s", b.name, b)
				default:
					after := t.Answered(b.name + afterwards)
					t.Breach(after, "a server that goes on", "the next request refused: "+kit.Describe(after))
				}
			})
		}
	})
}

// mrtrStates are the rules about the state that the client keeps for the server. A server that does without it when it is absent shows
// that nothing hangs on it.
func mrtrStates(s *kit.Section) {
	s.Check("modern.mrtr.tampered-state-rejected", asking, func(t *kit.T) {
		refusesState(t, tampered, "a requestState that was changed", func(x *wire.Exchange, expected string) {
			t.Warn(x, expected, "an ordinary result")
		})
	})
	s.Check("modern.mrtr.state-bound", asking, func(t *kit.T) {
		refusesState(t, foreign, "the requestState of another request", func(x *wire.Exchange, expected string) {
			t.Breach(x, expected, "an ordinary result")
		})
	})
}

// refusesState judges a state that the server did not give to this request.
func refusesState(t *kit.T, way, what string, taken func(x *wire.Exchange, expected string)) {
	const expected = "an error, a result with isError true, or the questions once more"
	t.Says(expected)
	eachComeback(t, way, func(b comeback) {
		without := t.IfSent(b.name + stateless)
		switch now := b.conclusive(t).now; {
		case b.asksOn(t):
		case now == completes && without != nil && reactionOf(without) == completes:
			t.Note(b.sent, "%s is taken by %s, which does as well without any", what, b.name)
		case now == completes:
			taken(b.sent, expected)
		default:
			t.OK(b.sent, "%s with %s %s", b.name, what, b)
		}
	})
}
