package judges

import (
	"regexp"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// The codes of JSON-RPC 2.0.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
)

// Refusal judges the answer to something that is no valid request.
func Refusal(t *kit.T, x *wire.Exchange, code int64, expected string) {
	t.Says(expected)
	got, isError := anyError(x)
	switch {
	case slices.Contains(UnrelatedStatuses, x.Status()):
		t.MustConclude(x)
	case HasResult(x):
		t.Breach(x, expected, kit.Describe(x))
	case code == CodeInvalidRequest && x.Status() == 202 && !(isError && t.OldTransport()):
		// Taken for a message that wants no answer: harmless, and nobody learns of the mistake.
		t.Warn(x, expected, kit.Describe(x))
	case x.Status()/100 == 2 && !isError, x.Status() == 202 && !t.OldTransport():
		t.Breach(x, expected, kit.Describe(x))
	case got == code && code == CodeParseError && x.Status()/100 == 2 && !t.OldTransport():
		t.Note(x, "the right error under HTTP %d; no status is laid down, and most servers answer 400: %s", x.Status(), kit.Describe(x))
	case t.OldTransport() && x.Status()/100 == 4:
		// The acknowledgement may say it, or the stream.
		t.OK(x, "%s", kit.Describe(x))
	case got == code && (t.OldTransport() || x.Status()/100 == 4 || x.Status()/100 == 2):
		t.OK(x, "%s", kit.Describe(x))
	default:
		t.Warn(x, expected, kit.Describe(x))
	}
}

// Unserved judges the answer to a request that cannot be served: the right error passes under any 2xx or 4xx, another refusal
// warns, and so does a result where soft says so.
func Unserved(t *kit.T, x *wire.Exchange, code int64, expected string, soft bool) {
	t.Says(expected)
	answer, _ := x.Answer()
	got, isError := anyError(x)
	switch {
	case x.Response == nil && x.EndedBy == wire.ByTimeout:
		t.Breach(x, expected, kit.Describe(x))
	case x.Response == nil:
		t.NotObservedAt(kit.Inconclusive, x, "the request broke off: %s", kit.Describe(x))
	case slices.Contains(UnrelatedStatuses, x.Status()):
		t.MustConclude(x)
	case answer.Kind == wire.KindResult && soft:
		t.Warn(x, expected, kit.Describe(x))
	case got == code && x.Status() < 500:
		t.OK(x, "%s", kit.Describe(x))
	case isError, x.Status()/100 == 4:
		t.Warn(x, expected, kit.Describe(x))
	default:
		t.Breach(x, expected, kit.Describe(x))
	}
}

// UnrelatedStatuses are the statuses by which a request is turned away whatever stands in it: credentials, payment, time and load.
var UnrelatedStatuses = []int{401, 402, 403, 407, 408, 429}

// Tolerated judges that a request with something unknown in it is served.
func Tolerated(t *kit.T, x *wire.Exchange, what string) {
	t.Says("the request served like the control")
	if x.Served() {
		t.OK(x, "served, with %s", what)
		return
	}
	t.Warn(x, "the request served like the control", kit.Describe(x))
}

// internalFailure matches errors that speak of a failure inside the server. The word alone may be part of somebody's name.
var internalFailure = regexp.MustCompile(`(?i)\binternal(\s+\w+)?\s+(error|failure|fault|exception|problem)\b`)

// InternalFailures looks at the errors in answer to some methods, whatever was asked.
func InternalFailures(t *kit.T, methods ...string) {
	t.Says("internal failures under the code -32603")
	t.Unseen(kit.Unprovoked, "no error in answer to %s speaks of an internal failure", kit.Or(methods...))
	told := map[int64]bool{}
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			if !slices.Contains(methods, x.RequestMessage().Method) {
				continue
			}
			m, _ := AnswerIn(t, tr, x)
			code, integer := m.ErrorCode()
			switch {
			case !integer:
			case code == CodeInternalError:
				// In answer to a wrong request the code is a wrong one itself, and shows nothing of failures.
				if x.Broken == "" {
					t.OK(m.Exchange, "an internal failure has its code: %s", kit.DescribeMessage(m.Message))
				}
			case internalFailure.MatchString(m.ErrorMessage()) && !told[code]:
				told[code] = true
				t.NoteAt(m, "an error speaks of an internal failure under another code than -32603: %s", kit.DescribeMessage(m.Message))
			}
		}
	}
}
