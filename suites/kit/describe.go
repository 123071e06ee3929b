package kit

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpcheck/mcpcheck/wire"
)

// HungUp tells that mcpcheck gave an answer up that had not come by then: its patience is short where nobody asked for a call.
func HungUp(x *wire.Exchange) bool {
	_, answered := x.Answer()
	return x.EndedBy == wire.ByClient && !answered
}

// Describe says in a phrase what came back: status, and what stood in the body.
func Describe(x *wire.Exchange) string {
	if x == nil {
		return "nothing was sent"
	}
	if x.Response == nil {
		if x.Error != nil {
			return fmt.Sprintf("no response: %s", x.Error.Message)
		}
		if HungUp(x) {
			return fmt.Sprintf("no response within %v, when mcpcheck hung up", (x.End - x.Sent).Round(100*time.Millisecond))
		}
		return fmt.Sprintf("no response (ended by %s)", x.EndedBy)
	}
	if answer, ok := x.Answer(); ok && x.Elsewhere() != nil && x.Status()/100 == 2 {
		// The acknowledgement says nothing.
		return DescribeMessage(answer) + " on the stream"
	}
	status := fmt.Sprintf("HTTP %d", x.Status())
	if text := http.StatusText(x.Status()); text != "" {
		status += " " + text
	}
	if _, answered := x.Answer(); x.Error != nil && !answered {
		return status + " with an incomplete body: " + x.Error.Message
	}
	if x.EndedBy == wire.ByClient && !x.IsSSE() && x.Response.Body.Size() == 0 {
		// We hung up before a body could come.
		return status
	}
	return status + " " + describeBody(x)
}

func describeBody(x *wire.Exchange) string {
	if answer, ok := x.Answer(); ok {
		return "with " + DescribeMessage(answer)
	}
	if messages := x.Replies(); len(messages) > 0 {
		return "with " + DescribeMessage(messages[0].Message)
	}
	switch body := x.Response.Body; {
	case x.IsSSE():
		return "with an event stream"
	case x.Stream != "" && x.EndedBy == wire.ByTimeout:
		return "and no response on the stream"
	case body.Size() == 0:
		return "with an empty body"
	default:
		return fmt.Sprintf("with %s %s", mediaTypeOr(x, "untyped"), Quote(body.Bytes()))
	}
}

func mediaTypeOr(x *wire.Exchange, otherwise string) string {
	if m := x.MediaType(); m != "" {
		return m
	}
	return otherwise
}

// DescribeMessage says in a phrase what a message is.
func DescribeMessage(m wire.Message) string {
	switch m.Kind {
	case wire.KindResult:
		switch null := strings.TrimSpace(string(m.Result)) == "null"; {
		case !m.HasID:
			return "a result without id"
		case null:
			return "a result that is null"
		}
		return "a result"
	case wire.KindError:
		code, _ := m.ErrorCode()
		return fmt.Sprintf("JSON-RPC error %d %s", code, Quote([]byte(m.ErrorMessage())))
	case wire.KindRequest:
		return "a request " + Quote([]byte(m.Method))
	case wire.KindNotification:
		return "a notification " + Quote([]byte(m.Method))
	case wire.KindBatch:
		return fmt.Sprintf("an array of %d messages", len(m.Elements))
	case wire.KindNotJSON:
		return "what is no JSON: " + Quote(m.Raw())
	default:
		return "JSON that is no JSON-RPC message: " + Quote(m.Raw())
	}
}

// maxQuote is how much of a body a sentence quotes; the evidence has the rest.
const maxQuote = 80

// Quote quotes the beginning of some bytes in one line. What is hostile in them is left to the renderers' escaping.
func Quote(b []byte) string {
	s := string(b[:min(len(b), maxQuote+1)])
	if len(s) > maxQuote {
		cut := maxQuote
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return `"` + strings.TrimSpace(s) + `"`
}

// JSON writes a value as compact JSON for a sentence.
func JSON(raw json.RawMessage) string {
	if raw == nil {
		return "absent"
	}
	if text := strings.Trim(Quote(raw), `"`); text != "" {
		return text
	}
	return `""`
}
