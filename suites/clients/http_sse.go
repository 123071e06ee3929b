package clients

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func httpSSE(s *kit.Section) {
	s.Passive("http-sse.client.posts-to-endpoint", postsToEndpoint)
	s.Passive("http-sse.client.waits", waitsForEndpoint)
	s.Passive("http-sse.client.reads-stream", readsStream)
	s.Passive("http-sse.client.resolves-uri", resolvesURI)
	s.Passive("http-sse.client.fallback", fallsBack)
	s.Passive("http-sse.client.same-origin", staysAtOrigin)
}

// A link is the stream that a client opened, and where it was told to post to.
type link struct {
	tr     *wire.Transcript
	stream *wire.Exchange
	// told is when the endpoint event came, uri what it named, as it stands there.
	told time.Duration
	uri  string
}

// links are the streams of HTTP+SSE that the client opened and that told it an endpoint.
func links(t *kit.T) []link {
	var all []link
	for _, tr := range t.Everywhere() {
		for _, x := range tr.Exchanges {
			i := slices.IndexFunc(x.Events(), func(e wire.Event) bool { return e.Type == "endpoint" })
			if x.Request.Method == http.MethodGet && x.IsSSE() && i >= 0 {
				e := x.Events()[i]
				all = append(all, link{tr, x, e.At, e.Data})
			}
		}
	}
	return all
}

// endpoint is the address that the event means.
func (l link) endpoint() string {
	base, err := url.Parse(l.stream.Request.URL)
	if err != nil {
		return ""
	}
	to, err := base.Parse(strings.TrimSpace(l.uri))
	if err != nil {
		return ""
	}
	return to.String()
}

// foreign tells that the event names another origin than that of the stream.
func (l link) foreign() bool {
	to := l.endpoint()
	return to != "" && originOf(to) != originOf(l.stream.Request.URL)
}

// posted are the POSTs behind the opening of the stream.
func (l link) posted() []*wire.Exchange {
	return slices.DeleteFunc(slices.Clone(l.tr.Exchanges), func(x *wire.Exchange) bool {
		return x.Request.Method != http.MethodPost || x.Sent < l.stream.Sent
	})
}

func postsToEndpoint(t *kit.T) {
	const expected = "POST to the URI of the endpoint event"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client posted nothing once it knew its endpoint")
	for _, l := range links(t) {
		// Clients open a stream to see what a server speaks, and another to use it.
		ours := func(x *wire.Exchange) bool {
			return slices.ContainsFunc(links(t), func(o link) bool { return o.tr == l.tr && x.Request.URL == o.endpoint() })
		}
		arrives := slices.ContainsFunc(l.posted(), ours)
		for _, x := range l.posted() {
			switch {
			case x.Sent < l.told: // http-sse.client.waits has it
			case ours(x):
				t.Saw()
			case arrives && x.RequestMessage().Method == methodInitialize && x.Status() >= 400:
				// It tried Streamable HTTP, was refused, and fell back.
			default:
				t.Breach(x, expected, "POST "+pathOf(x.Request.URL)+", and the event named "+pathOf(l.endpoint()))
			}
		}
	}
}

func waitsForEndpoint(t *kit.T) {
	const expected = "nothing posted before the endpoint event"
	t.Says(expected)
	t.Unseen(kit.Raced, "the endpoint event came before anything could have been posted")
	for _, l := range links(t) {
		calm := true
		for _, x := range l.posted() {
			// A POST to the stream's own address is how newer clients find out which transport it is.
			if x.Sent < l.told && x.Request.URL != l.stream.Request.URL {
				t.Breach(x, expected, fmt.Sprintf("POST %s, %v before it", pathOf(x.Request.URL), (l.told-x.Sent).Round(time.Millisecond)))
				calm = false
			}
		}
		if calm && l.told-l.stream.Sent >= patience {
			t.Saw()
		}
	}
}

