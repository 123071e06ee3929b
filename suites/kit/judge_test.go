package kit

import (
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/wire"
	"github.com/mcpcheck/mcpcheck/wire/wiretest"
)

const judgedRevision = "2025-11-25"

// checkOf is a check of a MUST on a script.
func checkOf(id string, judge func(*T), scripts ...*Script) *Check {
	return &Check{
		Entry: catalogue.Entry{ID: id, Levels: map[string]catalogue.Level{judgedRevision: catalogue.Must}}, Scripts: scripts, Judge: judge,
		applies: func(catalogue.Entry, string, string) bool { return true },
	}
}

// recordingOf is a recording of one conversation with a server of which nothing else is known.
func recordingOf(r *Recording, transcripts ...*wire.Transcript) *Recording {
	r.Revision, r.Transport, r.Transcripts = judgedRevision, StreamableHTTP, transcripts
	if r.Era == nil {
		r.Era = eraOf(nil)
	}
	return r
}

// eraOf is an era in which sessions are opened like that; nil: there are none.
func eraOf(open func(*C, ...client.Option) *wire.Exchange) *Era {
	return &Era{
		Inventory: &Script{Name: "inventory"}, Opening: "initialize", Open: open, Root: "root", Unfailing: []string{"ping"},
		Facts: func(*wire.Transcript, Given) *Facts { return NewFacts(judgedRevision, StreamableHTTP, Given{}) },
	}
}

// judged is the result of a judgement on the script "s".
func judged(tr *wire.Transcript, r *Recording, judge func(*T)) Result {
	if r == nil {
		r = &Recording{}
	}
	tr.Script = "s"
	return NewJudge(recordingOf(r, tr), []*Check{checkOf("a.one", judge, &Script{Name: "s", Sharing: Bare})}).Cell("a.one")
}

