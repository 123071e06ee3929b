package mock

import (
	"net/http"
	"strings"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/wire"
)

// overHTTPSSE files what was said over the transport of 2024-11-05: what is posted to its endpoint is answered on the stream that was
// opened before. A client that never opened one is filed as it spoke.
func overHTTPSSE(p Persona, t *wire.Transcript) {
	if !p.Profile.HasHTTPSSE() {
		return
	}
	var stream *wire.Exchange
	for _, x := range t.Exchanges {
		switch {
		case x.Request.Method == http.MethodGet && x.IsSSE():
			stream = x
			t.Revision, t.Transport = refserver.LegacyRevisions()[0], "http-sse"
		case stream != nil && x.Request.Method == http.MethodPost && strings.Contains(x.Request.URL, refserver.MessagePath):
			x.AnsweredOn(stream)
		}
	}
}
