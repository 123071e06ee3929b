package tables_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/suites/tables"
	"github.com/mcpcheck/mcpcheck/wire"
)

// bench has one check, which demands a status of a script and a control.
func bench(t *testing.T) *tables.Bench {
	t.Helper()
	c, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	era := &kit.Era{
		Name: revision.Legacy, Inventory: kit.NewScript("inventory", kit.Bare, nil), Opening: "initialize", Root: "lifecycle.initialize.answered",
		Facts: func(tr *wire.Transcript, given kit.Given) *kit.Facts {
			f := kit.NewFacts(tr.Revision, tr.Transport, given)
			f.Opened = kit.FactOf(tr.Exchange("initialize").Served())
			return f
		},
		Applies: func(catalogue.Entry, string, string) bool { return true },
	}
	section := kit.NewSection(c, era, kit.Area{Name: "session", Fill: func(s *kit.Section) {
		probe := s.Script("session/probe", kit.Bare, nil)
		s.Check("session.missing-400", probe, func(t *kit.T) {
			t.Control("control")
			if len(t.Facts().Named) > 0 {
				panic("a tool was named")
			}
			t.Expect(t.Answered("probe"), kit.HTTP(400))
		}, kit.Open)
	}})
	return &tables.Bench{Era: era, Checks: section.Checks()}
}

const table = `How sessions go.
-- script inventory --
== initialize
> POST
> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"$REVISION"}}
< 200 application/json
< {"jsonrpc":"2.0","id":1,"result":{}}
-- script session/probe --
== control
> POST
> {"jsonrpc":"2.0","id":2,"method":"ping"}
< 200 application/json
< {"jsonrpc":"2.0","id":2,"result":{}}
== probe
> POST
> {"jsonrpc":"2.0","id":3,"method":"ping"}
< 400
-- session.missing-400: as usual --
is: pass
says: HTTP 400 Bad Request with an empty body
-- session.missing-400: served --
# Why this matters.
is: warn
says: expected HTTP 400, got HTTP 200 OK with a result
revision: 2025-03-26
script: session/probe
replace: < 400 => < 500
replace: "id":3 => "id":"three"
== probe
< 200 application/json
< {"jsonrpc":"2.0","id":$ID,"result":{}}
-- session.missing-400: served to a client of another revision --
is: warn
says: expected HTTP 400, got HTTP 200 OK with a result
like: served
revision: 2025-06-18
-- session.missing-400: refused all the same --
is: pass
says: HTTP 400 Bad Request with application/json "{}"
like: served to a client of another revision
script: session/probe
replace: 200 application/json => 400 application/json
replace: {"jsonrpc":"2.0","id":$ID,"result":{}} => {}
-- session.missing-400: served, and the control is not --
is: not-observed (unstable)
says: the control "control", the same request unchanged, was not served: HTTP 404 Not Found with an empty body
like: served
script: session/probe
== control
< 404
-- session.missing-400: the control is not served --
is: not-observed (refused)
says: the control "control", the same request unchanged, was not served: HTTP 404 Not Found with an empty body
script: session/probe
== control
< 404
-- session.missing-400: nothing opens --
is: not-applicable
says: initialize is not served
script: inventory
== initialize
< 500
-- session.missing-400: the control is not there --
is: not-observed (unprovoked)
says: control was not sent
script: session/probe
without: control
-- session.missing-400: nothing was recorded --
is: not-observed (unrecorded)
says: the conversation "session/probe" was not recorded
without: session/probe
-- session.missing-400: on its own --
is: not-observed (blocked by lifecycle.initialize.answered: could-not-look)
says: initialize was not answered with a result
without: inventory
script: session/probe
from: nothing
== probe
> POST
< 200
-- session.missing-400: the judge fails --
is: error
says: the check panicked: a tool was named
named: slow
`

// TestRows: a row differs from how conversations usually go in what it says, and is judged.
func TestRows(t *testing.T) {
	b, d := bench(t), &tables.Folder{}
	if err := d.Add("session", []byte(table)); err != nil {
		t.Fatal(err)
	}
	f := d.Files[0]
	for _, row := range f.Rows {
		result, err := b.Judge(d, f, row)
		if err != nil {
			t.Errorf("%s: %v", row.Name(), err)
			continue
		}
		want := row.Said
		if row.Said = tables.SaidOf(result); row.Said != want {
			t.Errorf("%s:\n%+v\nwant\n%+v", row.Name(), row.Said, want)
		}
	}
	if len(f.Rows) != 11 || string(f.Format()) != table {
		t.Errorf("%d rows, written as\n%s", len(f.Rows), f.Format())
	}
}

// TestUpdate: what a row says is written ahead of what it is about.
func TestUpdate(t *testing.T) {
	b, d := bench(t), &tables.Folder{}
	stale := strings.ReplaceAll(table, "is: pass\nsays: HTTP 400 Bad Request with an empty body\n", "")
	stale = strings.ReplaceAll(stale, "is: warn\n", "is: fail\n")
	if err := d.Add("session", []byte(stale)); err != nil {
		t.Fatal(err)
	}
	for _, row := range d.Files[0].Rows {
		result, err := b.Judge(d, d.Files[0], row)
		if err != nil {
			t.Fatal(err)
		}
		row.Said = tables.SaidOf(result)
	}
	if got := string(d.Files[0].Format()); got != table {
		t.Errorf("written as\n%s", got)
	}
}