// TestFind: an accusation that says nothing of the server is none.
func TestFind(t *testing.T) {
	const control = "== control\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}\n"
	served := control + "< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n"
	listed := "== list\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\"}\n< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n"
	opening := "== ping\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n"
	opened := strings.Replace(opening, "== ping", "== open", 1) + "< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"
	sessions := eraOf(func(*C, ...client.Option) *wire.Exchange { return nil })
	broken := strings.Replace(pingSent, "> POST", "broken: on purpose\n> POST", 1)
	breach := func(t *T) { t.Breach(t.Sent("ping"), "a", "b") }
	note := func(t *T) { t.Note(t.Sent("ping"), "odd") }
	for name, row := range map[string]struct {
		text  string
		r     *Recording
		judge func(*T)
		is    Verdict
		cause Cause
	}{
		"an answer":                                     {text: pingSent + "< 400\n", judge: breach, is: Fail},
		"not answered":                                  {text: pingSent + ". timeout timeout \"x\"\n", judge: breach, is: Fail},
		"nobody listens":                                {text: pingSent + ". error refused \"x\"\n", judge: breach, is: NotObserved, cause: Unreachable},
		"nobody listens, a note":                        {text: pingSent + ". error refused \"x\"\n", judge: note, is: NotObserved, cause: Unreachable},
		"nobody listens, after an answer":               {text: pingSent + "< 200\n. error refused \"x\"\n", judge: breach, is: Fail},
		"nobody listens, since it died":                 {text: "died: it died\n" + pingSent + ". error refused \"x\"\n", judge: breach, is: Fail},
		"cut off by us":                                 {text: pingSent + ". limit limit \"x\"\n", judge: breach, is: NotObserved, cause: Cut},
		"cut off by us behind the head":                 {text: pingSent + "< 200\n. limit limit \"x\"\n", judge: breach, is: Fail},
		"a probe whose answer breaks off":               {text: broken + "< 200 application/json\n< {\"json\n. error reset \"x\"\n", judge: breach, is: NotObserved, cause: BrokenOff},
		"a probe whose answer breaks off, a note":       {text: broken + "< 200 application/json\n< {\"json\n. error reset \"x\"\n", judge: note, is: Note},
		"a request whose answer breaks off":             {text: pingSent + "< 200 application/json\n< {\"json\n. error reset \"x\"\n", judge: breach, is: Fail},
		"a probe whose answer is whole":                 {text: broken + "< 400\n", judge: breach, is: Fail},
		"a probe that breaks off behind its answer":     {text: broken + "< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n. error reset \"x\"\n", judge: breach, is: Fail},
		"a probe that takes too long":                   {text: broken + "< 200\n. timeout timeout \"x\"\n", judge: breach, is: Fail},
		"a probe that is answered 101":                  {text: broken + "< 101\n", judge: breach, is: NotObserved, cause: Unanswered},
		"a probe that is answered 101, a note":          {text: broken + "< 101\n", judge: note, is: Note},
		"a request that is answered 101":                {text: pingSent + "< 101\n", judge: breach, is: Fail},
		"5xx":                                           {text: pingSent + "< 500\n" + served, judge: breach, is: NotObserved, cause: Unstable},
		"5xx whenever it is asked":                      {text: pingSent + "< 500\n" + listed, judge: breach, is: Fail},
		"5xx, and nothing was served since":             {text: listed + pingSent + "< 500\n", judge: breach, is: NotObserved, cause: Unstable},
		"5xx, and nothing but a session was opened":     {text: "shared: yes\n" + pingSent + "< 500\n" + opened, r: &Recording{Era: sessions}, judge: breach, is: NotObserved, cause: Unstable},
		"5xx, and the first request was served since":   {text: pingSent + "< 500\n" + opened, judge: breach, is: Fail},
		"5xx of a gateway whenever it is asked":         {text: pingSent + "< 502\n" + listed, judge: breach, is: NotObserved, cause: Gateway},
		"5xx, a note":                                   {text: pingSent + "< 500\n" + served, judge: note, is: Note},
		"5xx to a probe of a server that serves":        {text: broken + "< 500\n" + served, judge: breach, is: Fail},
		"5xx to a probe of a server that fails":         {text: broken + "< 500\n" + control + "< 500\n", judge: breach, is: NotObserved, cause: Unstable},
		"400 to a probe of a server that fails":         {text: broken + "< 400\n" + control + "< 500\n", judge: breach, is: Fail},
		"5xx where only a session that was ended fails": {text: broken + "< 500\n== end\n> DELETE\n< 204\n" + control + "< 500\n", judge: breach, is: Fail},
		"one session too many":                          {text: opening + "< 400\n", r: &Recording{Capped: true, Crowded: crowd(t, "< 400")}, judge: breach, is: NotObserved, cause: Unstable},
		"one session too many, a note":                  {text: opening + "< 400\n", r: &Recording{Capped: true, Crowded: crowd(t, "< 400")}, judge: note, is: Note},
		"refused in other words":                        {text: opening + "< 400\n", r: &Recording{Capped: true, Crowded: crowd(t, "< 400\n<\n< no")}, judge: breach, is: Fail},
		"refused with another status":                   {text: opening + "< 400\n", r: &Recording{Capped: true, Crowded: crowd(t, "< 429")}, judge: breach, is: Fail},
		"refused by a server without a cap":             {text: opening + "< 400\n", r: &Recording{Crowded: crowd(t, "< 400")}, judge: breach, is: Fail},
		"a wrong initialize":                            {text: strings.Replace(opening, "> POST", "broken: so\n> POST", 1) + "< 400\n", r: &Recording{Capped: true, Crowded: crowd(t, "< 400")}, judge: breach, is: Fail},
		"a wrong initialize, in the words of others":    {text: strings.Replace(opening, "> POST", "broken: so\n> POST", 1) + "< 400\n<\n< full\n", r: &Recording{Capped: true, Crowded: crowd(t, "< 400\n<\n< full")}, judge: breach, is: NotObserved, cause: Unstable},
		"another method":                                {text: pingSent + "< 400\n", r: &Recording{Capped: true, Crowded: crowd(t, "< 400")}, judge: breach, is: Fail},
		"another hundred":                               {text: opening + "< 302\n", r: &Recording{Capped: true, Crowded: crowd(t, "< 302")}, judge: breach, is: Fail},
	} {
		got := judged(wiretest.Transcript(t, row.text), row.r, row.judge)
		if got.Verdict != row.is || got.Cause != row.cause {
			t.Errorf("%s: %s (%s), want %s (%s): %s", name, got.Verdict, got.Cause, row.is, row.cause, got.Message)
		}
	}
}

// crowd is an initialize that was refused while other sessions were open.
func crowd(t *testing.T, came string) []*wire.Exchange {
	t.Helper()
	return wiretest.Transcript(t, "== initialize\n> POST\n"+came+"\n").Exchanges
}

// TestMustConclude: what says nothing about a probe ends the judgement, and who judges a status himself gets it.
func TestMustConclude(t *testing.T) {
	for came, want := range map[string]Cause{
		"< 400": "", "< 401": Denied, "< 407": Denied, "< 429": Busy, "< 500": Failing, "< 503": Gateway, "< 403": "",
		"< 200\n. limit limit \"x\"": Cut, "< 200\n. error reset \"x\"": "", "< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n. limit limit \"x\"": "",
	} {
		got := judged(wiretest.Transcript(t, pingSent+came+"\n"), nil, func(t *T) { t.MustConclude(t.Sent("ping"), 403); t.Saw() })
		if got.Cause != want {
			t.Errorf("%s: %q", came, got.Cause)
		}
	}
}

