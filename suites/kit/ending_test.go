package kit

import (
	"testing"

	"github.com/mcpcheck/mcpcheck/wire/wiretest"
)

// a session ends by itself where nothing but harmless requests came before the 404, and nothing is served after it.
func TestSessionsEnd(t *testing.T) {
	const ours = "> POST\n> Mcp-Session-Id: a\n"
	open := "== initialize\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n< 200 application/json\n< Mcp-Session-Id: a\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n" +
		"== initialized\n" + ours + "> {\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n< 202\n"
	ping := func(label, answer string) string {
		return "== " + label + "\n" + ours + "> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n" + answer
	}
	const (
		served = "< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n"
		lost   = "< 404\n"
		other  = "== other\n" + ours + "> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\"}\n< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n"
		get    = "== get\n> GET\n> Mcp-Session-Id: a\n< 405\n"
		remove = "== delete\n> DELETE\n> Mcp-Session-Id: a\n< 204\n"
	)
	for name, row := range map[string]struct {
		text string
		want bool
	}{
		"lost after a ping":               {open + ping("a", served) + get + ping("b", lost), true},
		"never served":                    {open + ping("a", lost), false},
		"refused otherwise":               {open + ping("a", served) + ping("b", "< 400\n"), false},
		"served again":                    {open + ping("a", served) + ping("b", lost) + ping("c", served), false},
		"after something else":            {open + ping("a", served) + other + ping("b", lost), false},
		"after the end":                   {open + ping("a", served) + remove + ping("b", lost), false},
		"the 404 to something else":       {open + ping("a", served) + "== other\n" + ours + "> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x\"}\n< 404\n", false},
		"after something wrong":           {open + ping("a", served) + "== odd\nbroken: so\n" + ours + "> {}\n< 400\n" + ping("b", lost), false},
		"another session is not this one": {open + ping("a", served) + "== odd\n> POST\n> Mcp-Session-Id: b\n> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n< 404\n", false},
	} {
		r := recordingOf(&Recording{}, wiretest.Transcript(t, row.text))
		if got := r.sessionsEnd(); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	judge := func(id string, text string) Result {
		tr := wiretest.Transcript(t, text)
		tr.Script = "s"
		judged := func(t *T) { t.Breach(tr.Exchange("b"), "x", "y") }
		return NewJudge(recordingOf(&Recording{}, tr), []*Check{checkOf(id, judged, &Script{Name: "s", Sharing: Bare})}).Cell(id)
	}
	for name, row := range map[string]struct {
		id, text string
		is       Verdict
	}{
		"a 404 of a lost session":             {"a.one", open + ping("a", served) + ping("b", lost), NotObserved},
		"a 404 of a session that goes on":     {"a.one", open + ping("a", served) + ping("b", lost) + ping("c", served), Fail},
		"a 404 that is about sessions itself": {"session.one", open + ping("a", served) + ping("b", lost), Fail},
	} {
		if got := judge(row.id, row.text); got.Verdict != row.is || row.is == NotObserved && got.Cause != Ended {
			t.Errorf("%s: %s (%s), want %s", name, got.Verdict, got.Cause, row.is)
		}
	}
}
