package kit

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/wire"
	"github.com/mcpcheck/mcpcheck/wire/wiretest"
)

// inSession is a ping of the session "1" under a label, which the server gave out with its answer to it.
func inSession(label, came string) string {
	return "== " + label + "\n> POST\n> Mcp-Session-Id: 1\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n" + came + "\n"
}

const (
	given   = "< 200 application/json\n< Mcp-Session-Id: 1\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
	refused = "< 404"
)

// TestInTurn: a refusal of a session that the server gave out is one instance's word where sessions are refused and served in turn.
func TestInTurn(t *testing.T) {
	turning := inSession("a", given) + inSession("b", refused) + inSession("c", given) + inSession("d", refused) + inSession("e", given)
	for name, row := range map[string]struct {
		text      string
		instances bool
		want      bool // of the exchange "b"
	}{
		"in turn":                 {turning, false, true},
		"in turn elsewhere":       {inSession("a", given) + inSession("b", refused), true, true},
		"refused for good":        {inSession("a", given) + inSession("b", refused), false, false},
		"a session of nobody":     {inSession("b", refused), true, false},
		"another status":          {inSession("a", given) + inSession("b", "< 401"), true, false},
		"400":                     {inSession("a", given) + inSession("b", "< 400"), true, true},
		"served":                  {inSession("a", given) + inSession("b", given), true, false},
		"400 in turn, told alike": {strings.ReplaceAll(turning, refused, "< 400"), false, true},
	} {
		tr := wiretest.Transcript(t, row.text)
		r := recordingOf(&Recording{Instances: row.instances}, tr)
		if got := r.inTurn(tr.Exchange("b")); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
		if r.inTurn(nil) {
			t.Errorf("%s: what was not sent was refused in turn", name)
		}
	}
}

// TestTorn: a conversation is torn by such a refusal of its session, unless that was asked for or the session had been ended.
func TestTorn(t *testing.T) {
	const end = "== end\n> DELETE\n> Mcp-Session-Id: 1\n< 204\n"
	broken := strings.Replace(inSession("b", refused), "> POST", "broken: so\n> POST", 1)
	for name, row := range map[string]struct {
		text string
		want bool
	}{
		"refused":               {inSession("a", given) + inSession("b", refused), true},
		"served":                {inSession("a", given), false},
		"wrong on purpose":      {inSession("a", given) + broken, false},
		"after its end":         {inSession("a", given) + end + inSession("c", given) + inSession("b", refused), false},
		"ahead of its end":      {inSession("a", given) + inSession("b", refused) + end, true},
		"another session ended": {inSession("a", given) + strings.Replace(end, "Id: 1", "Id: 2", 1) + inSession("b", refused), true},
	} {
		tr := wiretest.Transcript(t, row.text)
		r := recordingOf(&Recording{Instances: true}, tr)
		if got := r.torn(tr); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
		if r.torn(nil) {
			t.Errorf("%s: what was not recorded is torn", name)
		}
	}
}

