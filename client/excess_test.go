package client

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/wire"
)

// TestExcessIsCut: an answer with more in it than a run has room for ends as one that was cut off, and the run knows it; one that holds
// what others held is read like them.
func TestExcessIsCut(t *testing.T) {
	list := func(id string, items int, tag string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"result":{"tools":[` + strings.TrimSuffix(strings.Repeat(`{"name":"`+tag+`"},`, items), ",") + `]}}`
	}
	big := strings.Repeat("x", 5<<20)
	serial := 0
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.Header.Get("X-Want") {
		case "long":
			fmt.Fprint(w, list("1", 10_001, "t"))
		case "same":
			fmt.Fprint(w, list("1", 1, big))
		case "other":
			serial++
			fmt.Fprint(w, list("1", 1, big+fmt.Sprint(serial)))
		case "head":
			w.Header().Set("X-Long", strings.Repeat("x", 200<<10))
			fmt.Fprint(w, list("1", 1, "t"))
		}
	}))
	defer served.Close()
	c := newClient(t, Config{URL: served.URL})
	conversation := c.Start(t.Context(), Script{Name: "excess", Dialect: dated, Revision: "2025-11-25"})
	n := 0
	ask := func(want string) *wire.Exchange {
		n++
		return conversation.Post(fmt.Sprint(want, n), []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), WithHeader("X-Want", want))
	}
	if x := ask("long"); x.Served() || x.EndedBy != wire.ByLimit || x.Error == nil || !strings.Contains(x.Error.Message, "10000 items") || x.Response.Body.Size() > 4<<10 {
		t.Errorf("a list that is too long: %s, %v, %d bytes", x.EndedBy, x.Error, x.Response.Body.Size())
	}
	for range 20 {
		if x := ask("same"); !x.Served() {
			t.Fatalf("what was there before is cut: %v", x.Error)
		}
	}
	cut := 0
	for range 10 {
		if x := ask("other"); x.EndedBy == wire.ByLimit {
			cut++
		}
	}
	if cut == 0 || cut == 10 {
		t.Errorf("%d of 10 answers of 5 MiB were cut", cut)
	}
	cut = 0
	const heads = 460
	for range heads {
		if x := ask("head"); x.EndedBy == wire.ByLimit && x.Response == nil {
			cut++
		}
	}
	if cut == 0 || cut == heads {
		t.Errorf("%d of %d answers with heads of 200 KiB were cut", cut, heads)
	}
	told := false
	for _, trouble := range c.Troubles() {
		told = told || trouble.Kind == Cut && trouble.Count > cut
	}
	if !told {
		t.Errorf("the run does not know of it: %+v", c.Troubles())
	}
}
