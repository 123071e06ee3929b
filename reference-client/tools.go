package refclient

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A tool is one that a server lists.
type tool struct {
	Name        string `json:"name"`
	InputSchema schema `json:"inputSchema"`
	Icons       []icon `json:"icons"`
	Execution   struct {
		TaskSupport string `json:"taskSupport"`
	} `json:"execution"`
}

// An icon is where a picture is.
type icon struct {
	Src string `json:"src"`
}

// look fetches icons, where a switch says so.
func (c *Client) look(ctx context.Context, icons []icon) {
	for _, i := range icons {
		if c.on("fetches-icons") && strings.HasPrefix(i.Src, "http") {
			c.getOnce(ctx, i.Src)
		}
	}
}

// A schema is as much of one as the client reads.
type schema struct {
	Type       string            `json:"type"`
	Properties map[string]schema `json:"properties"`
	Enum       []any             `json:"enum"`
	Header     *string           `json:"x-mcp-header"`
	Defs       json.RawMessage   `json:"$defs"`
	Ref        string            `json:"$ref"`
}

var errUnknownType = errors.New("a result of a type that the client does not know")

// listTools reads all pages. What cannot be taken for a page ends the list.
func (c *Client) listTools(ctx context.Context) ([]tool, error) {
	var tools []tool
	params := map[string]any{}
	last := ""
	for {
		var page struct {
			Tools      []tool  `json:"tools"`
			NextCursor *string `json:"nextCursor"`
			ResultType *string `json:"resultType"`
		}
		err := c.ask(ctx, "tools/list", params, &page)
		if errors.Is(err, errUnknownType) {
			break
		}
		if err != nil {
			return nil, err
		}
		if page.ResultType == nil && c.modern && c.on("wants-result-type") {
			return nil, errUnknownType
		}
		if c.on("wants-whole-list") && slices.ContainsFunc(page.Tools, func(t tool) bool { return t.InputSchema.Type == "" }) {
			return nil, errors.New("a tool without a schema")
		}
		tools = append(tools, page.Tools...)
		for _, t := range page.Tools {
			c.look(ctx, t.Icons)
		}
		if c.on(lateInitialized) && !c.modern && params["cursor"] == nil {
			if err := c.notify(ctx, "notifications/initialized"); err != nil {
				return nil, err
			}
		}
		if page.NextCursor == nil || c.on("stops-at-empty-page") && len(page.Tools) == 0 || c.on("stops-at-empty-cursor") && *page.NextCursor == "" || c.on("reads-one-page") {
			break
		}
		last = *page.NextCursor
		if c.on("trims-cursors") {
			last = strings.TrimSpace(last)
		}
		if c.on("reads-latin-1") {
			last = fromLatin1(last)
		}
		params = map[string]any{"cursor": last}
	}
	if c.on("asks-beyond-end") && last != "" {
		_, _ = c.request(ctx, "tools/list", map[string]any{"cursor": last}) // whatever comes of it
	}
	return slices.DeleteFunc(tools, func(t tool) bool {
		if c.on("fetches-refs") && t.InputSchema.refers() != "" {
			c.getOnce(ctx, t.InputSchema.refers())
		}
		return c.modern && t.InputSchema.malformed() && !c.on("calls-bad-tools") || t.InputSchema.Defs != nil && c.on("drops-2020-12")
	}), nil
}

// fromLatin1 is what somebody reads who takes UTF-8 for Latin 1.
func fromLatin1(s string) string {
	var out []rune
	for _, b := range []byte(s) {
		out = append(out, rune(b))
	}
	return string(out)
}

// refers is the address that a schema refers to somewhere, "" without one.
func (s schema) refers() string {
	if strings.HasPrefix(s.Ref, "http") {
		return s.Ref
	}
	for _, p := range s.Properties {
		if r := p.refers(); r != "" {
			return r
		}
	}
	return ""
}

// malformed tells that a tool cannot be called, since the headers that it wants cannot be.
func (s schema) malformed() bool {
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		if p.Header == nil {
			continue
		}
		h := strings.ToLower(*p.Header)
		if h == "" || seen[h] || strings.ContainsFunc(h, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r) }) ||
			!slices.Contains([]string{"string", "integer", "boolean"}, p.Type) {
			return true
		}
		seen[h] = true
	}
	return false
}

// arguments are those that a schema leaves no choice in.
func (s schema) arguments() map[string]any {
	all := map[string]any{}
	for name, p := range s.Properties {
		if len(p.Enum) == 1 {
			all[name] = p.Enum[0]
		} else if len(p.Properties) > 0 {
			all[name] = p.arguments()
		}
	}
	return all
}

// call calls a tool. Where the server finds fault with its headers, the list is read again.
func (c *Client) call(ctx context.Context, t tool) error {
	c.tool = &t
	defer func() { c.tool = nil }()
	if c.runsAsTask(t) {
		return c.ignoreRefusal(c.callAsTask(ctx, t))
	}
	err := c.callOnce(ctx, t)
	var refused *rpcError
	mismatch := errors.As(err, &refused) && c.modern && (refused.Code == codeHeaderMismatch && !c.on("never-lists-again") || c.on("lists-again-on-anything"))
	if mismatch {
		tools, err := c.listTools(ctx)
		if err != nil {
			return err
		}
		for _, again := range tools {
			if again.Name == t.Name {
				c.tool = &again
				return c.ignoreRefusal(c.callOnce(ctx, again))
			}
		}
	}
	return c.ignoreRefusal(err)
}

// ignoreRefusal: an error of a tool, or that it did not answer, is for whoever had it called, and keeps the client from nothing else.
func (c *Client) ignoreRefusal(err error) error {
	var refused *rpcError
	if errors.As(err, &refused) || errors.Is(err, errTimedOut) || errors.Is(err, errUnwanted) || c.modern && errors.Is(err, errBroken) {
		return nil
	}
	return err
}

