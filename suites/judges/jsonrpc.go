package judges

import (
	"fmt"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// VersionFields judges the member jsonrpc of every message.
func VersionFields(t *kit.T) {
	const expected = `"jsonrpc": "2.0"`
	t.Says(expected)
	for _, m := range wellAsked(t) {
		switch {
		// What is no message at all is MessageObjects' business, on a stream EventMessages'.
		case !m.HasMethod && !m.HasResult && !m.HasError:
		case string(m.Version) == `"2.0"`:
			t.Saw()
		default:
			t.BreachAt(m, expected, `"jsonrpc": `+kit.JSON(m.Version))
		}
	}
}

// MessageObjects judges that every message is of one kind.
func MessageObjects(t *kit.T) {
	const expected = "an object that is one request, notification, result or error"
	t.Says(expected)
	for _, m := range wellAsked(t) {
		switch {
		case m.Kind == wire.KindNotJSON:
			// What cannot be read is judged by the rules for bodies and by EventMessages.
		case m.Kind == wire.KindNotObject:
			t.BreachAt(m, expected, "the JSON text "+kit.JSON(m.Raw()))
		case m.HasMethod && (m.HasResult || m.HasError):
			t.BreachAt(m, expected, "an object with method beside result or error")
		case !m.HasMethod && !m.HasResult && !m.HasError && !m.HasID:
			t.BreachAt(m, expected, "an object with neither method nor result nor error")
		case len(m.Duplicates) > 0:
			t.NoteAt(m, "member names occur twice: %s", strings.Join(m.Duplicates, ", "))
		case len(m.Extra) > 0:
			t.NoteAt(m, "members that JSON-RPC does not know: %s", strings.Join(m.Extra, ", "))
		default:
			t.Saw()
		}
	}
}

// ResultOrError judges that a response has one of the two.
func ResultOrError(t *kit.T) {
	const expected = "either result or error"
	t.Says(expected)
	for _, m := range wellAsked(t) {
		switch {
		case m.HasMethod:
		case m.HasResult && m.HasError:
			t.BreachAt(m, expected, fmt.Sprintf("both: result %s and error %s", kit.JSON(m.Result), kit.JSON(m.Error)))
		case !m.HasResult && !m.HasError && m.HasID:
			t.BreachAt(m, expected, "an id with neither of them")
		case m.HasResult || m.HasError:
			t.Saw()
		}
	}
}

// ResultObjects judges that results are objects.
func ResultObjects(t *kit.T) {
	const expected = "result as a JSON object"
	t.Says(expected)
	for _, m := range wellAsked(t) {
		switch {
		case !m.HasResult || m.HasMethod:
		case kit.JSONType(m.Result) != "object":
			t.BreachAt(m, expected, "result "+kit.JSON(m.Result))
		default:
			t.Saw()
		}
	}
}

// NotificationsWithoutID judges that notifications have no id.
func NotificationsWithoutID(t *kit.T) {
	const expected = "a notification without the member id"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the server sent no notification")
	for _, m := range t.Messages() {
		switch {
		case !strings.HasPrefix(m.Method, "notifications/"):
		case m.HasID:
			t.BreachAt(m, expected, m.Method+" with id "+kit.JSON(m.ID))
		default:
			t.Saw()
		}
	}
}

// ParamsObjects judges that params are objects.
func ParamsObjects(t *kit.T) {
	const expected = "params as an object"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the server sent no request or notification with params")
	for _, m := range t.Messages() {
		switch {
		case !m.HasMethod || !m.HasParams:
		case kit.JSONType(m.Params) != "object":
			t.BreachAt(m, expected, m.Method+" with params "+kit.JSON(m.Params))
		default:
			t.Saw()
		}
	}
}
