package refserver

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

const (
	slowTime   = 200 * time.Millisecond
	stepTime   = 10 * time.Millisecond
	parkedTime = 100 * time.Millisecond
	steps      = 4
)

func (c *request) slow() (any, *rpcError) {
	var args struct {
		Milliseconds *int `json:"milliseconds"`
	}
	if bad := c.arguments(&args); bad != nil {
		return *bad, nil
	}
	wait := slowTime
	if ms := args.Milliseconds; ms != nil {
		if *ms < 0 || *ms > 10000 {
			return fails("milliseconds lies between 0 and 10000"), nil
		}
		wait = time.Duration(*ms) * time.Millisecond
	}
	sleep(c.ctx.Done(), wait)
	return says("it took %v", wait), nil
}

// chatty logs; log messages that a request causes go on the stream of that request.
func (c *request) chatty() (any, *rpcError) {
	for i, level := range []string{"debug", "info", "warning", "error"} {
		c.logs(level, fmt.Sprintf("message %d of 4", i+1))
		if !sleep(c.ctx.Done(), stepTime) {
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
func (c *request) progressing() (any, *rpcError) {
	var params struct {
		Meta struct {
			ProgressToken json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	}
	_ = decodeParams(c.message, &params) // was decoded before
	for i := 1; i <= steps; i++ {
		if token := params.Meta.ProgressToken; token != nil {
			c.notify(notification("notifications/progress", progressParams{
				ProgressToken: token,
				Progress:      i,
				Total:         steps,
				Message:       since(c, Rev20250326, "step "+strconv.Itoa(i)),
			}))
		}
		if !sleep(c.ctx.Done(), stepTime) {
			break
		}
	}
	return c.withAbout(says("done")), nil
}

// withAbout adds a resource to a result, where there are resources (server/tools#embedded-resources).
func (c *request) withAbout(r toolResult) toolResult {
	if about, ok := c.contents("ref://about"); ok && !c.s.profile.ToolsOnly {
		r.Content = append(r.Content, embeddedResource{Type: "resource", Resource: about, Annotations: c.annotations("user")})
	}
	return r
}

// canPark tells whether a connection may end before the answer: only from 2025-11-25, and only if it can be resumed.
func (c *request) canPark() bool {
	return c.session.revision >= Rev20251125 && c.s.profile.Store && c.s.profile.GET && c.session.log.link == nil
}

// earlyClose sends a retry field and ends the connection, but not the stream
// (2025-11-25: basic/transports#sending-messages-to-the-server).
func (c *request) earlyClose() (any, *rpcError) {
	c.s.emitEvent(c.stream, frame{kind: frameRetry, retry: "50"})
	c.stream.park()
	sleep(c.ctx.Done(), parkedTime)
	return says("you came back"), nil
}
