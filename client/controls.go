package client

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A probe is held against its control, the unchanged twin of it that was served. Where the twin was served in the same session before, the
// conversation rests on that instead of asking for it again; what it asks for after the probe shows that the server still serves it.

// Controls remember requests like any client's that were served. The zero value has none. Safe for concurrent use.
type Controls struct {
	mu     sync.Mutex
	served map[string]control // by what was sent, without id and conversation
}

// A control is one of them, in the time of the conversation that began then.
type control struct {
	x     *wire.Exchange
	began time.Time
}

// Control is Call for a request like any client's that the conversation sends before its probes, without options. Where the same was served in
// its session before, it is not sent again: what was served then is lent to the transcript. What confirms a finding asks for itself.
func (c *Conversation) Control(label, method string) *wire.Exchange {
	o := c.prepare(c.call(label, method), nil)
	if known, ok := c.controls().find(c.twin(o)); ok && c.script.Attempt == 1 {
		if x := c.rest(label, known); x != nil {
			return x
		}
	}
	f := c.launch(o, false)
	<-f.done
	return f.exchange()
}

// rest takes what was served before as the conversation's own; nil where something was sent already.
func (c *Conversation) rest(label string, on control) *wire.Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.record) > 0 || c.aborted != "" {
		return nil
	}
	x := on.x.Moved(on.began.Sub(c.started))
	x.Label, x.Origin = label, wire.Origin{Kind: wire.FromLender, Of: on.x.Label}
	c.lent = append(c.lent, x)
	c.labels[label]++
	return x
}

// controls are those that the conversation may rest on.
func (c *Conversation) controls() *Controls {
	if c.script.Controls != nil {
		return c.script.Controls
	}
	return &c.Session().controls
}

func (k *Controls) find(twin string) (control, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	known, ok := k.served[twin]
	return known, ok && twin != ""
}

// remember keeps what the conversation was served, for those that go on in its session; a request in another session is another request.
func (c *Conversation) remember() {
	kept := c.controls()
	c.mu.Lock()
	defer c.mu.Unlock()
	kept.mu.Lock()
	defer kept.mu.Unlock()
	for _, x := range c.record {
		sent := x.RequestMessage()
		if x.Broken != "" || x.Origin.Kind != wire.FromScript || sent.Kind != wire.KindRequest || !(harmless(sent.Method) || sent.Method == "server/discover") {
			continue
		}
		if kept.served == nil {
			kept.served = map[string]control{}
		}
		if delete(kept.served, twin(x.Request)); x.Served() {
			kept.served[twin(x.Request)] = control{x.Clone(), c.started}
		}
	}
}

// twin is what two requests have in common that differ in nothing but their ids and the conversations that send them.
func (c *Conversation) twin(o outgoing) string {
	_, recorded, err := o.request(context.WithoutCancel(c.ctx), c)
	if err != nil {
		return ""
	}
	return twin(recorded)
}

func twin(r wire.Request) string {
	var b bytes.Buffer
	b.WriteString(r.Method + " " + r.URL + "\n" + r.Host + "\n")
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if name != "User-Agent" {
			b.WriteString(name + ": " + strconv.Quote(strings.Join(r.Header[name], ", ")) + "\n")
		}
	}
	var message map[string]json.RawMessage
	if json.Unmarshal(r.Body.Bytes(), &message) != nil {
		return ""
	}
	delete(message, "id")
	raw, _ := json.Marshal(message) // which sorts the members
	b.Write(raw)
	return b.String()
}
