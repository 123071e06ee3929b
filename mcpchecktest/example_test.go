package mcpchecktest_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/mcpchecktest"
)

// A test of a handler, with a tool that may be called and a page to look at. Without options it is mcpchecktest.Run(t, handler).
func ExampleRun() {
	myHandler := handler(nil) // any http.Handler

	_ = func(t *testing.T) { // func TestMCP(t *testing.T) {
		mcpchecktest.Run(t, myHandler,
			mcpchecktest.Call("search", map[string]any{"query": "hello"}),
			mcpchecktest.Output("html", "mcpcheck.html"))
	}
}

// A server that runs elsewhere and wants credentials. What is known to be wrong with it is listed in a file, with reasons.
func ExampleRun_url() {
	_ = func(t *testing.T) { // func TestStaging(t *testing.T) {
		url := os.Getenv("STAGING_URL")
		if url == "" {
			t.Skip("STAGING_URL is not set")
		}
		mcpchecktest.Run(t, url,
			mcpchecktest.Header("Authorization", "Bearer "+os.Getenv("STAGING_TOKEN")),
			mcpchecktest.Baseline("testdata/known.yaml"),
			mcpchecktest.MaxTime(5*time.Minute))
	}
}

// Without a testing.T: what is broken. r.WriteBaseline makes a baseline of it, r.Write any report.
func ExampleCheck() {
	r, err := mcpchecktest.Check(context.Background(), handler(forgetful()),
		mcpchecktest.Revision("2025-06-18"), mcpchecktest.Only("session"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Outcome())
	for _, one := range r.Requirements() {
		if one.Broken {
			fmt.Println(one.ID, one.Verdict)
		}
	}
	// Output:
	// failed
	// session.terminated-404 fail
}