func readsStream(t *kit.T) {
	const expected = "the client goes on once its answer has come on the stream"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client sent no initialize over this transport that was answered")
	var left []*wire.Exchange
	for _, l := range links(t) {
		for i, x := range l.tr.Exchanges {
			if x.RequestMessage().Method != methodInitialize || x.Elsewhere() != l.stream || !x.Served() {
				continue
			}
			if slices.ContainsFunc(l.tr.Exchanges[i+1:], func(o *wire.Exchange) bool { return o.Request.Method == http.MethodPost }) {
				t.Saw()
			} else {
				left = append(left, x)
			}
		}
	}
	if !t.Observed() && len(left) > 1 && goesOnWith(t, left[0]) {
		t.Breach(left[0], expected, "nothing more, on two tries, while it goes on over Streamable HTTP")
	}
}

// goesOnWith tells that the client goes on elsewhere once initialize was answered with the same version.
func goesOnWith(t *kit.T, x *wire.Exchange) bool {
	answer, _ := x.Answer()
	var version string
	_ = answer.Decode("/result/protocolVersion", &version) // ours
	on := false
	everySession(t, func(c *conversation, s *talk) {
		on = on || s.version == version && c.tr.Transport == kit.StreamableHTTP && c.wentOn(s)
	})
	return on
}

// fallsBack tells what a client does that meets a server of the old transport: to have none of it is its right.
func fallsBack(t *kit.T) {
	t.Says("HTTP+SSE, or an end")
	t.Unseen(kit.Unprovoked, "no initialize was refused in a way that points to the old transport")
	linked := links(t)
	for _, tr := range t.Everywhere() {
		for _, x := range tr.Exchanges {
			if x.RequestMessage().Method != methodInitialize || !slices.Contains([]int{400, 404, 405}, x.Status()) {
				continue
			}
			if slices.ContainsFunc(linked, func(l link) bool { return l.tr == tr && l.stream.Sent >= x.Sent }) {
				t.OK(x, "it falls back to HTTP+SSE after %d", x.Status())
			} else {
				t.OK(x, "it does not fall back to HTTP+SSE after %d, as is its right", x.Status())
			}
		}
	}
}

// resolvesURI: an endpoint is written in either way.
func resolvesURI(t *kit.T) {
	const expected = "POST to the endpoint, however the event writes it"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client did not meet both a relative and an absolute endpoint")
	var on, off []link
	for _, l := range links(t) {
		if l.foreign() {
			continue // to refuse that is wise
		}
		if slices.ContainsFunc(l.posted(), func(x *wire.Exchange) bool { return x.Sent >= l.told }) {
			on = append(on, l)
		} else {
			off = append(off, l)
		}
	}
	absolute := func(l link) bool { return strings.Contains(l.uri, "://") }
	for _, l := range off {
		if slices.ContainsFunc(on, func(o link) bool { return absolute(o) != absolute(l) }) && !slices.ContainsFunc(on, func(o link) bool { return absolute(o) == absolute(l) }) {
			t.Breach(l.stream, expected, "nothing posted where the event names "+map[bool]string{true: "an absolute", false: "a relative"}[absolute(l)]+" URI")
			return
		}
	}
	if slices.ContainsFunc(on, absolute) && slices.ContainsFunc(on, func(l link) bool { return !absolute(l) }) {
		t.Saw()
	}
}

// staysAtOrigin: a server may name any endpoint, and whoever posts there posts wherever it likes. The origin that we name leads back to us.
func staysAtOrigin(t *kit.T) {
	t.Says("nothing posted to another origin than that of the stream")
	t.Unseen(kit.Unprovoked, "the client was told no endpoint of another origin")
	for _, l := range links(t) {
		if !l.foreign() {
			continue
		}
		i := slices.IndexFunc(l.posted(), func(x *wire.Exchange) bool { return x.Request.URL == l.endpoint() })
		switch {
		case i >= 0:
			x := l.posted()[i]
			t.Note(x, "%s went to %s, another origin than that of the stream: a server can have this client post anywhere", what(x), originOf(l.endpoint()))
		case l.tr.Aborted == "":
			t.OK(l.stream, "nothing was posted to %s", originOf(l.endpoint()))
		}
	}
}

// originOf is the scheme and host of an address.
func originOf(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(strings.NewReplacer("?", "/", "#", "/").Replace(rest), "/")
	return scheme + "://" + host
}
