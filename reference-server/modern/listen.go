package modern

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

const (
	methodListen = "subscriptions/listen"

	// maxWaiting is how many notifications wait for a client that does not read; with more the stream ends.
	maxWaiting = 64
	// maxURIs bounds the resources of one subscription.
	maxURIs = 100
)

// A filter says which changes a client wants to hear of (basic/patterns/subscriptions#notification-filter).
type filter struct {
	Tools     bool     `json:"toolsListChanged,omitempty"`
	Prompts   bool     `json:"promptsListChanged,omitempty"`
	Resources bool     `json:"resourcesListChanged,omitempty"`
	URIs      []string `json:"resourceSubscriptions,omitempty"`
}

// wants tells whether a notification passes the filter.
func (f filter) wants(method, uri string) bool {
	switch method {
	case "notifications/tools/list_changed":
		return f.Tools
	case "notifications/prompts/list_changed":
		return f.Prompts
	case "notifications/resources/list_changed":
		return f.Resources
	case "notifications/resources/updated":
		return slices.Contains(f.URIs, uri)
	}
	return false
}

// A subscription is an open stream of subscriptions/listen.
type subscription struct {
	id      json.RawMessage
	filter  filter
	all     bool                  // the filter is not looked at, in a server that deviates
	waiting chan jsonrpc.Outgoing // closed where it is full
}

// A hub knows who listens.
type hub struct {
	mu   sync.Mutex
	open []*subscription
}

func (h *hub) join(sub *subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = append(h.open, sub)
}

func (h *hub) leave(sub *subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = slices.DeleteFunc(h.open, func(s *subscription) bool { return s == sub })
}

// announce passes a notification to all who want it.
func (h *hub) announce(out jsonrpc.Outgoing) {
	var body struct {
		Params struct {
			URI string `json:"uri"`
		} `json:"params"`
	}
	_ = json.Unmarshal(jsonrpc.Encode(out.Body), &body) // is ours
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = slices.DeleteFunc(h.open, func(sub *subscription) bool {
		if !sub.all && !sub.filter.wants(out.Method, body.Params.URI) {
			return false
		}
		select {
		case sub.waiting <- out:
			return false
		default:
			close(sub.waiting)
			return true
		}
	})
}

// listen answers subscriptions/listen: the acknowledgement first, then the changes that were asked for, until the client closes the stream
// or the server ends, which it says by a result (basic/patterns/subscriptions).
func (c *request) listen() {
	agreed, err := c.agree()
	if err != nil {
		c.Err = err
		c.x.SendMessages(web.NewAnswer(web.OutcomeOfError(err), http.StatusOK), c.Response())
		return
	}
	c.stream.outcome = "listen-stream"
	sub := &subscription{
		id: c.Message.ID, filter: agreed, all: c.x.On(switchAnnounceAll), waiting: make(chan jsonrpc.Outgoing, maxWaiting),
	}
	c.x.s.hub.join(sub)
	defer c.x.s.hub.leave(sub)
	defer c.stream.keepAlive()()
	c.tell(sub, jsonrpc.Notification("notifications/subscriptions/acknowledged", map[string]any{"notifications": agreed}))
	if c.stream.isOver() { // a deviation made it another answer
		return
	}
	if c.x.On(switchListenEnds) {
		c.endListening()
		return
	}
	for {
		select {
		case out, reading := <-sub.waiting:
			if !reading {
				return
			}
			c.tell(sub, out)
		case <-c.x.Site.Ctx.Done():
			c.endListening()
			return
		case <-c.x.R.Context().Done():
			return
		}
	}
}

// endListening tells that the server ends the subscription in good order (basic/patterns/subscriptions#graceful-closure).
func (c *request) endListening() {
	c.Result = subscribed(c.labelled(map[string]any{"resultType": "complete"}), c.Message.ID)
	c.stream.emit(c.scene, c.Response())
	c.stream.finish()
}

// agree reads the filter and leaves out what the server does not have.
func (c *request) agree() (filter, *jsonrpc.Error) {
	var params struct {
		Filter *filter `json:"notifications"`
	}
	if err := jsonrpc.DecodeParams(c.Message, &params); err != nil {
		return filter{}, err
	}
	if params.Filter == nil {
		return filter{}, jsonrpc.InvalidParams("notifications is required")
	}
	agreed := *params.Filter
	if len(agreed.URIs) > maxURIs {
		return filter{}, jsonrpc.InvalidParams("too many resources")
	}
	if c.Server.ToolsOnly {
		return filter{Tools: agreed.Tools, Prompts: agreed.Prompts && len(c.Server.Prompts) > 0}, nil
	}
	agreed.Tools = agreed.Tools && !c.Server.NoTools
	agreed.URIs = slices.DeleteFunc(agreed.URIs, func(uri string) bool { return !c.HasResource(uri) })
	return agreed, nil
}

// tell sends a notification with the id of the request that it answers, value and type unchanged.
func (c *request) tell(sub *subscription, out jsonrpc.Outgoing) {
	decoded, _ := jsonrpc.DecodeAny(jsonrpc.Encode(out.Body))
	message, _ := decoded.(map[string]any)
	params, ok := message["params"].(map[string]any)
	if !ok {
		params = map[string]any{}
	}
	message["params"] = subscribed(params, c.idOf(sub))
	c.stream.emit(c.scene, jsonrpc.Outgoing{Kind: out.Kind, Method: out.Method, Body: message})
}

// subscribed adds the id of the subscription to the _meta of params or of a result.
func subscribed(members map[string]any, id json.RawMessage) map[string]any {
	meta, ok := members["_meta"].(map[string]any)
	if !ok {
		meta = map[string]any{}
	}
	meta[keySubscription] = id
	members["_meta"] = meta
	return members
}
