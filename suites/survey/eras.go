package survey

import (
	"net/http"
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/diagnosis"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// modernRevision is the revision without a handshake.
var modernRevision = revision.Newest(revision.Of(revision.Modern))

// The errors that only servers of the modern era answer with.
const (
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
	codeMethodNotFound     = -32601
)

// How clients of either era speak.
var (
	legacyDialect = client.Legacy{HasVersionHeader: revision.HasVersionHeader}
	modernDialect = client.Modern{Revision: modernRevision}
)

// discover is the first request: a conformant one of the modern era.
func (r *surveyor) discover() *wire.Exchange {
	return r.conversation.Call("discover", "server/discover", client.Speaking(modernDialect))
}

// tools settles a doubt.
func (r *surveyor) tools() *wire.Exchange {
	return r.conversation.Call("modern tools/list", "tools/list", client.Speaking(modernDialect))
}

const (
	// firstEvent is how long the look at a GET stream waits for its first event.
	firstEvent = 5 * time.Second
	// besideHead and besideEvent are the same for a server that speaks Streamable HTTP already: the old transport begins at once, or as
	// soon as other answers do.
	besideHead, besideEvent = time.Second, 300 * time.Millisecond
)

// look sends a GET, the last resort: the older HTTP+SSE transport presents itself there, by naming an endpoint of the same origin.
// Whether that answers initialize is for the checks.
func (r *surveyor) look() {
	if r.conversation.OpenStream("get", firstEvent) {
		x := r.conversation.Initialize("initialize over HTTP+SSE", revision.HTTPSSE)
		r.survey.HTTPSSE = true
		r.name(x)
		r.crowded(x)
	}
	r.stream = r.conversation.CloseStream("get")
}

// beginning is how long the head of an answer may take.
func (r *surveyor) beginning() time.Duration { return max(besideHead, r.conversation.Client().Soon()) }

// beside looks whether the old transport is offered at the same URL, as clients of 2024-11-05 would find it: a GET without a session.
func (r *surveyor) beside() {
	if r.conversation.OpenStream("get", besideEvent, client.WithoutSession(), client.HeadWithin(r.beginning())) {
		r.survey.HTTPSSE = true
		r.crowded(r.conversation.Initialize("initialize over HTTP+SSE", revision.HTTPSSE))
	}
	r.conversation.CloseStream("get")
}

// crowded looks whether a client of HTTP+SSE still gets its responses once a second one has connected: some servers know only the
// stream that was opened last.
func (r *surveyor) crowded(initialize *wire.Exchange) {
	if !initialize.Served() {
		return
	}
	r.conversation.Notify("initialized", "notifications/initialized")
	second := r.conversation.Get("second stream", client.HeadWithin(r.beginning()))
	defer second.Close()
	if second.Opened() {
		second.Next(besideEvent, func(e wire.Event) bool { return e.Dispatched })
	}
	if !r.conversation.Call("ping beside", "ping", client.GiveUp(r.beginning())).Served() {
		r.survey.SingleSession = true
	}
}

// discovery is what the answer to the modern request says about the era.
type discovery int

const (
	// notModern: go on with initialize.
	notModern discovery = iota
	// speaksModern: the server speaks 2026-07-28.
	speaksModern
	// speaksLater: it speaks only later revisions, which are not known here.
	speaksLater
	// undecided: JSON-RPC came back, but nothing that a modern server must say.
	undecided
	// undecidedNotFound is the same with status 404 and -32601, as a modern server without server/discover says it.
	undecidedNotFound
	// takesNoPost: 405 or 501.
	takesNoPost
	// plainlyElse: nothing more is sent.
	plainlyElse
)

// readDiscover reads the answer to the modern request; the first rule that fits wins.
func readDiscover(x *wire.Exchange) discovery {
	if x.Response == nil {
		return silentDiscovery(x)
	}
	answer, answered := x.Answer()
	status := x.Status()
	switch {
	case status/100 == 3, status == http.StatusUnauthorized, status == http.StatusForbidden && !answered,
		status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		return plainlyElse
	case answered && answer.Kind == wire.KindResult:
		return readVersions(answer, "/result/supportedVersions")
	case answered:
		return readError(answer, status)
	case status == http.StatusMethodNotAllowed, status == http.StatusNotImplemented:
		return takesNoPost
	case status/100 == 2 && status != http.StatusAccepted && !x.IsSSE() && !diagnosis.SpeaksJSONRPC(x) && (x.Error == nil || x.EndedBy == wire.ByLimit):
		return plainlyElse
	}
	return notModern
}

// silentDiscovery: where nothing could be reached nothing more is sent; a server that hangs or breaks off may do so only on what it
// does not know, and still answer initialize.
func silentDiscovery(x *wire.Exchange) discovery {
	if x.Error != nil {
		switch x.Error.Kind {
		case wire.ErrRefused, wire.ErrDNS, wire.ErrTLS:
			return plainlyElse
		}
	}
	return notModern
}

// readVersions: a list with a modern date is what only a modern server says; legacy servers list legacy dates out of courtesy.
func readVersions(m wire.Message, pointer string) discovery {
	var versions []string
	if m.Decode(pointer, &versions) != nil || len(versions) == 0 {
		return undecided
	}
	switch {
	case slices.Contains(versions, modernRevision):
		return speaksModern
	case slices.ContainsFunc(versions, revision.MayBeModern):
		return speaksLater
	}
	return notModern
}

func readError(m wire.Message, status int) discovery {
	switch code, _ := m.ErrorCode(); code {
	case codeUnsupportedVersion:
		if _, ok := m.Pointer("/error/data/supported"); ok {
			return readVersions(m, "/error/data/supported")
		}
		return speaksModern
	case codeHeaderMismatch, codeMissingCapability:
		return speaksModern
	case codeMethodNotFound:
		if status == http.StatusNotFound {
			return undecidedNotFound
		}
	}
	return undecided
}

// readTools tells whether the answer to a modern tools/list can only come from a modern server.
func readTools(x *wire.Exchange) bool {
	answer, ok := x.Answer()
	if !ok {
		return false
	}
	if answer.Kind == wire.KindResult {
		_, ok := answer.Pointer("/result/resultType")
		return ok
	}
	code, _ := answer.ErrorCode()
	return code == codeHeaderMismatch || code == codeMissingCapability || code == codeUnsupportedVersion
}
