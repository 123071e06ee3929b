package legacy

import (
	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// The switches of the legacy era.
var switches deviation.Switches

// Words are what deviations can name of the legacy era.
func Words() deviation.Vocabulary {
	return deviation.Vocabulary{
		Switches:   switches.All(),
		Identities: identities.All(),
		Guards:     web.GuardNames(headGuards, messageGuards, getGuards, linkGuards),
		Answers: []string{
			"accepted-notification", // 202
			"accepted-response",     // 202
			"accepted-batch",        // 202, notifications and responses only
			"served-sse",            // 200, a stream in answer to a POST
			"get-stream",            // 200, the standalone stream
			"resumed-stream",        // 200, a stream resumed by Last-Event-ID
			"delete-done",           // 204
			"sse-open",              // 200, the stream of HTTP+SSE
			"sse-post",              // 202, a POST on HTTP+SSE
		},
	}
}
