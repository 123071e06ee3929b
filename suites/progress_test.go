package suites_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
)

// TestProgressNamesWhatIsWaitedFor: with a server that hangs, progress comes at once and goes on to name the request.
func TestProgressNamesWhatIsWaitedFor(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // net/http notices that a client has gone once the body is read
		<-r.Context().Done()
	}))
	defer server.Close()
	suite, err := suites.New(eras.All()...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := make(chan suites.Progress, 1)
	go func() {
		defer close(told)
		record, err := suites.Run(ctx, suite, suites.Options{
			Client:   client.Config{URL: server.URL + "/mcp", Timeout: time.Hour},
			Progress: func(p suites.Progress) { told <- p },
		})
		if err != nil {
			t.Error(err)
			return
		}
		_ = record.Close()
	}()
	if first := <-told; first != (suites.Progress{Phase: "survey"}) {
		t.Errorf("the first is %+v", first)
	}
	for p := range told {
		if p.Waiting == "server/discover" && p.Waited > 0 && p.Phase == "survey" {
			cancel() // seen; what remains is drained until the run ends
		}
	}
	if ctx.Err() == nil {
		t.Error("the run ended, and nobody was told what it waited for")
	}
}
