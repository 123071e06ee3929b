package modern

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// What may be asked back: tools that the user named, and what changes nothing by its nature: resources, prompts that require no argument,
// and read-only tools without arguments. Of the latter some are tried, and those that ask are gone through round by round.
const (
	maxTried  = 6 // resources, and prompts
	maxAskers = 4 // that nobody named
)

// An askable is a request that may be answered with questions.
type askable struct {
	method string
	params map[string]any
	call   kit.ToolCall // of a tool
	named  bool
}

// askables are the methods that may be answered with questions, and how a request of theirs is called.
var askables = map[string]struct{ verb, member string }{
	"tools/call": {"call", "/params/name"}, "resources/read": {"read", "/params/uri"}, "prompts/get": {"get", "/params/name"},
}

// targetName is what a request that may be answered with questions is called; "" for others.
func targetName(m wire.Message) string {
	v, may := askables[m.Method]
	var name string
	if !may || m.Decode(v.member, &name) != nil {
		return ""
	}
	return v.verb + " " + name
}

func (g askable) name() string {
	raw, _ := json.Marshal(map[string]any{"method": g.method, "params": g.params})
	return targetName(wire.ReadMessage(raw))
}

// send sends the request of a target, with more in its params.
func (g askable) send(c *kit.C, label string, more map[string]any, options ...client.Option) *wire.Exchange {
	params := maps.Clone(g.params)
	maps.Copy(params, more)
	options = append([]client.Option{client.WithParams(params)}, options...)
	if g.method == "tools/call" {
		return c.CallTool(label, g.call, options...)
	}
	return c.Call(label, g.method, options...)
}

// targets are the requests that a run may send.
func targets(c *kit.C) []askable {
	var all []askable
	for i, call := range c.ToolCalls() {
		all = append(all, askable{method: "tools/call", params: map[string]any{"name": call.Name, "arguments": call.Arguments}, call: call, named: i < len(c.Calls)})
	}
	// One with text and one with another content show most of what reading gives.
	read := c.Facts.Read()
	for _, r := range c.Facts.Watch(len(c.Facts.Resources)) {
		if len(read) < maxTried && !slices.ContainsFunc(read, func(other kit.Resource) bool { return other.URI == r.URI }) {
			read = append(slices.Clip(read), r)
		}
	}
	for _, r := range read {
		all = append(all, askable{method: "resources/read", params: map[string]any{"uri": r.URI}})
	}
	prompts := 0
	for _, p := range c.Facts.Prompts {
		if len(p.Required) == 0 && prompts < maxTried {
			prompts++
			all = append(all, askable{method: "prompts/get", params: map[string]any{"name": p.Name}})
		}
	}
	return all
}

// everything is all that a client can be asked for.
var everything = map[string]any{
	"roots":       struct{}{},
	"sampling":    map[string]any{"tools": struct{}{}, "context": struct{}{}},
	"elicitation": map[string]any{"form": struct{}{}, "url": struct{}{}},
}

// A limit is what a client declares that can be asked for less, and what it is called.
type limit struct {
	name string
	can  map[string]any
}

var (
	canNothing = limit{"that can nothing", map[string]any{}}
	samples    = limit{"that samples", map[string]any{"sampling": struct{}{}}}
	elicits    = limit{"that elicits", map[string]any{"elicitation": struct{}{}}}
	hasForms   = limit{"that has forms", map[string]any{"elicitation": map[string]any{"form": struct{}{}}}}
	opensURLs  = limit{"that opens URLs", map[string]any{"elicitation": map[string]any{"url": struct{}{}}}}

	limits = []limit{canNothing, samples, elicits, hasForms, opensURLs}
)

// canTheRest is a client that can do all but what these questions ask for.
func canTheRest(questions map[string]wire.Message) limit {
	can := maps.Clone(everything)
	for _, q := range questions {
		delete(can, capabilityOf[q.Method])
	}
	return limit{"that can the rest", can}
}

// asking sends what may be answered with questions, as clients that can be asked something, and goes through the rounds of what asks. No
// URL is ever opened. It is also the conversation like a client's, in which passive rules have something to look at: the one that calls every
// tool that may be called and reads and gets what can be had, with progress tokens of both types; no request asks for log messages.
var asking = kit.NewScript("modern.mrtr/rounds", kit.Own, func(c *kit.C) {
	able := client.WithCapabilities(everything)
	c.SafeControl("control")
	var askers []asker
	tried := targets(c)
	found := make([]asker, len(tried))
	var steps []func()
	for i, g := range tried {
		steps = append(steps, func() {
			found[i] = asker{askable: g, first: roundOf(g.send(c, "ask: "+g.name(), nil, able, progressToken(c, g, i)))}
		})
	}
	c.Parallel(steps...)
	var others []asker
	unnamed, kinds := 0, map[string]bool{}
	for _, a := range found {
		switch {
		case a.first.questions == nil && !a.first.stateful():
		case a.named:
			askers = append(askers, a)
		case unnamed < maxAskers && !kinds[a.first.kind()]:
			kinds[a.first.kind()] = true
			unnamed++
			askers = append(askers, a)
		default:
			others = append(others, a)
		}
	}
	usual := make([]reaction, len(askers))
	steps = nil
	// Nobody answers what asks for no more than another one, so that only a client that can nothing is shown what else it does.
	for _, a := range others {
		steps = append(steps, func() { a.limited(c, canNothing) })
	}
	for i, a := range askers {
		steps = append(steps, func() { usual[i] = a.usually(c) })
	}
	c.Parallel(steps...)
	steps = nil
	for i, shows := range shownBy(askers, usual) {
		steps = append(steps, func() { askers[i].rounds(c, shows, usual[i], anotherAsker(askers, i)) })
	}
	c.Parallel(steps...)
	c.Safe("control after", able)
}, kit.Ordinary(), kit.Long())

// progressToken asks a tool for progress, with a text or a number in turn.
func progressToken(c *kit.C, g askable, i int) client.Option {
	switch {
	case g.method != "tools/call":
		return nil
	case i%2 == 0:
		return client.WithMeta(map[string]any{"progressToken": "mcpcheck-" + g.name()})
	}
	return client.WithMeta(map[string]any{"progressToken": c.Client().NextID()})
}

// declaredIn are the capabilities of the client that a request declares.
func declaredIn(x *wire.Exchange) json.RawMessage {
	raw, _ := member(x.RequestMessage(), "/params/_meta", keyCapabilities)
	return raw
}

// capabilityOf is what a client declares that can be asked with a method.
var capabilityOf = map[string]string{judges.RootsMethod: "roots", judges.SamplingMethod: "sampling", judges.ElicitMethod: "elicitation"}

// declares tells that a client can be asked for something.
func declares(capabilities json.RawMessage, method string) bool {
	var can map[string]json.RawMessage
	_ = json.Unmarshal(capabilities, &can)
	raw, there := can[capabilityOf[method]]
	return there && kit.JSONType(raw) == "object"
}
