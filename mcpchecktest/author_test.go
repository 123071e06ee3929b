package mcpchecktest_test

import (
	"fmt"
	"net/http"
	"os"
	"testing"

	"github.com/mcpcheck/mcpcheck/mcpchecktest"
	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// An author is somebody else's test: TestRun runs this program again with its name in the environment, and looks at what go test says.
const authorVariable = "MCPCHECKTEST_AUTHOR"

// narrow keeps a check short: what these tests are about is not which requirements there are.
var narrow = []mcpchecktest.Option{mcpchecktest.Revision("2025-06-18"), mcpchecktest.Only("session", "utilities.ping.*")}

// handler is an MCP server as an author might have one.
func handler(deviation *refserver.Deviation) *refserver.Server {
	server, err := refserver.New(refserver.Config{Deviation: deviation})
	if err != nil {
		panic(err)
	}
	return server
}

// forgetful serves an ended session with 400 in place of 404.
func forgetful() *refserver.Deviation {
	return &refserver.Deviation{Edits: []refserver.Edit{{On: "terminated-session", Status: 400}}}
}

func TestAuthor(t *testing.T) {
	author := os.Getenv(authorVariable)
	if author == "" {
		t.Skip("for TestRun")
	}
	with := func(more ...mcpchecktest.Option) []mcpchecktest.Option {
		return append(narrow[:len(narrow):len(narrow)], more...)
	}
	switch author {
	case "conforming":
		r := mcpchecktest.Run(t, handler(nil), with(mcpchecktest.Output("html", "report.html"), mcpchecktest.Output("json", "report.json"))...)
		fmt.Println("outcome", r.Outcome())
	case "elsewhere":
		mux := http.NewServeMux()
		mux.Handle("/api/tools", handler(nil))
		mcpchecktest.Run(t, mux, with(mcpchecktest.Path("/api/tools"))...)
	case "function":
		mcpchecktest.Run(t, handler(nil).ServeHTTP, with()...)
	case "url":
		running, err := refserver.Listen("127.0.0.1:0", handler(nil))
		if err != nil {
			t.Fatal(err)
		}
		defer running.Close()
		mcpchecktest.Run(t, running.URL, with()...)
	case "forgetful":
		mcpchecktest.Run(t, handler(forgetful()), with()...)
		t.Log("goes on")
	case "accepted":
		mcpchecktest.Run(t, handler(forgetful()), with(mcpchecktest.Baseline("known.yaml"))...)
	case "mended":
		mcpchecktest.Run(t, handler(nil), with(mcpchecktest.Baseline("known.yaml"))...)
	case "no server":
		mcpchecktest.Run(t, http.NotFoundHandler(), with()...)
		t.Log("goes on")
	case "dying":
		mcpchecktest.Run(t, dying(40), mcpchecktest.Revision("2025-06-18"), mcpchecktest.Only("session", "jsonrpc"))
	case "dying, accepted":
		mcpchecktest.Run(t, dying(40), mcpchecktest.Revision("2025-06-18"), mcpchecktest.Only("session", "jsonrpc"), mcpchecktest.AcceptIncomplete())
	case "no such requirement":
		mcpchecktest.Run(t, handler(nil), mcpchecktest.Only("sesion"))
	case "no target":
		mcpchecktest.Run(t, 3000)
	}
}

// dying serves so many requests and hangs up on all others.
func dying(after int64) http.Handler {
	server := handler(nil)
	var served counter
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if served.Add(1) > after {
			panic(http.ErrAbortHandler)
		}
		server.ServeHTTP(w, r)
	})
}
