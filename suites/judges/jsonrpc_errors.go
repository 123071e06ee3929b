package judges

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// ErrorShapes judges the members of error objects.
func ErrorShapes(t *kit.T) {
	const expected = "error as an object with code and a string message"
	t.Says(expected)
	for _, m := range errorsSeen(t) {
		var message string
		_, hasCode := m.Pointer("/error/code")
		_, hasMessage := m.Pointer("/error/message")
		switch {
		case !strings.HasPrefix(strings.TrimSpace(string(m.Error)), "{"):
			t.BreachAt(m, expected, "error "+kit.JSON(m.Error))
		case !hasCode || !hasMessage:
			t.BreachAt(m, expected, "an error object that lacks one of them: "+kit.JSON(m.Error))
		case m.Decode("/error/message", &message) != nil:
			t.BreachAt(m, expected, "a message that is no string: "+kit.JSON(m.Error))
		default:
			t.Saw()
		}
	}
}

// ErrorCodes judges that error codes are integers.
func ErrorCodes(t *kit.T) {
	const expected = "an integer as error code"
	t.Says(expected)
	for _, m := range errorsSeen(t) {
		raw, present := m.Pointer("/error/code")
		_, integer := m.ErrorCode()
		switch {
		case !present:
		case !integer:
			t.BreachAt(m, expected, "code "+kit.JSON(raw))
		default:
			t.Saw()
		}
	}
}

// ReservedCodes notes codes that JSON-RPC keeps for itself.
func ReservedCodes(t *kit.T) {
	t.Says("no code between -32768 and -32100 but those of JSON-RPC")
	known := []int64{CodeParseError, CodeInvalidRequest, CodeMethodNotFound, CodeInvalidParams, CodeInternalError}
	for _, m := range errorsSeen(t) {
		code, ok := m.ErrorCode()
		switch {
		case !ok:
		case code >= -32768 && code <= -32100 && !slices.Contains(known, code):
			t.NoteAt(m, "the code %d is reserved by JSON-RPC for later use", code)
		default:
			t.Saw()
		}
	}
}

// ErrorMessages notes error messages that are no concise sentence.
func ErrorMessages(t *kit.T) {
	t.Says("one concise sentence")
	for _, m := range errorsSeen(t) {
		switch message := m.ErrorMessage(); {
		case message == "":
		case strings.ContainsAny(message, "\r\n"):
			t.NoteAt(m, "an error message of several lines: %s", kit.Quote([]byte(message)))
		case utf8.RuneCountInString(message) > maxConcise:
			t.NoteAt(m, "an error message of %d characters: %s", utf8.RuneCountInString(message), kit.Quote([]byte(message)))
		default:
			t.Saw()
		}
	}
}

// maxConcise is the length from which an error message is worth a note.
const maxConcise = 300

// errorsSeen are the messages with an error, null ones excepted: those are for ResultOrError.
func errorsSeen(t *kit.T) []kit.Seen {
	t.Unseen(kit.Unprovoked, "%s sent no JSON-RPC error", t.Who())
	return slices.DeleteFunc(slices.Clone(wellAsked(t)), func(m kit.Seen) bool {
		return !m.HasError || m.HasResult || strings.TrimSpace(string(m.Error)) == "null"
	})
}