// TestWrongRows: a row that cannot mean what it says is refused.
func TestWrongRows(t *testing.T) {
	for text, want := range map[string]string{
		"-- nonsense --\n":                                                                           `"script NAME" or "ID: WHAT"`,
		"-- session.none: x --\n":                                                                    "no check has that id",
		"-- session.missing-400: x --\ncolour: red\n":                                                "line 1",
		"-- session.missing-400: x --\nis: pass\nis: fail\n":                                         "said twice",
		"-- session.missing-400: x --\nrevision: 1999-01-01":                                         "does not exist in 1999-01-01",
		"-- session.missing-400: x --\nscript: a\n\n< 200\n":                                         `script "a": line 2`,
		"-- session.missing-400: x --\nscript: a\nfrom: here":                                        "from: nothing",
		"-- session.missing-400: x --\nscript: a\nreplace: b":                                        "OLD => NEW",
		"-- session.missing-400: x --\nscript: inventory\nreplace: b => c\n-- script inventory --\n": `no "b" to replace`,
		"-- session.missing-400: x --\nscript: a\nwithout: b\n":                                      `no exchange "b"`,
		"-- session.missing-400: x --\n-- session.missing-400: x --\n":                               "two rows",
		"-- session.missing-400: x --\nlike: y\n-- session.missing-400: y --\n":                      `no row "y"`,
		"-- session.missing-400: y --\nscript: a\nfrom: nothing\n-- session.missing-400: x --\nlike: y\nscript: a\nreplace: b => c": `no "b" to replace`,
		"-- script a --\n== b\n-- script a --\n": "two scripts",
	} {
		b, d := bench(t), &tables.Folder{}
		err := d.Add("session", []byte(text))
		if err == nil {
			rows := d.Files[0].Rows
			_, err = b.Judge(d, d.Files[0], rows[len(rows)-1])
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestUsual: a table has what usually goes on from the folder, and its own conversations for itself.
func TestUsual(t *testing.T) {
	b, d := bench(t), &tables.Folder{}
	scripts, rows, _ := strings.Cut(table, "-- session.missing-400: as usual")
	own := "-- script inventory --\n== initialize\n> POST\n< 500\n-- session.missing-400: as usual --\n"
	for _, err := range []error{d.AddUsual("usual", []byte(scripts)), d.Add("own", []byte(own)), d.Add("rows", []byte("-- session.missing-400: as usual"+rows))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"not-applicable", "pass"} {
		result, err := b.Judge(d, d.Files[i], d.Files[i].Rows[0])
		if err != nil || string(result.Verdict) != want {
			t.Errorf("%s: %s, %v, want %s", d.Files[i].Name, result.Verdict, err, want)
		}
	}
	if d.AddUsual("usual", []byte(own)) == nil {
		t.Error("a row is none of the usual conversations")
	}
}

// TestCut: a row that is cut out says what the recording says, without what that does not rest on.
func TestCut(t *testing.T) {
	b, d := bench(t), &tables.Folder{}
	if err := d.Add("session", []byte(table)); err != nil {
		t.Fatal(err)
	}
	recording := &kit.Recording{Era: b.Era, Revision: "2025-06-18", Transport: kit.StreamableHTTP, Environment: kit.Environment{URL: "http://example.com/"}}
	for _, script := range []struct{ name, text string }{
		{"inventory", "== initialize\nat: 5s\nhead: \"HTTP/1.1 200 OK\\r\\n\"\n> POST http://example.com/\n> User-Agent: me\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n" +
			"< 200 application/json\n< Date: today\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n== ping\n> POST\n< 200\n"},
		{"session/probe", "== control\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n< 404\n< X: y\n== probe\n> POST\n< 400\n"},
		{"other", "== a\n> POST\n< 200\n"},
	} {
		dialogue, err := wire.ReadDialogue(script.text)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := dialogue.Transcript()
		if err != nil {
			t.Fatal(err)
		}
		tr.Script, tr.Session.ID = script.name, "s"
		recording.Transcripts = append(recording.Transcripts, tr)
	}
	row, err := b.Cut(recording, "session.missing-400")
	if err != nil {
		t.Fatal(err)
	}
	want := `-- session.missing-400: not-observed --
is: not-observed (refused)
says: the control "control", the same request unchanged, was not served: HTTP 404 Not Found with an empty body
revision: 2025-06-18
script: inventory
from: nothing
== initialize
> POST
> {"jsonrpc":"2.0","id":1,"method":"initialize"}
< 200 application/json
< {"jsonrpc":"2.0","id":1,"result":{}}
script: session/probe
from: nothing
== control
> POST
> {"jsonrpc":"2.0","id":2,"method":"ping"}
< 404
`
	if row != want {
		t.Errorf("cut:\n%s", row)
	}
	if _, err := b.Cut(recording, "session.none"); !errors.Is(err, tables.ErrNoCheck) {
		t.Errorf("a requirement that nobody judges: %v", err)
	}
}