// TestUnlessTurning: what rests on one instance's word about a session is not judged, but by the requirement that tells of it.
func TestUnlessTurning(t *testing.T) {
	text := inSession("a", given) + inSession("b", refused) + inSession("c", given) + inSession("d", refused) + inSession("e", given)
	for name, row := range map[string]struct {
		turning string // the requirement that tells of it
		label   string
		passive bool
		write   func(*T, *wire.Exchange)
		is      Verdict
		blocked string
	}{
		"a refusal":                       {"", "b", false, func(t *T, x *wire.Exchange) { t.Breach(x, "a", "b") }, NotObserved, ""},
		"a refusal, told elsewhere":       {"turn", "b", false, func(t *T, x *wire.Exchange) { t.Breach(x, "a", "b") }, NotObserved, "turn"},
		"a refusal, told here":            {"a.one", "b", false, func(t *T, x *wire.Exchange) { t.Breach(x, "a", "b") }, Fail, ""},
		"in a torn conversation":          {"", "c", false, func(t *T, x *wire.Exchange) { t.Breach(x, "a", "b") }, NotObserved, ""},
		"in a torn conversation, passive": {"", "c", true, func(t *T, x *wire.Exchange) { t.Breach(x, "a", "b") }, Fail, ""},
		"a refusal, passive":              {"", "b", true, func(t *T, x *wire.Exchange) { t.Breach(x, "a", "b") }, NotObserved, ""},
		"a refusal in order":              {"", "b", false, func(t *T, x *wire.Exchange) { t.OK(x, "fine") }, NotObserved, ""},
		"an answer in order":              {"", "c", false, func(t *T, x *wire.Exchange) { t.OK(x, "fine") }, Pass, ""},
		"nothing in order":                {"", "c", false, func(t *T, _ *wire.Exchange) { t.OK(nil, "fine") }, Pass, ""},
	} {
		tr := wiretest.Transcript(t, text)
		tr.Script = "s"
		r := recordingOf(&Recording{}, tr)
		r.Era.Turning = row.turning
		judge := func(t *T) { row.write(t, tr.Exchange(row.label)) }
		check := checkOf("a.one", judge, &Script{Name: "s", Sharing: Bare})
		if row.passive {
			check = checkOf("a.one", judge)
		}
		got := NewJudge(r, []*Check{check, checkOf("turn", func(t *T) { t.Breach(t.RefusedInTurn()[0], "a", "b") })}).Cell("a.one")
		if got.Verdict != row.is || got.BlockedBy != row.blocked {
			t.Errorf("%s: %s blocked by %q, want %s by %q: %s", name, got.Verdict, got.BlockedBy, row.is, row.blocked, got.Message)
		}
	}
}

// TestRefusals: why a request that nothing is wrong with was refused.
func TestRefusals(t *testing.T) {
	const opening = "== ping\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n< 400\n"
	served := "== again\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n" + given + "\n"
	for name, row := range map[string]struct {
		text string
		r    *Recording
		want Cause
	}{
		"an ordinary one":                {pingSent + "< 400\n", nil, TurnedAway},
		"served at another time":         {pingSent + "< 400\n" + served, nil, Unstable},
		"served wrong on purpose":        {pingSent + "< 400\n" + strings.Replace(served, "> POST", "broken: so\n> POST", 1), nil, TurnedAway},
		"another request served":         {pingSent + "< 400\n" + strings.Replace(served, `"ping"`, `"tools/list"`, 1), nil, TurnedAway},
		"another name served":            {strings.Replace(pingSent, `"ping"`, `"ping","params":{"name":"a"}`, 1) + "< 400\n" + served, nil, TurnedAway},
		"404 to a session":               {strings.Replace(inSession("ping", refused), "Id: 1", "Id: 2", 1), nil, Ended},
		"404 without one":                {pingSent + "< 404\n", nil, TurnedAway},
		"404 to a session, in turn":      {inSession("ping", refused) + inSession("again", given), &Recording{Instances: true}, Unstable},
		"one session too many":           {opening, &Recording{Capped: true, Crowded: crowd(t, "< 400")}, Unstable},
		"one session, but without a cap": {opening, nil, TurnedAway},
	} {
		r := row.r
		if r == nil {
			r = &Recording{}
		}
		tr := wiretest.Transcript(t, row.text)
		if got := recordingOf(r, tr).refusal(tr.Exchange("ping")); got != row.want {
			t.Errorf("%s: %s, want %s", name, got, row.want)
		}
	}
}

// TestWith: transcripts of the same scripts stand in for those of the recording, and what is true of the run stays.
func TestWith(t *testing.T) {
	old, kept, other := &wire.Transcript{Script: "a"}, &wire.Transcript{Script: "b"}, &wire.Transcript{Script: "a"}
	r := recordingOf(&Recording{Capped: true, Damaged: true, Instances: true}, old, kept)
	got := r.With(map[string]*wire.Transcript{"a": other})
	if !slices.Equal(got.Transcripts, []*wire.Transcript{other, kept}) || !slices.Equal(r.Transcripts, []*wire.Transcript{old, kept}) {
		t.Errorf("transcripts %v", got.Transcripts)
	}
	if !got.Capped || !got.Damaged || !got.Instances || got.Revision != r.Revision {
		t.Error("something of the run is lost")
	}
}

