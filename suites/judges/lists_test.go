package judges

import (
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// TestOnce: what is wrong in each of several readings of the same is told once.
func TestOnce(t *testing.T) {
	const list, icon = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","icons":[%]}]}}`
	icons := func(src string) string { return answered(strings.Replace(icon, "%", `{"src":"`+src+`"}`, 1)) }
	holders := []IconHolder{{Method: "tools/list", Pointer: "/result/tools"}}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}`
	content := func(annotations string) string {
		return answered(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x","annotations":` + annotations + `}]}}`)
	}
	for name, row := range map[string]struct {
		sent, came string
		judge      func(*kit.T)
	}{
		"an icon over http":    {list, icons("http://example.com/a"), func(t *kit.T) { Icons(t, holders, false) }},
		"an icon of another":   {list, icons("https://other.example/a"), func(t *kit.T) { Icons(t, holders, false) }},
		"an icon of no scheme": {list, icons("a"), func(t *kit.T) { Icons(t, holders, false) }},
		"annotations":          {call, content(`{"priority":2}`), AnnotationValues},
		"a time":               {call, content(`{"lastModified":"yesterday"}`), AnnotationValues},
		"an internal failure":  {call, answered(`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"internal error"}}`), func(t *kit.T) { InternalFailures(t, "tools/call") }},
	} {
		got := judged(t, exchange("first", row.sent, row.came)+exchange("second", row.sent, row.came), row.judge)
		if len(got.Findings) != 1 || got.Findings[0].Place.Exchange.Label != "first" {
			t.Errorf("%s: %d findings: %s", name, len(got.Findings), got.Message)
		}
	}
	fine := judged(t, exchange("first", list, icons("https://example.com/a"))+exchange("second", list, icons("https://example.com/a")), func(t *kit.T) { Icons(t, holders, false) })
	if fine.Verdict != kit.Pass || len(fine.Shown) != 1 || fine.Shown[0].Exchange.Label != "first" {
		t.Errorf("an icon in order: %s, %v", fine.Verdict, fine.Shown)
	}
}

// TestDemandEnd: what is said of a whole list is worth nothing where it was not read to its end.
func TestDemandEnd(t *testing.T) {
	page := func(cursor string) string {
		return answered(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]` + cursor + `}}`)
	}
	walk := func(pages int, last string) string {
		text := exchange("tools/list", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, page(`,"nextCursor":"x"`))
		for n := 2; n <= pages; n++ {
			came := page(`,"nextCursor":"x"`)
			if n == pages {
				came = last
			}
			text += exchange(wire.PageOf("tools/list", n).Label(), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, came)
		}
		return text
	}
	list := Listing{List: kit.Lists[0], NextCursor: "cursor", CursorAccepted: "accepted"}
	for name, row := range map[string]struct {
		text, want string
	}{
		"to the end":                       {walk(2, page("")), "pass"},
		"to a cursor that is empty":        {walk(2, page(`,"nextCursor":""`)), "pass"},
		"to a cursor that is null":         {walk(2, page(`,"nextCursor":null`)), "pass"},
		"to a cursor that is a number":     {walk(2, page(`,"nextCursor":5`)), "not-observed by cursor"},
		"to a page that is refused":        {walk(2, "< 400"), "not-observed by accepted"},
		"to a page that leads on":          {walk(2, page(`,"nextCursor":"x"`)), "not-observed by accepted"},
		"to as many pages as are read":     {walk(kit.MaxPages, page(`,"nextCursor":"x"`)), "not-observed limited"},
		"to one less":                      {walk(kit.MaxPages-1, page(`,"nextCursor":"x"`)), "not-observed by accepted"},
		"to as many, the last one refused": {walk(kit.MaxPages, "< 400"), "not-observed by accepted"},
	} {
		r := judged(t, row.text, func(t *kit.T) { DemandEnd(t, list); t.Saw() })
		got := string(r.Verdict)
		switch {
		case r.BlockedBy != "":
			got += " by " + r.BlockedBy
		case r.Cause != "":
			got += " " + string(r.Cause)
		}
		if got != row.want {
			t.Errorf("%s: %s, want %s", name, got, row.want)
		}
	}
}
