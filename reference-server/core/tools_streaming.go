package core

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

const (
	slowTime   = 200 * time.Millisecond
	stepTime   = 10 * time.Millisecond
	parkedTime = 100 * time.Millisecond
	steps      = 4
)

func (c *Request) slow() (any, *jsonrpc.Error) {
	var args struct {
		Milliseconds *int `json:"milliseconds"`
	}
	if bad := c.arguments(&args); bad != nil {
		return *bad, nil
	}
	wait := slowTime
	if ms := args.Milliseconds; ms != nil {
		if *ms < 0 || *ms > 10000 {
			return Fails("milliseconds lies between 0 and 10000"), nil
		}
		wait = time.Duration(*ms) * time.Millisecond
	}
	Sleep(c.Ctx.Done(), wait)
	return says("it took %v", wait), nil
}

// chatty logs; log messages that a request causes go on the stream of that request.
func (c *Request) chatty() (any, *jsonrpc.Error) {
	for i, level := range []string{"debug", "info", "warning", "error"} {
		c.Caller.Line.Log(level, fmt.Sprintf("message %d of 4", i+1))
		if !Sleep(c.Ctx.Done(), stepTime) {
			break
		}
	}
	return says("said what there was to say"), nil
}

type progressParams struct {
	ProgressToken json.RawMessage `json:"progressToken"`
	Progress      int             `json:"progress"`
	Total         int             `json:"total"`
	Message       string          `json:"message,omitempty"` // from 2025-03-26
}

// progressing reports to the token of the request, and to nobody without one (basic/utilities/progress#progress-flow).
func (c *Request) progressing() (any, *jsonrpc.Error) {
	c.report(steps, stepTime)
	return c.withAbout(says("done")), nil
}

// progressToken is that of the request, nil without one.
func (c *Request) progressToken() json.RawMessage {
	var params struct {
		Meta struct {
			ProgressToken json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	}
	_ = jsonrpc.DecodeParams(c.Message, &params) // was decoded before
	return params.Meta.ProgressToken
}

// report takes some steps, and tells whoever wants to know.
func (c *Request) report(steps int, pause time.Duration) {
	for i := 1; i <= steps; i++ {
		if token := c.progressToken(); token != nil {
			c.Caller.Line.Notify(jsonrpc.Notification("notifications/progress", progressParams{
				ProgressToken: token,
				Progress:      i,
				Total:         steps,
				Message:       since(c, revision.V20250326, "step "+strconv.Itoa(i)),
			}))
		}
		if !Sleep(c.Ctx.Done(), pause) {
			break
		}
	}
}

// withAbout adds a resource to a result, where there are resources (server/tools#embedded-resources).
func (c *Request) withAbout(r ToolResult) ToolResult {
	if about, ok := c.contents("ref://about"); ok && !c.Server.ToolsOnly {
		r.Content = append(r.Content, embeddedResource{Type: "resource", Resource: about, Annotations: c.annotations("user")})
	}
	return r
}

// earlyClose ends the connection, but not the stream (2025-11-25: basic/transports#sending-messages-to-the-server).
func (c *Request) earlyClose() (any, *jsonrpc.Error) {
	c.Caller.Line.Park()
	Sleep(c.Ctx.Done(), parkedTime)
	return says("you came back"), nil
}
