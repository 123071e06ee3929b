package client

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// How much it takes before something is called by its name.
const (
	// hangs is how many harmless requests may stay unanswered in a row, with none answered since the first of them was sent.
	hangs = 3
	// refusals is how many sessions may be refused in a row.
	refusals = 6
	// failures is how many harmless requests in a row may be answered 5xx, and turns how often a session may be refused and served again.
	failures = 6
	turns    = 2
	// gatewayErrors is how many answers of a gateway make a pattern.
	gatewayErrors = 3
	// symptoms is how many broken requests are remembered, and for how long: one of them may be what ended the server.
	symptoms     = 8
	symptomsLast = 3 * time.Second
)

// harmless tells that a server has no reason not to answer a request of this method.
func harmless(method string) bool {
	switch method {
	case "ping", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "notifications/initialized":
		return true
	}
	return false
}

// A watch looks at how the exchanges of a run end, all together: what no single one of them shows.
type watch struct {
	client *Client

	mu       sync.Mutex
	troubles []Trouble
	answered bool // something was answered, ever
	// served is when a harmless request was answered last; silent are those that were not, since then.
	served  time.Time
	silent  []string
	broken  []symptom
	left    time.Time     // when one was closed last
	dialing chan struct{} // closed when it is known whether a refused connection was an accident
	gateway int
	seen    int
	status  int // of the last
	deletes int // DELETEs in a row that were not answered
	failing int // 5xx in a row to harmless requests
	// before is what was served last, firstBad what was answered 5xx first since then.
	before, firstBad string
	sessions         map[string]*turn
	refused          int // sessions in a row
	// refusals are all of them.
	refusals int
	halted   *Trouble
	patient  bool // silence ends nothing
}

// A symptom is a request that broke off.
type symptom struct {
	what string
	at   time.Time
}

// saw is told of each exchange that has ended; a conversation's own context had ended before where cancelled.
func (w *watch) saw(f *flight, sent time.Time) {
	x, method := f.x, f.out.method
	what := strings.TrimSpace(f.out.httpMethod + " " + method)
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if x.Response != nil {
		w.answered = true
	}
	_, complete := x.Answer()
	if x.Response != nil && (complete || x.EndedBy == wire.ByServer) && x.Broken == "" && harmless(method) {
		w.served, w.silent = now, nil
	}
	switch {
	case x.Response == nil:
	case x.Status() < 500:
		// Who answers anything at all does not answer everything with 5xx.
		w.before, w.firstBad, w.failing = what, "", 0
	case w.firstBad == "":
		w.firstBad = what
	}
	if x.Broken == "" && (harmless(method) || method == "initialize" && !f.sessionsRefused()) {
		w.count(x)
	}
	w.turn(f, sent)
	if f.out.httpMethod == http.MethodDelete {
		w.deleted(x)
	}
	switch {
	case x.Error == nil:
	case x.Error.Kind == wire.ErrRefused:
		if w.answered && w.dialing == nil && w.halted == nil {
			w.dialing = make(chan struct{})
			go w.dial(what, now)
		}
	case x.Error.Kind == wire.ErrReset, x.Error.Kind == wire.ErrClosed:
		w.broken = append(w.broken, symptom{what, now})
		w.broken = w.broken[max(0, len(w.broken)-symptoms):]
	case x.EndedBy == wire.ByTimeout && !complete && x.Broken == "" && harmless(method) && f.out.patience == 0:
		if sent.After(w.served) && f.out.id != nil {
			// A notification that is not acknowledged is less: the requests after it show what the server does.
			w.silent = append(w.silent, what)
		}
		if len(w.silent) >= hangs && !w.patient {
			w.halt(Trouble{Kind: Hanging, During: w.silent[0]})
		}
	}
}

// count counts what comes from something in front of the server.
func (w *watch) count(x *wire.Exchange) {
	w.seen++
	switch x.Status() {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		w.gateway++
		w.status = x.Status()
	}
	if x.Status() >= 500 {
		if w.failing++; w.failing >= failures && w.before != "" {
			w.halt(Trouble{Kind: Failing, During: w.firstBad, Before: w.before, Status: x.Status()})
		}
	}
	if w.gateway >= gatewayErrors {
		w.note(Trouble{Kind: GatewayErrors, Count: w.gateway, Of: w.seen, Status: w.status})
	}
}

// session is the id that the request carries.
func (f *flight) session() string { return sessionOf(f.x) }

// closed notes that a GET stream has ended.
func (w *watch) closed() { w.mu.Lock(); w.left = time.Now(); w.mu.Unlock() }

// block is told that nothing was answered while so many streams were open.
func (w *watch) block(during string, streams int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.halt(Trouble{Kind: StreamsBlock, During: during, Count: streams})
}

// blocked is told how many streams it really takes; none where it was an accident.
func (w *watch) blocked(streams int, recovered bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if streams == 0 {
		w.troubles = slices.DeleteFunc(w.troubles, func(t Trouble) bool { return t.Kind == StreamsBlock })
		return
	}
	w.note(Trouble{Kind: StreamsBlock, Count: streams, Recovered: recovered})
}

// dial finds out whether a refused connection was an accident.
func (w *watch) dial(what string, at time.Time) {
	listens := w.client.Listens()
	w.mu.Lock()
	defer w.mu.Unlock()
	defer func() { close(w.dialing); w.dialing = nil }()
	if listens {
		return
	}
	// What broke off just before is what was under way when it ended.
	during := what
	var last []string
	for _, s := range w.broken {
		if at.Sub(s.at) < symptomsLast && !slices.Contains(last, s.what) {
			last = append(last, s.what)
		}
	}
	if len(last) > 0 {
		during = strings.Join(last, ", ")
	}
	if !w.left.IsZero() && at.Sub(w.left) < time.Second {
		// Some servers end when a client leaves its stream.
		during += ", or after a GET stream was closed"
	}
	w.halt(Trouble{Kind: Gone, During: during})
}

