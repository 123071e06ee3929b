package clients

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A form is a way in which a server may answer; shows tells whether an exchange has it.
type form struct {
	name  string
	shows func(*wire.Exchange) bool
}

// inEvents is a form that events have which answer a POST.
func inEvents(name string, shows func(wire.Event) bool) form {
	return form{name, func(x *wire.Exchange) bool {
		return x.Request.Method == "POST" && x.IsSSE() && x.Status() == 200 && slices.ContainsFunc(x.Events(), shows)
	}}
}

// The forms of answers that need no more than to be met.
var (
	asJSON      = form{"JSON", func(x *wire.Exchange) bool { return x.IsJSON() && x.Served() }}
	asStream    = form{"an event stream", func(x *wire.Exchange) bool { return x.Request.Method == "POST" && x.IsSSE() && x.Status() == 200 }}
	withCRLF    = inEvents("lines that end in CR LF", func(e wire.Event) bool { return strings.Contains(string(e.Raw), "\r\n") })
	inLines     = inEvents("data over several lines", func(e wire.Event) bool { return e.DataLines > 1 })
	withComment = inEvents("comments", func(e wire.Event) bool { return len(e.Comments) > 0 })
	otherEvents = inEvents("events of an unknown name", func(e wire.Event) bool { return e.Dispatched && e.Type != "message" })
	emptyEvents = inEvents("events without data", func(e wire.Event) bool { return e.HasData && e.Data == "" && e.HasID })
	withCharset = form{"a charset in Content-Type", func(x *wire.Exchange) bool { return asStream.shows(x) && strings.Contains(contentTypeOf(x), ";") }}
	oddTypeCase = form{"Content-Type in odd letter case", func(x *wire.Exchange) bool {
		media, _, _ := strings.Cut(contentTypeOf(x), ";")
		return asStream.shows(x) && media != strings.ToLower(media)
	}}
	unknownFirst = form{"a notification that nobody knows, ahead of the response", func(x *wire.Exchange) bool {
		return asStream.shows(x) && slices.ContainsFunc(x.Messages(), func(m wire.Located) bool {
			return m.Kind == wire.KindNotification && strings.HasPrefix(m.Method, "notifications/mcpcheck")
		})
	}}
	oddNames = form{"names of header fields in odd letter case", func(x *wire.Exchange) bool {
		return x.Response != nil && strings.Contains(string(x.Response.RawHead), "cOnTeNt-TyPe")
	}}
)

// odd are the forms that a client may stumble over.
var odd = []form{withCRLF, inLines, withComment, otherEvents, emptyEvents, withCharset, oddTypeCase, unknownFirst, oddNames, longLines, withCancellation}

// contentTypeOf is the media type of an answer as it was sent.
func contentTypeOf(x *wire.Exchange) string {
	if x.Response == nil {
		return ""
	}
	return x.Response.Header.Get("Content-Type")
}

// metIn is the first exchange of a conversation that has a form, nil without one.
func metIn(tr *wire.Transcript, f form) *wire.Exchange {
	i := slices.IndexFunc(tr.Exchanges, f.shows)
	if i < 0 {
		return nil
	}
	return tr.Exchanges[i]
}

// alone tells that a form is the only one of the odd ones in a conversation.
func alone(tr *wire.Transcript, f form) bool {
	for _, o := range odd {
		if o.name != f.name && metIn(tr, o) != nil {
			return false
		}
	}
	return true
}

// goesOn judges that a client goes on whichever of some forms an answer has. A server packs many into one conversation; which one is to
// blame is known where a conversation has nothing else to stumble over.
func goesOn(t *kit.T, expected string, forms ...form) {
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no two conversations show what the client does next%s", haveItGoOn)
	planned := plan(t)
	if len(planned) == 0 {
		return
	}
	t.Unseen(kit.Unprovoked, "the client met no such answer before it came to its end")
	var blamed []string
	var at *wire.Exchange
	var left, doubtful string
	for _, f := range forms {
		off, certain, on := 0, false, false
		var first *wire.Exchange
		for _, tr := range t.Transcripts() {
			x := metIn(tr, f)
			if x == nil {
				continue
			}
			step := missing(tr, planned)
			if step == "" {
				on = on || asksBehind(tr, x)
				continue
			}
			off++
			certain = certain || alone(tr, f)
			if first == nil || alone(tr, f) {
				first, left = x, step
			}
		}
		switch {
		case on:
			t.Saw()
		case off > 1 && certain:
			blamed = append(blamed, f.name)
			if at == nil {
				at = first
			}
		case off > 0:
			doubtful = f.name
		}
	}
	if at == nil && doubtful != "" {
		t.NotObserved(kit.Inconclusive, "the client broke off where an answer had %s, and which of several things it was is not known", doubtful)
	}
	if at != nil {
		t.Breach(at, expected, strings.Join(blamed, " and ")+", and then "+brokeOff(left))
	}
}