// TestLend: a check is lent the rules of another revision in the areas that lend them, where it has a level there.
func TestLend(t *testing.T) {
	lending := Lending{To: "2024-11-05", From: "2025-03-26", Areas: []string{"transport"}}
	for name, row := range map[string]struct {
		area   string
		levels map[string]catalogue.Level
		lent   bool
	}{
		"a rule for the transport": {"transport", map[string]catalogue.Level{"2025-03-26": catalogue.Must}, true},
		"a rule of another area":   {"tools", map[string]catalogue.Level{"2025-03-26": catalogue.Must}, false},
		"a rule that came later":   {"transport", map[string]catalogue.Level{"2025-11-25": catalogue.Must}, false},
	} {
		check := &Check{Entry: catalogue.Entry{ID: "a.one", Area: row.area, Levels: row.levels, Refs: map[string]string{}, Lent: map[string]string{}}}
		got := lending.Lend(check)
		if (got != check) != row.lent || row.lent && got.Entry.Levels["2024-11-05"] != catalogue.Must {
			t.Errorf("%s: levels %v", name, got.Entry.Levels)
		}
	}
}

// TestLent: what breaks a rule that was lent is a warning, unless the server shows that it means that transport.
func TestLent(t *testing.T) {
	for meant, want := range map[bool]Verdict{true: Fail, false: Warn} {
		for lent, is := range map[bool]Verdict{true: want, false: Fail} {
			tr := wiretest.Transcript(t, pingSent+"< 400\n")
			tr.Script = "s"
			check := checkOf("a.one", func(t *T) { t.Breach(t.Sent("ping"), "a", "b") }, &Script{Name: "s", Sharing: Bare})
			if lent {
				check.Entry.Lent = map[string]string{judgedRevision: "2025-03-26"}
			}
			r := recordingOf(&Recording{}, tr)
			r.Era.Lending.Meant = func(*Facts) bool { return meant }
			if got := NewJudge(r, []*Check{check}).Cell("a.one"); got.Verdict != is {
				t.Errorf("lent %v, meant %v: %s, want %s", lent, meant, got.Verdict, is)
			}
		}
	}
}

// TestClasses: the class of what another requirement blocks, which is not looked at where that one is being judged or does not exist.
func TestClasses(t *testing.T) {
	hungUp := wiretest.Transcript(t, pingSent+". client\n").Exchanges[0]
	names := func(shown ...*wire.Exchange) *Check {
		return checkOf("a.two", func(t *T) { t.Blocked("a.one", "so", shown...) })
	}
	breach := checkOf("a.one", func(t *T) { t.Breach(hungUp, "a", "b") })
	elsewhere := checkOf("a.one", breach.Judge)
	elsewhere.applies = func(catalogue.Entry, string, string) bool { return false }
	for name, row := range map[string]struct {
		checks []*Check
		want   Class
	}{
		"what blocks is not planned":         {[]*Check{names()}, NothingToSee},
		"what blocks does not exist here":    {[]*Check{names(), elsewhere}, NothingToSee},
		"what blocks has a finding":          {[]*Check{names(), breach}, Settled},
		"what blocks passes, and we hung up": {[]*Check{names(hungUp), checkOf("a.one", func(t *T) { t.Saw() })}, NothingToSee},
		"what blocks is not applicable":      {[]*Check{names(), checkOf("a.one", func(t *T) { t.NotApplicable("none") })}, NothingToSee},
	} {
		if got := NewJudge(recordingOf(&Recording{}), row.checks).Cell("a.two"); got.Class != row.want {
			t.Errorf("%s: %s, want %s", name, got.Class, row.want)
		}
	}
	for verdict, want := range map[Verdict]Class{NotApplicable: NothingToSee, Fail: Settled, Error: CouldNotLook, Pass: ""} {
		if got, decided := ClassBy(Result{Verdict: verdict}); got != want || decided != (want != "") {
			t.Errorf("by %s: %q, %v", verdict, got, decided)
		}
	}
}