// session is told how an ordinary initialize was answered while so many sessions were open.
func (w *watch) session(granted bool, open int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if granted {
		w.refused = 0
		return
	}
	w.refused++
	w.refusals++
	if w.refused >= refusals || w.refusals >= 2*refusals {
		w.halt(Trouble{Kind: SessionsRefused, Count: max(open, w.client.ledger.total())})
	}
}

// held is told that a session was opened since initializes were kept back for as long as the server asked.
func (w *watch) held() {
	w.mu.Lock()
	defer w.mu.Unlock()
	sessions, in, _ := w.client.hold.rate()
	w.note(Trouble{Kind: SessionRate, Count: sessions, Latency: in})
}

// cap is told that a session which had been refused was granted once fewer were open.
func (w *watch) cap(limit int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note(Trouble{Kind: SessionCap, Count: limit})
}

// exclude is told that a GET collided with another of ours.
func (w *watch) exclude() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note(Trouble{Kind: StreamsExclude})
}

// cut is told that so many answers were cut off by now, the newest at so many bytes.
func (w *watch) cut(count int, limit int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, t := range w.troubles {
		if t.Kind == Cut {
			limit, count = min(limit, t.Bytes), max(count, t.Count)
		}
	}
	w.note(Trouble{Kind: Cut, Count: count, Bytes: limit})
}

// pace is told how many requests a second the target takes.
func (w *watch) pace(rate float64) {
	// An initialize that was refused for the pace is no limit of sessions.
	w.client.cap.forget()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note(Trouble{Kind: Throttled, Rate: rate})
}

// note keeps a trouble, one of each kind; the newest figures count.
func (w *watch) note(t Trouble) {
	i := slices.IndexFunc(w.troubles, func(o Trouble) bool { return o.Kind == t.Kind })
	if i < 0 {
		w.troubles = append(w.troubles, t)
		return
	}
	if t.During == "" {
		t.During = w.troubles[i].During
	}
	w.troubles[i] = t
}

// halt ends what is under way.
func (w *watch) halt(t Trouble) {
	if w.halted != nil {
		return
	}
	w.halted = &t
	w.note(t)
	if t.Kind != Hanging {
		w.client.endRun(&t)
		return
	}
	// Nothing more is sent (see enlist), and what is under way gets the time that it has left: that it was not answered is something to
	// judge, that we hung up is not.
	c := w.client
	c.mu.Lock()
	end := c.endPhase
	c.mu.Unlock()
	time.AfterFunc(c.config.Timeout, func() { end(&t) })
}

// isHalted tells that a trouble has ended what was under way.
func (w *watch) isHalted() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.halted != nil
}

// hanging tells that nothing more is to be sent, since nothing is answered.
func (w *watch) hanging() *Trouble {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.halted != nil && w.halted.Kind == Hanging {
		return w.halted
	}
	return nil
}

// settle waits until it is known whether a refused connection was an accident. That takes a moment only.
func (w *watch) settle() {
	w.mu.Lock()
	dialing := w.dialing
	w.mu.Unlock()
	if dialing != nil {
		<-dialing
	}
}

// Troubles are what the client noticed so far.
func (c *Client) Troubles() []Trouble {
	c.watch.settle()
	c.watch.mu.Lock()
	defer c.watch.mu.Unlock()
	all := slices.Clone(c.watch.troubles)
	for i := range all {
		if known := c.cap.known(); all[i].Kind == SessionCap && known > 0 {
			all[i].Count = known
		}
	}
	return all
}

// Halted is the trouble that ended all conversations; nil where none did.
func (c *Client) Halted() *Trouble {
	c.watch.settle()
	c.watch.mu.Lock()
	defer c.watch.mu.Unlock()
	return c.watch.halted
}

// Resume lets conversations begin again after a trouble has ended them all. What was noticed stays noted.
func (c *Client) Resume() {
	w := &c.watch
	w.mu.Lock()
	if w.halted != nil && w.halted.Kind == Gone {
		again := *w.halted
		again.Recovered = true
		w.note(again)
	}
	w.halted, w.silent, w.broken, w.refused, w.refusals = nil, nil, nil, 0, 0
	w.mu.Unlock()
	// Those who left a session did so in the server as it was.
	c.lending.oldest(0)
	c.beginRun()
}

// Patient makes silence end nothing any more: it is what is to be confirmed.
func (c *Client) Patient() {
	c.watch.mu.Lock()
	c.watch.patient = true
	c.watch.mu.Unlock()
}

// endRun ends every conversation with a cause.
func (c *Client) endRun(cause error) {
	c.mu.Lock()
	end := c.endPhase
	c.mu.Unlock()
	end(cause)
}

func (c *Client) beginRun() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.phase, c.endPhase = context.WithCancelCause(c.ctx)
}

// SessionRate is how many sessions the server opens in how long, where it had to be waited for, and how long the run would still wait for
// more; 0 where not.
func (c *Client) SessionRate() (sessions int, in, left time.Duration) { return c.hold.rate() }

// SessionsSeen counts the sessions that the run has opened.
func (c *Client) SessionsSeen() int { return c.ledger.total() }
