package legacy

import (
	"fmt"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// changedLists lists what may change, pulls the triggers that the user named, lists again, and listens all the while.
var changedLists = kit.NewScript("tools/changed", kit.Own, func(c *kit.C) {
	var before, after []func()
	for _, l := range kit.ListMethods {
		if c.Facts.Capability(l.Capability+".listChanged") == kit.Yes {
			before = append(before, func() { c.Walk("before "+l.Method, l.Method) })
			after = append(after, func() { c.Walk("after "+l.Method, l.Method) })
		}
	}
	if len(before) == 0 {
		return
	}
	stream := c.Listen("get")
	c.Parallel(before...)
	for _, call := range c.Calls {
		resume(c, c.CallTool("call "+call.Name, call))
	}
	c.Parallel(after...)
	c.Watch(stream, c.Safe("marker"))
	stream.Close()
}, withGetStream, kit.Named, kit.Fresh(), kit.Spends())

// judgeChanged judges the announcement of a change in the list of a feature, whose items a member identifies.
func judgeChanged(t *kit.T, feature, key string) {
	tr, expected := t.Transcript(), "notifications/"+feature+"/list_changed when the list has changed"
	t.Says(expected)
	if get := t.Answered("get"); !get.IsSSE() || get.Status()/100 != 2 {
		t.NotObservedAt(kit.Inconclusive, get, "no stream was opened: %s", kit.Describe(get))
	}
	pulled := demandTrigger(t, tr)
	for _, m := range t.MessagesIn(tr) {
		if m.At >= pulled && m.Kind == wire.KindNotification && m.Method == "notifications/"+feature+"/list_changed" {
			t.OK(m.Exchange, "%s came after the tools named with --call were called", m.Method)
			return
		}
	}
	before, after := namesIn(t, tr, "before", feature, key), namesIn(t, tr, "after", feature, key)
	difference := differs(before, after)
	if difference == "" {
		t.NotObserved(kit.Unnamed, "the tools named with --call do not change the list of %s", feature)
	}
	t.Watched("get")
	t.Warn(tr.Exchange("after "+feature+"/list"), expected, fmt.Sprintf("no notification, and a list in which %s", difference))
}

// demandTrigger returns when the first of the named tools was called, provided that one of them did something.
func demandTrigger(t *kit.T, tr *wire.Transcript) (pulled time.Duration) {
	served, first := false, (*wire.Exchange)(nil)
	for _, x := range tr.Exchanges {
		if x.RequestMessage().Method != "tools/call" {
			continue
		}
		if first == nil {
			first = x
		}
		answer, _ := judges.AnswerTo(t, tr, x)
		served = served || answer.Kind == wire.KindResult
	}
	switch {
	case first == nil:
		t.NotObserved(kit.Unnamed, "the tools named with --call were not called")
	case !served:
		t.NotObservedAt(kit.Unnamed, first, "no call of the tools named with --call was served: %s", kit.Describe(first))
	}
	return first.Sent
}

// namesIn returns what identifies the items of a list, over all its pages. Order, descriptions and the rest may differ from one time to
// the next without any change that a client would have to be told of.
func namesIn(t *kit.T, tr *wire.Transcript, when, feature, key string) map[string]bool {
	label, names, last := when+" "+feature+"/list", map[string]bool{}, wire.Message{}
	t.Control(label)
	list := &wire.Transcript{}
	for _, x := range tr.Exchanges {
		if !kit.IsPage(x, label) {
			continue
		}
		if !x.Served() {
			t.NotObservedAt(kit.Inconclusive, x, "a page of the list is missing: %s", kit.Describe(x))
		}
		list.Exchanges = append(list.Exchanges, x)
		last, _ = x.Answer()
	}
	if _, more := last.Pointer("/result/nextCursor"); more {
		t.NotObserved(kit.Limited, "the list of %s was not read to its end", feature)
	}
	for _, raw := range kit.Items(list, feature+"/list", feature) {
		if name, ok := kit.Text(raw, key[1:]); ok {
			names[name] = true
		}
	}
	return names
}

// differs says in a phrase how two lists differ; "" where they do not.
func differs(before, after map[string]bool) string {
	for name := range after {
		if !before[name] {
			return kit.Quote([]byte(name)) + " is new"
		}
	}
	for name := range before {
		if !after[name] {
			return kit.Quote([]byte(name)) + " is missing"
		}
	}
	return ""
}