// TestUnreached: an exchange that never got to the server ends a judgement; one that we gave up says how long it took.
func TestUnreached(t *testing.T) {
	for came, want := range map[string]struct {
		is    Verdict
		cause Cause
	}{
		". client": {Fail, ""}, `. error cancelled "x"`: {NotObserved, Interrupted}, `. error refused "x"`: {NotObserved, Unreachable}, `. error reset "x"`: {Fail, ""},
	} {
		// It is of no conversation of the recording, so that nobody knows whether the server ended in it.
		x := wiretest.Transcript(t, pingSent+came+"\n").Exchanges[0]
		got := judged(wiretest.Transcript(t, pingSent+"< 200\n"), nil, func(t *T) { t.Breach(x, "a", "b") })
		if got.Verdict != want.is || got.Cause != want.cause {
			t.Errorf("%s: %s (%s)", came, got.Verdict, got.Cause)
		}
	}
}

// TestPlaces: a finding stands in the conversation that holds its exchange, which is recorded again to confirm it.
func TestPlaces(t *testing.T) {
	own, other := wiretest.Transcript(t, pingSent+"< 400\n"), wiretest.Transcript(t, pingSent+"< 400\n")
	own.Script, other.Script = "s", "other"
	seen := false
	check := checkOf("a.one", func(t *T) {
		t.Breach(other.Exchanges[0], "a", "b")
		t.Breach(other.Exchanges[0], "a", "b")
		t.Breach(own.Exchanges[0], "a", "b")
		seen = t.Observed()
	}, &Script{Name: "s", Sharing: Bare})
	got := NewJudge(recordingOf(&Recording{}, own, other), []*Check{check}).Cell("a.one")
	if !slices.Equal(got.Scripts, []string{"s", "other"}) || got.Findings[0].Place.Transcript != other || got.Findings[2].Place.Transcript != own {
		t.Errorf("scripts %v, %v", got.Scripts, got.Findings)
	}
	if !seen {
		t.Error("findings are nothing that was observed")
	}
	shown := judged(own, nil, func(t *T) { t.OK(nil, "first"); t.OK(own.Exchanges[0], "second") }).Shown
	if len(shown) != 1 || shown[0].Exchange != own.Exchanges[0] {
		t.Errorf("shown %v", shown)
	}
}

// TestHeaders: a field is found whatever its spelling, and one without a value is none.
func TestHeaders(t *testing.T) {
	x := &wire.Exchange{Request: wire.Request{Header: http.Header{"mcp-SESSION-id": {"1"}, "Accept": {}}}}
	if RequestHeader(x, "Mcp-Session-Id") != "1" || RequestHeader(x, "accept") != "" || RequestHeader(x, "Host") != "" {
		t.Error("header fields are not read rightly")
	}
}

// TestServed: the first of the harmless requests that is served is the safe one, and the first list stands in for it.
func TestServed(t *testing.T) {
	request := func(method, came string) string {
		return "== " + method + "\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\"}\n" + came + "\n"
	}
	for name, row := range map[string]struct {
		text, safe, list string
		unlisted         Cause
		any, paged       Fact
	}{
		"all":     {request("ping", given) + request("other", given) + request("tools/list", given), "ping", "tools/list", TurnedAway, Yes, No},
		"a list":  {request("ping", "< 400") + request("prompts/list", given) + request("tools/list", "< 429"), "prompts/list", "prompts/list", TurnedAway, Yes, No},
		"nothing": {request("tools/list", "< 429"), "", "", Busy, Unknown, Unknown},
		"no list": {request("ping", given), "ping", "", Unrecorded, Unknown, Unknown},
	} {
		f := NewFacts(judgedRevision, StreamableHTTP, Given{})
		f.ReadServed(wiretest.Transcript(t, row.text), "ping", "other")
		if f.Safe != row.safe || f.List != row.list || row.list == "" && f.unlisted != row.unlisted {
			t.Errorf("%s: safe %q, list %q, %s", name, f.Safe, f.List, f.unlisted)
		}
		if got := AnyList.Of(f); got != row.any {
			t.Errorf("%s: a list is served: %s", name, got)
		}
		if got := Paged.Of(f); got != row.paged {
			t.Errorf("%s: a list has pages: %s", name, got)
		}
	}
}
