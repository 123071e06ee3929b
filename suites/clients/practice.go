package clients

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// awaitsInitialized: a strict server refuses what overtakes the notification.
func awaitsInitialized(t *kit.T) {
	t.Says("no request until notifications/initialized was taken")
	t.Unseen(kit.Raced, "notifications/initialized was taken before anything else could have been sent")
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			i := slices.IndexFunc(s.requests, func(x *wire.Exchange) bool { return x.RequestMessage().Method == "notifications/initialized" })
			if i < 0 {
				continue
			}
			notified := s.requests[i]
			j := slices.IndexFunc(s.requests, func(x *wire.Exchange) bool {
				return x.Sent > notified.Sent && x.Sent < notified.End && isRequest(x.RequestMessage())
			})
			switch {
			case j >= 0:
				t.Note(s.requests[j], "%s came while notifications/initialized was on its way; a strict server may refuse it", what(s.requests[j]))
			case notified.End-notified.Sent >= patience:
				t.Saw()
			}
		}
	}
}

// large is how many bytes are a long message: SSE readers with a limit often have one of 64 KiB or 1 MiB.
const large = 1 << 20

// longLines is the form of an event whose data is long.
var longLines = inEvents("more than a megabyte in one line", func(e wire.Event) bool { return len(e.Data) > large })

// readsLarge: no size is named, so that one that a client cannot read is no breach.
func readsLarge(t *kit.T) {
	t.Says("the client goes on behind a message of more than a megabyte")
	planned := plan(t)
	t.Unseen(kit.Unprovoked, "the client met no message of more than a megabyte%s", haveItGoOn)
	for _, tr := range t.Transcripts() {
		x := metIn(tr, longLines)
		switch {
		case x == nil || len(planned) == 0:
		case missing(tr, planned) == "":
			t.Saw()
		case alone(tr, longLines):
			t.Note(x, "the client breaks off behind a message of more than a megabyte: %s", brokeOff(missing(tr, planned)))
		}
	}
}

// decodesUTF8: what comes back of a text shows as what it was read.
func decodesUTF8(t *kit.T) {
	const expected = "text read as UTF-8"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client sent nothing back of a text beyond ASCII: have it list all pages of the tools")
	for _, tr := range t.Transcripts() {
		pages := pagesOf(tr)
		for i, p := range pages {
			for _, o := range pages[:i] {
				switch {
				case !o.given() || plain(o.Next()) || p.first || o.method != p.method:
				case p.cursor == o.Next():
					t.Saw()
				case p.cursor == asLatin1(o.Next()):
					t.Breach(p.Exchange, expected, "the cursor "+kit.Quote([]byte(p.cursor))+" for "+kit.Quote([]byte(o.Next()))+", as if it had come in Latin 1")
				}
			}
		}
	}
}

// asLatin1 is a text whose UTF-8 was read as Latin 1.
func asLatin1(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		b.WriteRune(rune(c))
	}
	return b.String()
}

const (
	// manyReopened is how many streams opened one after another are too many, where no pause is between them.
	manyReopened = 10
	// noPause is less than any pause that somebody meant.
	noPause = 100 * time.Millisecond
)

// pacesItself: a stream that ends at once is not opened again at once, for ever.
func pacesItself(t *kit.T) {
	t.Says("a pause before a stream is opened again")
	t.Unseen(kit.Unprovoked, "the client opened no stream again")
	for _, tr := range t.Transcripts() {
		var last *wire.Exchange
		hasty, reopened := 0, 0
		for _, x := range tr.Exchanges {
			if x.Request.Method != http.MethodGet || !x.IsSSE() || x.Status() != http.StatusOK {
				continue
			}
			if last != nil && x.Sent >= last.End {
				reopened++
				if x.Sent-last.End < noPause {
					hasty++
				}
			}
			last = x
		}
		switch {
		case hasty >= manyReopened:
			t.Note(last, "%s", fmt.Sprintf("%d streams were opened again without a pause", hasty))
		case reopened > 0:
			t.Saw()
		}
	}
}
