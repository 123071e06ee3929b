package judges

import (
	"regexp"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

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
			m, ok := AnswerIn(t, tr, x)
			code, integer := m.ErrorCode()
			switch {
			case !ok || m.Kind != wire.KindError || !integer:
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
