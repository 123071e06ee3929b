package legacy

import (
	"strconv"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// traffic is a conversation like a client's, so that passive rules have something to look at: a listening stream, and tools that may be
// called. The inventory has read the lists: here they are only asked for where it was not served, since it resumes nothing. What no server
// has is asked for by jsonrpc/unknown-method.
var traffic = kit.NewScript("transport/traffic", kit.Own, func(c *kit.C) {
	stream := c.Listen("get")
	var steps []func()
	for i, call := range c.ToolCalls() {
		var token client.Option
		if i%2 == 1 {
			// Progress tokens are strings or integers, and a server has to keep them apart.
			token = client.WithMeta(map[string]any{"progressToken": c.Client().NextID()})
		}
		steps = append(steps, func() { resume(c, c.CallTool("call "+call.Name, call, token)) })
	}
	for _, method := range c.Facts.Unserved {
		steps = append(steps, func() { resume(c, c.Call(method, method)) })
	}
	if len(steps) == 0 {
		// Some servers answer otherwise while a stream is open, and a ping shows little of that.
		steps = append(steps, func() { resume(c, c.List("list")) })
	}
	c.Parallel(steps...)
	c.Watch(stream, c.Safe("marker"))
	stream.Close()
}, kit.Ordinary(), kit.Fresh(), kit.Waits())

// resume comes back for the response where the server cut the stream after an event id, as a client does: after the time that the
// server asked for, and patiently.
func resume(c *kit.C, x *wire.Exchange) {
	id := lastEventID(x)
	if _, answered := x.Answer(); answered || x.EndedBy != wire.ByServer || id == "" {
		return
	}
	c.Sleep(min(retryTime(x), maxRetry))
	origin := wire.ResumptionOf(x.Label)
	stream := c.Get(origin.Label(), client.From(origin), client.WithHeader("Last-Event-ID", id))
	asked := x.RequestMessage().ID
	stream.Next(resumePatience, func(e wire.Event) bool { return wire.SameID(e.Message().ID, asked) })
	stream.Close()
}

const (
	// maxRetry bounds how long a run waits before it resumes a stream, whatever the server asked for.
	maxRetry = 2 * time.Second
	// resumePatience is how long a resumed stream may take to bring the response; a longer silence is no evidence.
	resumePatience = 3 * time.Second
)

// retryTime is the last reconnection time that a stream asked for; 0 without one.
func retryTime(x *wire.Exchange) time.Duration {
	var d time.Duration
	for _, e := range x.Events() {
		if ms, err := strconv.Atoi(e.Retry); e.HasRetry && err == nil && ms >= 0 {
			d = time.Duration(min(ms, int(maxRetry/time.Millisecond))) * time.Millisecond
		}
	}
	return d
}