func (c *Client) callOnce(ctx context.Context, t tool) error {
	params := map[string]any{"name": t.Name, "arguments": t.InputSchema.arguments(), "_meta": map[string]any{"progressToken": c.token()}}
	if c.on("odd-token") {
		params["_meta"] = map[string]any{"progressToken": 1.5}
	}
	var result struct {
		ResultType    string                     `json:"resultType"`
		InputRequests map[string]json.RawMessage `json:"inputRequests"`
		RequestState  *string                    `json:"requestState"`
	}
	for range 3 {
		result.InputRequests, result.RequestState, result.ResultType = nil, nil, ""
		if err := c.ask(ctx, "tools/call", params, &result); err != nil || result.ResultType != "input_required" {
			return err
		}
		if params = c.comeBack(ctx, params, result.InputRequests, result.RequestState); params == nil {
			return errUnwanted
		}
	}
	return nil
}

// comeBack is the request of a call once more, with what its answer asked for; nil where the client does not do what it was asked for.
func (c *Client) comeBack(ctx context.Context, params map[string]any, asked map[string]json.RawMessage, state *string) map[string]any {
	again := maps.Clone(params)
	delete(again, "inputResponses")
	delete(again, "requestState")
	if state != nil {
		again["requestState"] = *state
		if c.on("changes-state") {
			again["requestState"] = *state + " "
		}
	} else if c.on("invents-state") {
		again["requestState"] = "made up"
	}
	responses := map[string]any{}
	for key, raw := range asked {
		var request struct {
			Method string `json:"method"`
			Params wish   `json:"params"`
		}
		_ = json.Unmarshal(raw, &request) // what it does not know it leaves out
		switch request.Method {
		case "roots/list":
			responses[key] = c.roots()
		case "sampling/createMessage", "elicitation/create":
			response, err := c.fulfil(ctx, request.Method, request.Params)
			if err != nil {
				return nil
			}
			responses[key] = response
		}
	}
	if c.on("answers-other-keys") {
		responses["made-up"] = map[string]any{"roots": []any{}}
	}
	if len(asked) > 0 && !c.on("leaves-out-responses") {
		again["inputResponses"] = responses
	}
	if c.on("changes-arguments") {
		again["arguments"] = map[string]any{"changed": true}
	}
	c.again = c.on("retries-with-same-id")
	return again
}

// changeRoots has the client have other roots from the second time on that they are asked for, and announces that.
func (c *Client) changeRoots(ctx context.Context) {
	if c.declares("roots.listChanged") && c.told.Add(1) == 2 && !c.on("changes-roots") {
		_ = c.notify(ctx, "notifications/roots/list_changed") // a server that is gone does not ask again
	}
}

// roots are those that the client tells.
func (c *Client) roots() map[string]any {
	uri := "file:///tmp"
	if c.on("web-roots") {
		uri = "https://example.com/"
	}
	if c.on("misshapen-roots") {
		return map[string]any{"folders": []any{}}
	}
	all := []any{map[string]any{"uri": uri}}
	if c.told.Load() > 1 {
		all = append(all, map[string]any{"uri": uri + "/more"})
	}
	return map[string]any{"roots": all}
}

// token is the progress token of the next request.
func (c *Client) token() any {
	n := c.tokens.Add(1)
	if c.on("same-token-at-once") {
		return "same"
	}
	return n
}

// paramHeaders are the headers that repeat arguments.
func (c *Client) paramHeaders(r *http.Request) {
	if c.tool == nil || !c.modern || c.on("no-param-headers") {
		return
	}
	c.repeat(r, c.tool.InputSchema, c.tool.InputSchema.arguments(), c.tool.InputSchema.arguments())
}

func (c *Client) repeat(r *http.Request, s schema, arguments, outer map[string]any) {
	for name, p := range s.Properties {
		value, there := arguments[name]
		if inner, ok := value.(map[string]any); ok {
			c.repeat(r, p, inner, outer)
		}
		if p.Header == nil {
			continue
		}
		if c.on("outer-values") && outer[name] != nil {
			value = outer[name]
		}
		if !there {
			if c.on("null-params") {
				r.Header.Set("Mcp-Param-"+*p.Header, "null")
			}
			continue
		}
		text := ""
		switch v := value.(type) {
		case string:
			text = v
		case bool:
			text = strconv.FormatBool(v)
		case float64:
			text = strconv.FormatInt(int64(v), 10)
			if c.on("fractions-in-headers") {
				text += ".0"
			}
		}
		if c.on("no-region-header") && *p.Header == "Region" {
			continue
		}
		if plainASCII(text) || c.on("raw-params") && !strings.HasPrefix(text, "=?") || c.on("raw-sentinel") && strings.HasPrefix(text, "=?") {
			r.Header["Mcp-Param-"+*p.Header] = []string{text}
		} else {
			r.Header["Mcp-Param-"+*p.Header] = []string{base64Form(text)}
		}
	}
}

// pollTools lists the tools again and again, where a switch says so.
func (c *Client) pollTools(ctx context.Context) {
	pause := 200 * time.Millisecond // what the server of its test says in ttlMs
	if c.on("polls") {
		pause = 500 * time.Millisecond
	}
	if !c.modern || !c.on("polls") && !c.on("polls-by-ttl") {
		return
	}
	for n := range 6 {
		time.Sleep(pause)
		if c.on("polls-by-ttl") {
			time.Sleep(time.Duration(n%3) * 10 * time.Millisecond) // with jitter
		}
		_, _ = c.request(ctx, "tools/list", map[string]any{}) // whatever comes of it
	}
}
