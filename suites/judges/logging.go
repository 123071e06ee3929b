package judges

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// LogMethod is that of log messages.
const LogMethod = "notifications/message"

const noLog = "the server sent no log message"

// LogLevels are those of RFC 5424, the least severe first.
var LogLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// LogsDeclared judges that who logs declares it. The era tells which conversations were opened by a server that declares it: one may have
// asked for another revision than the inventory.
func LogsDeclared(t *kit.T, declares func(*wire.Transcript) bool) {
	const expected = "log messages only from a server that declares logging"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, noLog)
	for _, m := range logMessages(t) {
		switch declared := t.Facts().Capability("logging"); {
		case declared == kit.Yes || declares(m.Transcript):
			t.OK(m.Exchange, "the server logs and declares logging")
		case declared == kit.No:
			t.BreachAt(m.Seen, expected, LogMethod+" of a server whose capabilities have no logging")
		default:
			t.Lacks(kit.Logging)
		}
	}
}

// LogShapes judges the members of log messages.
func LogShapes(t *kit.T) {
	t.Says("level, one of the eight, and data; logger a string if present")
	t.Unseen(kit.Unprovoked, noLog)
	for _, m := range logMessages(t) {
		// Params that are no object are for ParamsObjects.
		if m.HasParams && kit.JSONType(m.Params) != "object" {
			continue
		}
		found, _ := t.Schema().Notification(LogMethod, m.Params)
		if found = kit.Without(found, "/params/_meta"); len(found) > 0 {
			expected, got := kit.Wording(found)
			t.BreachAt(m.Seen, expected, got)
			continue
		}
		t.OK(m.Exchange, "log messages have level and data")
	}
}

// LogContents judges that no secret stands in log messages: no credential of the user, and none of the texts that the era lets a client
// in by, whose noun is given; own tells that a message went to nobody but the client that such a text was given to.
func LogContents(t *kit.T, secrets func(*kit.T) []string, noun string, own func(*kit.T, kit.Seen, string) bool) {
	const expected = "no credential of the client in a log message"
	t.Says(expected)
	ids, credentials := secrets(t), sentCredentials(t)
	messages := logMessages(t)
	if len(messages) > 0 && len(ids) == 0 && !credentials {
		t.NotObserved(kit.Unprovoked, "mcpcheck sent neither credentials nor a %s that could be told from other text", noun)
	}
	t.Unseen(kit.Unprovoked, noLog)
	for _, m := range messages {
		text := string(m.Params[:min(len(m.Params), maxLogged)])
		switch {
		case credentials && maskedSecret.MatchString(text):
			t.BreachAt(m.Seen, expected, "a log message with credentials that mcpcheck sent")
		case slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(text, id) && !own(t, m.Seen, id) }):
			t.BreachAt(m.Seen, expected, "a log message with the "+noun+" of another client")
		case slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(text, id) }):
			t.NoteAt(m.Seen, "a log message names the %s on whose stream it comes: its client knows it, but logs are kept and shown", noun)
		default:
			t.OK(m.Exchange, "no credential that mcpcheck sent stands in a log message")
		}
	}
}

// LogCredentials warns of secrets in log messages where clients have no sessions: a credential of the user, or a private key.
func LogCredentials(t *kit.T) {
	const expected = "no credential of the client and no private key in a log message"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, noLog)
	credentials := sentCredentials(t)
	for _, m := range logMessages(t) {
		switch text := string(m.Params[:min(len(m.Params), maxLogged)]); {
		case credentials && maskedSecret.MatchString(text):
			t.WarnAt(m.Seen, expected, "a log message with credentials that mcpcheck sent")
		case privateKey.MatchString(text):
			t.WarnAt(m.Seen, expected, "a log message with a private key")
		default:
			t.OK(m.Exchange, "no credential that mcpcheck sent and no private key stands in a log message")
		}
	}
}

// privateKey is how a private key begins in PEM.
var privateKey = regexp.MustCompile(`-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----`)

// A LogMessage is a log message of the server and its level, "" where that cannot be read.
type LogMessage struct {
	kit.Seen
	Level string
}

// logMessages are the log messages in all traffic.
func logMessages(t *kit.T) []LogMessage {
	var all []LogMessage
	for _, tr := range t.Transcripts() {
		all = append(all, LogMessagesIn(t, tr)...)
	}
	return all
}

// LogMessagesIn are those of one conversation.
func LogMessagesIn(t *kit.T, tr *wire.Transcript) []LogMessage {
	var all []LogMessage
	for _, m := range t.MessagesIn(tr) {
		if m.Method == LogMethod {
			all = append(all, LogMessage{m, levelOf(m.Message)})
		}
	}
	return all
}

func levelOf(m wire.Message) (level string) {
	_ = m.Decode("/params/level", &level)
	return level
}

// BelowError tells that a message is a log message of a known level below error.
func BelowError(m wire.Message) bool {
	i := slices.Index(LogLevels, levelOf(m))
	return m.Method == LogMethod && i >= 0 && i < slices.Index(LogLevels, "error")
}

// maxLogged bounds how much of one log message is searched.
const maxLogged = 64 << 10

// maskedSecret is what the recorder leaves of a credential in what the server sends: as many bytes as it had, hence asterisks behind
// the word unless it was short. A server that masks credentials itself may well write the word alone.
var maskedSecret = regexp.MustCompile(regexp.QuoteMeta(wire.Redacted) + `\*`)

// sentCredentials tells whether a request carried credentials of the user, which the recorder has blotted out.
func sentCredentials(t *kit.T) bool {
	return slices.ContainsFunc(t.Exchanges(), func(x *wire.Exchange) bool {
		for _, values := range x.Request.Header {
			if slices.Contains(values, wire.Redacted) {
				return true
			}
		}
		return false
	})
}