// TestResult: how a judgement becomes a result.
func TestResult(t *testing.T) {
	tr := wiretest.Transcript(t, pingSent+"< 400\n")
	x := tr.Exchanges[0]
	got := judged(tr, nil, func(t *T) {
		t.Note(x, "odd")
		for range maxFindings + 2 {
			t.Breach(x, "a", "b.")
		}
	})
	if got.Verdict != Fail || len(got.Findings) != maxFindings || got.More != 2 || got.Message != "expected a, got b" || len(got.Scripts) != 1 {
		t.Errorf("%s, %d findings and %d more: %s, scripts %v", got.Verdict, len(got.Findings), got.More, got.Message, got.Scripts)
	}
	got = judged(tr, nil, func(t *T) { t.Breach(x, "a", "b"); panic("a mistake of ours") })
	if got.Verdict != Error || !strings.Contains(got.Message, "a mistake of ours") {
		t.Errorf("a panic: %s, %s", got.Verdict, got.Message)
	}
	got = judged(tr, nil, func(t *T) { t.OK(x, "first"); t.OK(nil, "second") })
	if got.Verdict != Pass || got.Message != "first" || len(got.Shown) != 1 || got.Cause != "" || got.Class != "" {
		t.Errorf("in order: %s, %s, %d shown", got.Verdict, got.Message, len(got.Shown))
	}
	got = judged(tr, nil, func(t *T) { t.OK(nil, "first"); t.OK(x, "second"); t.OK(x, "third") })
	if got.Message != "first" || len(got.Shown) != 1 {
		t.Errorf("the first sentence: %s, %d shown", got.Message, len(got.Shown))
	}
	got = judged(tr, nil, func(t *T) {
		if t.Observed() {
			t.NotApplicable("something was observed")
		}
		t.Note(x, "odd")
		if !t.Observed() {
			t.NotApplicable("nothing was observed")
		}
	})
	if got.Verdict != Note {
		t.Errorf("what was observed: %s, %s", got.Verdict, got.Message)
	}
	for name, judge := range map[string]func(*T){"a kind that the entry does not have": func(t *T) { t.Kind("other") }} {
		if got := judged(tr, nil, judge); got.Verdict != Error {
			t.Errorf("%s: %s", name, got.Verdict)
		}
	}
	if got := judged(tr, nil, func(t *T) { t.Kind(""); t.Saw() }); got.Verdict != Pass {
		t.Errorf("no kind: %s", got.Verdict)
	}
}

// TestDoubt: why nothing of a kind was seen.
func TestDoubt(t *testing.T) {
	unseen := func(*T) {}
	passive := func(r *Recording) Result {
		return NewJudge(recordingOf(r), []*Check{checkOf("a.one", unseen)}).Cell("a.one")
	}
	if got := passive(&Recording{}); got.Cause != Unprovoked || got.Class != NothingToSee {
		t.Errorf("a passive check: %s", got.Cause)
	}
	if got := passive(&Recording{Damaged: true}); got.Cause != Unrecorded || got.Class != CouldNotLook {
		t.Errorf("a passive check of what is damaged: %s", got.Cause)
	}
	for name, row := range map[string]struct {
		text   string
		origin wire.OriginKind
		want   Cause
	}{
		"an answer":                        {pingSent + "< 200\n", "", Unprovoked},
		"it was given up":                  {"aborted: so\n" + pingSent + "< 200\n", "", Unrecorded},
		"turned away":                      {pingSent + "< 429\n", "", Busy},
		"turned away, and not asked by us": {pingSent + "< 429\n", wire.FromCleanUp, Unprovoked},
	} {
		tr := wiretest.Transcript(t, row.text)
		tr.Exchanges[0].Origin.Kind = row.origin
		if got := judged(tr, nil, unseen); got.Cause != row.want {
			t.Errorf("%s: %s, want %s", name, got.Cause, row.want)
		}
	}
}

