package clients

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const wellKnownOpenID = "/.well-known/openid-configuration"

// placesOf are the paths where an authorization server may have its metadata, in the order in which clients have to look
// (basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery).
func placesOf(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil {
		return nil
	}
	path := strings.TrimRight(u.Path, "/")
	places := []string{wellKnownServer + path, wellKnownOpenID + path}
	if path != "" {
		places = append(places, path+wellKnownOpenID)
	}
	return places
}

// issuerIn is the authorization server that an answer names as the metadata of a resource; "" where it is none.
func issuerIn(x *wire.Exchange) string {
	var found struct {
		Servers []string `json:"authorization_servers"`
	}
	if x.Request.Method != http.MethodGet || x.Status() != http.StatusOK || json.Unmarshal(x.Response.Body.Bytes(), &found) != nil || len(found.Servers) == 0 {
		return ""
	}
	return found.Servers[0]
}

// A lookup is how a client looked for the metadata of the authorization server that one recording names.
type lookup struct {
	places []string
	first  []*wire.Exchange // to each place, nil where there was none
	order  []int            // of the places, by when they were first asked
	last   *wire.Exchange   // to any of them, since it read of the server
}

// lookupIn is nil where the client read of no server; without a last request it looked for nothing once it had.
func lookupIn(tr *wire.Transcript) *lookup {
	named := slices.IndexFunc(tr.Exchanges, func(x *wire.Exchange) bool { return issuerIn(x) != "" })
	if named < 0 {
		return nil
	}
	l := &lookup{places: placesOf(issuerIn(tr.Exchanges[named]))}
	l.first = make([]*wire.Exchange, len(l.places))
	for i, x := range tr.Exchanges {
		at := slices.Index(l.places, strings.TrimRight(plainPath(x), "/"))
		if x.Request.Method != http.MethodGet || at < 0 {
			continue
		}
		if i > named {
			l.last = x
		}
		if l.first[at] == nil { // what it asked for earlier it need not ask for again
			l.first[at], l.order = x, append(l.order, at)
		}
	}
	return l
}

// early is the first request to a place that came ahead of one to a place that has to be asked before, and that place; nil where the order was kept.
// Requests that were under way at the same time came in no order.
func (l *lookup) early() (*wire.Exchange, string) {
	for n, i := range l.order {
		x := l.first[i]
		for j, before := range l.first[:i] {
			if before == nil || slices.Contains(l.order[n:], j) && before.Sent >= x.AnsweredAt() {
				return x, l.places[j]
			}
		}
	}
	return nil, ""
}

// unasked is the first place where the client did not look; "" where it looked everywhere, or as far as it had to.
func (l *lookup) unasked() string {
	for i, x := range l.first {
		switch {
		case x == nil:
			return l.places[i]
		case x.Status() == http.StatusOK:
			return ""
		}
	}
	return ""
}

// serverPlaces: the metadata of an authorization server is looked for in every place until it is found. An order is given for a server
// whose identifier has a path; for the others there are two places, and the other order is only noted.
func serverPlaces(t *kit.T) {
	t.Says("the well-known places of the authorization server, one after the other")
	t.Unseen(kit.Unprovoked, nobodyWants)
	gaveUp, through := map[int][]*lookup{}, map[int]bool{} // by how many places there are
	for _, tr := range t.Transcripts() {
		l := lookupIn(tr)
		if l == nil {
			continue
		}
		t.Unseen(kit.Unprovoked, "the client read which authorization server there is, and looked for its metadata nowhere: it may know the server, or have no authorization of its own")
		if l.last == nil {
			continue
		}
		n := len(l.places)
		x, before := l.early()
		next := l.unasked()
		switch {
		case x != nil && n > 2:
			t.Breach(x, "GET "+before+" first", "GET "+plainPath(x)+" without it, or before it")
			return
		case next == "" && x != nil:
			t.Note(x, "GET %s comes ahead of GET %s, though the page has them the other way round", plainPath(x), before)
			through[n] = true
		case next == "":
			t.Saw()
			through[n] = true
		case tr.Aborted == "" && gone(l.last):
			t.Unseen(kit.Inconclusive, "the client did not look at %s, once", next)
			gaveUp[n] = append(gaveUp[n], l)
		default:
			t.Unseen(kit.Inconclusive, "the client did not look at %s, since it was stopped, or what it was answered before was not 404", next)
		}
	}
	for _, n := range []int{3, 2} {
		if through[n] || len(gaveUp[n]) < 2 {
			continue
		}
		l := gaveUp[n][1]
		t.Breach(l.last, "GET "+l.unasked()+" where "+plainPath(l.last)+" has nothing", fmt.Sprintf("no request for it, on %d tries", len(gaveUp[n])))
		return
	}
}

// gone tells that there is nothing at a place, so that a client has to go on to the next.
func gone(x *wire.Exchange) bool { return x.Status() == http.StatusNotFound }