// TestBlocking: what a check hangs on, and what becomes of its class.
func TestBlocking(t *testing.T) {
	x := wiretest.Transcript(t, pingSent+"< 400\n")
	x.Script = "s"
	verdicts := map[Verdict]func(*T){
		Pass: func(t *T) { t.Saw() }, Fail: func(t *T) { t.Breach(x.Exchanges[0], "a", "b") }, Note: func(t *T) { t.Note(x.Exchanges[0], "odd") },
		NotApplicable: func(t *T) { t.NotApplicable("none") }, NotObserved: func(t *T) { t.NotObserved(Unrecorded, "lost") }, Error: func(*T) { panic("ours") },
	}
	for verdict, want := range map[Verdict]struct {
		is    Verdict
		class Class
	}{
		Pass: {Pass, ""}, Note: {Pass, ""}, Fail: {NotObserved, Settled}, NotApplicable: {NotApplicable, ""}, NotObserved: {NotObserved, CouldNotLook}, Error: {NotObserved, CouldNotLook},
	} {
		hangs := checkOf("a.two", func(t *T) { t.Saw() })
		hangs.Entry.RestsOn = []string{"a.one", "not.planned"}
		j := NewJudge(recordingOf(&Recording{}, x), []*Check{checkOf("a.one", verdicts[verdict]), hangs})
		if got := j.Cell("a.two"); got.Verdict != want.is || got.Class != want.class {
			t.Errorf("hangs on %s: %s, class %q", verdict, got.Verdict, got.Class)
		}
	}
	// The judgement itself names another requirement.
	for verdict, want := range map[Verdict]Class{Pass: NothingToSee, Note: Settled, Fail: Settled, NotApplicable: NothingToSee, NotObserved: CouldNotLook, Error: CouldNotLook} {
		names := checkOf("a.two", func(t *T) { t.Blocked("a.one", "so") })
		j := NewJudge(recordingOf(&Recording{}, x), []*Check{checkOf("a.one", verdicts[verdict]), names})
		if got := j.Cell("a.two"); got.Class != want || got.BlockedBy != "a.one" {
			t.Errorf("names %s: class %q", verdict, got.Class)
		}
	}
	for verdict, shown := range map[Verdict]Class{Pass: CouldNotLook, Fail: Settled} {
		names := checkOf("a.two", func(t *T) { t.Blocked("a.one", "so", x.Exchanges[0]) })
		j := NewJudge(recordingOf(&Recording{}, x), []*Check{checkOf("a.one", verdicts[verdict]), names})
		if got := j.Cell("a.two"); got.Class != shown {
			t.Errorf("names %s and shows what came: class %q", verdict, got.Class)
		}
	}
	elsewhere := checkOf("a.one", verdicts[Fail])
	elsewhere.applies = func(catalogue.Entry, string, string) bool { return false }
	hangs := checkOf("a.two", func(t *T) { t.Saw() })
	hangs.Entry.RestsOn = []string{"a.one"}
	if got := NewJudge(recordingOf(&Recording{}, x), []*Check{elsewhere, hangs}).Cell("a.two"); got.Verdict != Pass {
		t.Errorf("hangs on what does not exist here: %s", got.Verdict)
	}
	// What was not seen because of the one at hand keeps it from nothing, whichever is asked for first.
	for _, first := range []string{"a.one", "a.two"} {
		waits := checkOf("a.one", func(t *T) { t.Blocked("a.two", "so", x.Exchanges[0]) })
		broken := checkOf("a.two", func(t *T) { t.Breach(x.Exchanges[0], "a", "b") })
		broken.Entry.RestsOn = []string{"a.one"}
		j := NewJudge(recordingOf(&Recording{}, x), []*Check{waits, broken})
		j.Cell(first)
		if one, two := j.Cell("a.one"), j.Cell("a.two"); two.Verdict != Fail || one.Verdict != NotObserved || first == "a.one" && one.Class != Settled {
			t.Errorf("%s first: %s (%s) and %s", first, one.Verdict, one.Class, two.Verdict)
		}
	}
	for name, checks := range map[string][]*Check{
		"a check that is not planned": nil,
		"a check that hangs on itself": func() []*Check {
			self := checkOf("a.one", func(t *T) { t.Saw() })
			self.Entry.RestsOn = []string{"a.one"}
			return []*Check{self}
		}(),
	} {
		func() {
			defer func() {
				if p := recover(); name == "a check that is not planned" && p != `kit: no check "a.one" in this plan` {
					t.Errorf("%s: %v", name, p)
				}
			}()
			if got := NewJudge(recordingOf(&Recording{}, x), checks).Cell("a.one"); got.Verdict != Error || !strings.Contains(got.Message, "hangs on itself") {
				t.Errorf("%s: %s, %s", name, got.Verdict, got.Message)
			}
		}()
	}
}

// TestRead: what passive checks range over.
func TestRead(t *testing.T) {
	busy := wiretest.Transcript(t, pingSent+"< 429\n").Exchanges[0]
	busy.Origin.Kind = wire.FromBusy
	tr := wiretest.Transcript(t, pingSent+"< 200 text/event-stream\n<\n< data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n<\n"+
		"== refused\n> POST\n< 400 text/event-stream\n<\n< : no\n<\n== lost\n> POST\n. timeout timeout \"x\"\n== JSON\n> POST\n< 200 application/json\n< {}\n")
	tr.Exchanges = append(tr.Exchanges, busy)
	got := judged(tr, nil, func(t *T) {
		if len(t.Exchanges()) != 3 || len(t.Streams()) != 1 || len(t.Messages()) != 1 {
			t.NotApplicable("%d exchanges, %d streams, %d messages", len(t.Exchanges()), len(t.Streams()), len(t.Messages()))
		}
		t.Saw()
	})
	if got.Verdict != Pass {
		t.Error(got.Message)
	}
}
