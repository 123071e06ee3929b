package refclient

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
)

// A Switch makes the client wrong in one way.
type Switch struct {
	Name  string
	About string // what the client does then
}

// The switches that the flow of the client reads itself.
const (
	noDelete             = "no-delete"
	goesOn               = "goes-on"
	keepsDeadID          = "keeps-dead-id"
	listFirst            = "list-first"
	listEarly            = "list-early"
	noInitialized        = "no-initialized"
	lateInitialized      = "late-initialized"
	callsUndeclared      = "calls-undeclared"
	saysGoodbye          = "says-goodbye"
	inventsID            = "invents-id"
	answersNotifications = "answers-notifications"
	asksOldest           = "asks-2025-03-26"
	getsInModern         = "gets-in-modern"
	sameIDAtOnce         = "same-id-at-once"
	inventedID           = "made-up" // the session id of 'invents-id'
	notifiesWithID       = "notifies-with-id-in-modern"
)

var switches = []Switch{
	{noDelete, "leaves its session behind"},
	{goesOn, "goes on with a version that it does not speak"},
	{keepsDeadID, "goes on with the id of a session that is gone"},
	{listFirst, "lists the tools before initialize"},
	{listEarly, "lists the tools before initialize is answered"},
	{noInitialized, "never sends notifications/initialized"},
	{lateInitialized, "sends notifications/initialized after its first request"},
	{callsUndeclared, "lists resources whatever the server declares"},
	{saysGoodbye, "announces its end by a request"},
	{inventsID, "sends a session id where it was given none"},
	{answersNotifications, "answers notifications"},
	{asksOldest, "asks for 2025-03-26"},
	{getsInModern, "opens a GET stream in 2026-07-28"},
	{sameIDAtOnce, "sends two requests at once with one id"},
	{notifiesWithID, "sends a notification with an id in 2026-07-28"},

	{"no-client-info", "sends initialize without clientInfo"},
	{"version-as-number", "sends protocolVersion as a number"},
	{"batches", "puts each message into an array"},
	{"batches-lists", "puts tools/list into an array"},
	{"two-in-a-body", "puts tools/list into one body twice"},
	{"no-version-header", "sends no MCP-Protocol-Version"},
	{"asked-version-header", "sends the version that it asked for in MCP-Protocol-Version"},
	{"accepts-json", "takes only JSON"},
	{"accepts-anything", "takes anything and names nothing"},
	{"get-accepts-json", "opens a stream and takes only JSON"},
	{"text-plain", "labels its bodies text/plain"},
	{"latin-1", "writes tools/call in Latin 1"},
	{"no-session-id", "never sends its session id"},
	{"strange-session-id", "sends a session id that it was not given"},
	{"jsonrpc-1", "writes jsonrpc 1.0"},
	{"fractional-ids", "has fractions as ids"},
	{"null-ids", "has null as id"},
	{"one-id", "has one id for all requests"},
	{"notifications-with-id", "gives notifications an id"},
	{"other-response-id", "answers with the id in another JSON type"},
	{"both-result-and-error", "answers with result and error"},
	{"error-without-code", "answers errors without a code"},
	{"answers-unknown", "answers what it does not know with a result"},
	{"other-error", "refuses what it does not know with another code"},
	{"deaf-to-unknown", "does not answer what it does not know"},
	{"deaf-to-batches", "passes over arrays"},
	{"deaf-to-ping", "does not answer pings"},
	{"refuses-ping", "refuses pings"},
	{"bad-meta-key", "puts a malformed key into _meta"},
	{"responds", "sends a response that nobody waits for"},
	{"no-method-header", "sends no Mcp-Method"},
	{"upper-method-header", "sends Mcp-Method in capitals"},
	{"no-name-header", "sends no Mcp-Name"},
	{"other-name-header", "sends another name in Mcp-Name"},
	{"raw-name-header", "sends names as they are in Mcp-Name"},
	{"other-version-header", "sends another version in MCP-Protocol-Version than in _meta"},
	{"no-capabilities", "leaves clientCapabilities out of _meta"},
	{"no-info-in-meta", "leaves clientInfo out of _meta"},

	{"ends-at-own-version", "ends where it gets the version that it asked for"},
	{"lists-tasks", "lists tasks in every session"},
	{"hasty", "does not wait until notifications/initialized was taken"},
	{"cancels-initialize", "cancels initialize where it takes a while"},
	{"cancels-nothing", "cancels a request that it never sent"},
	{"calls-as-task", "calls a tool as a task and cancels it by notifications/cancelled"},
	{"loud-in-legacy", "sets a log level that there is not"},
	{"loud-in-modern", "names a log level in _meta that there is not"},
	{"lists-prompts", "lists prompts where the server declares none"},
	{"reads-one-page-of-prompts", "reads the first page of the prompts only"},
	{"trims-cursors", "strips cursors of spaces"},
	{"reads-latin-1", "takes UTF-8 for Latin 1"},
	{"stops-at-empty-page", "takes an empty page for the last"},
	{"stops-at-empty-cursor", "takes an empty cursor for none"},
	{"asks-beyond-end", "asks for a page again behind the last one"},
	{"reads-one-page", "reads the first page of a list only"},
	{"needs-plain-type", "takes no event stream whose Content-Type is written in another way"},
	{"trips-over-crlf", "takes no lines that end in CR LF"},
	{"trips-over-comments", "takes no comments in event streams"},
	{"trips-over-long-lines", "takes no lines of more than 64 KiB"},
	{"trips-over-empty-data", "takes no events without data"},
	{"trips-over-unknown", "gives up on a notification that it does not know"},
	{"reads-names-by-letter", "compares the names of header fields letter by letter"},
	{"never-resumes", "waits for the rest of a stream that has ended"},
	{"resumes-elsewhere", "resumes with an id that it was not given"},
	{"resumes-at-once", "comes back for a stream without waiting"},
	{"ends-at-405", "gives up where there is no stream to listen to"},
	{"asks-again-after-405", "asks again and again for a stream that there is not"},
	{"deaf-to-link", "does not go on where answers come on a stream of HTTP+SSE"},
	{"posts-early", "posts on HTTP+SSE before it knows where to"},
	{"loses-query", "leaves the query out of the endpoint of HTTP+SSE"},
	{"no-absolute-endpoint", "does not understand an absolute endpoint of HTTP+SSE"},
	{"odd-token", "has a fraction as progress token"},
	{"same-token-at-once", "has one progress token for two requests at once"},
	{"declares-roots", "declares roots, and tells one"},
	{"web-roots", "tells a root that is no file"},
	{"declares-roots-listChanged", "declares that it announces other roots, and tells others when it is asked again"},
	{"changes-roots", "does not announce that it has other roots"},
	{"completes-at-once", "completes each argument of a prompt without those that are chosen"},
	{"odd-context", "puts the arguments that are chosen into a list when it completes another"},
	{"misshapen-roots", "tells roots under another name"},
	{"answers-undeclared", "answers what it does not declare"},
	{"fetches-icons", "fetches icons, with a cookie"},
	{"fetches-refs", "fetches what schemas refer to"},
	{"tries-2027", "tries a later version where its own is refused"},
	{"falls-back-on-anything", "sends initialize after any error"},
	{"gives-up-after-400", "sends no initialize after a 400"},
	{"probes-each-time", "asks for the era of the server again and again"},
	{"hangs-at-legacy", "waits for ever where the server is of the other era"},
	{"gets-after-404", "looks for HTTP+SSE after any 404"},
	{"bare-extension", "declares an extension without a prefix"},
	{"calls-extension", "calls a method of an extension that the server does not have"},
	{"other-version-later", "goes on with another version than server/discover listed"},
	{"reissues-with-same-id", "sends a request again with the same id once its stream has broken"},
	{"no-param-headers", "repeats no arguments in headers"},
	{"outer-values", "repeats the value of the same name outside"},
	{"fractions-in-headers", "writes integers with a fraction in headers"},
	{"raw-params", "repeats arguments as they are"},
	{"raw-sentinel", "repeats as it is what looks like the Base64 form"},
	{"null-params", "repeats null for arguments that are not there"},
	{"no-region-header", "leaves out one header"},
	{"calls-bad-tools", "calls tools whose headers cannot be"},
	{"never-lists-again", "does not list the tools again after HeaderMismatch"},
	{"lists-again-on-anything", "lists the tools again after any error of a call"},
	{"wants-result-type", "takes no result without resultType"},
	{"takes-any-type", "takes results of any type"},
	{"drops-2020-12", "leaves out tools whose schemas are of 2020-12"},
	{"changes-state", "changes the requestState"},
	{"invents-state", "sends a requestState where there was none"},
	{"retries-with-same-id", "comes back with the id of the first request"},
	{"changes-arguments", "comes back with other arguments"},
	{"leaves-out-responses", "comes back without what it was asked for"},
	{"answers-other-keys", "comes back with an answer that was not asked for"},
	{"state-on-lists", "sends a requestState with a list"},
	{"listens", "listens for changes in 2026-07-28"},
	{"listens-oddly", "listens with a filter that is none"},
	{waitsForEver, "waits for ever for the answer to a call"},
	{timesOutSilently, "gives up on a call without cancelling it"},
	{restartsClock, "gives a call more time with each progress, without an end"},
	{"trips-over-cancelled", "gives up where the server cancels a request of its own"},
	{"answers-cancelled", "answers what the server has cancelled"},
	{"tasks-everywhere", "calls every tool as a task where the server runs some as tasks"},
	{"plain-calls", "calls no tool as a task"},
	{"posts-anywhere", "posts to an endpoint of another origin on HTTP+SSE"},
	{cancelsAndListens, "cancels a call and keeps its stream open"},
	{"declares-tasks", "declares tasks, and calls the tools as tasks that want it"},
	{"declares-sampling", "declares sampling, and answers as a model would"},
	{"declares-sampling-tools", "declares sampling.tools with it"},
	{"declares-elicitation", "declares elicitation, and answers as a person would"},
	{"declares-elicitation-url", "declares elicitation.url with it"},
	{"hides-model", "does not say which model answered"},
	{"uses-any-tools", "takes tools in sampling without having declared them"},
	{"takes-stray-results", "takes results of tools that were not used"},
	{"talks-much", "answers with more than it was asked for"},
	{"other-action", "answers an elicitation with an action that there is not"},
	{"misfills-forms", "answers a form with what does not fit it"},
	{"wants-mode", "refuses an elicitation without mode"},
	{"opens-any-page", "takes an elicitation by URL without having declared it"},
	{"refuses-otherwise", "refuses what it was asked for with another code"},
	{"looks-at-pages", "fetches the URL of an elicitation before anybody agreed"},
	{"trips-over-unknown-complete", "gives up on the end of an elicitation that it does not know"},
	{"invents-token", "reports progress with a token that nobody gave it"},
	{"undeclares-later", "declares sampling and elicitation with calls of tools only"},
	{"undeclares-roots-later", "declares roots with calls of tools only"},
	{"forgets-token", "leaves the token out of some requests"},
	{"token-in-query", "sends the token in the query too"},
	{"other-scheme", "sends the token by a scheme of its own"},
	{"overlooks-challenge", "does not read where the challenge says that the metadata is"},
	{"looks-at-root-only", "looks for metadata in the second place only"},
	{"openid-first", "looks for an authorization server in the places of OpenID Connect first"},
	{"one-place-only", "looks for an authorization server in the first place only"},
	{"insists", "tries again and again where its token is not enough"},
	{"silent-discovery", "does not name its revision when it looks for an authorization server"},
	{"hangs-at-pages", "waits on where the answer is no message"},
	{"ends-at-503", "gives up where a stream is refused with 503"},
	{"listens-anyway", "opens a stream where it was given no session"},
	{"tries-at-once", "sends what was refused with 429 again at once"},
	{"wants-whole-list", "takes no list with a tool that has no schema"},
	{"polls", "lists the tools every 500 ms"},
	{"polls-by-ttl", "lists the tools as often as ttlMs says"},
}

// Switches are all there are.
func Switches() []Switch { return slices.Clone(switches) }

// nextID is the id of the next request.
func (c *Client) nextID() any {
	if c.again {
		c.again = false
		return c.ids.Load()
	}
	n := c.ids.Add(1)
	switch {
	case c.on("fractional-ids"):
		return float64(n) + 0.5
	case c.on("null-ids"):
		return nil
	case c.on("one-id"):
		return 1
	}
	return n
}

func (c *Client) spoilInitialize(params map[string]any) {
	if c.on("no-client-info") {
		delete(params, "clientInfo")
	}
	if c.on("version-as-number") {
		params["protocolVersion"] = 20251125
	}
	if c.on(asksOldest) {
		params["protocolVersion"] = legacyRevisions[0]
	}
}

func (c *Client) spoilRequest(message map[string]any) {
	if c.on("jsonrpc-1") {
		message["jsonrpc"] = "1.0"
	}
	if params, ok := message["params"].(map[string]any); ok && c.on("bad-meta-key") && !c.modern {
		params["_meta"] = map[string]any{"-bad-/key": 1}
	}
}

func (c *Client) spoilNotification(message map[string]any) {
	if c.on("notifications-with-id") {
		message["id"] = c.nextID()
	}
}

// spoilResponse changes an answer to the server; false: it is not sent.
func (c *Client) spoilResponse(method string, response map[string]any) bool {
	ping := method == "ping"
	if id, ok := response["id"].(interface{ MarshalJSON() ([]byte, error) }); ok && c.on("other-response-id") && ping {
		raw, _ := id.MarshalJSON() // came as JSON
		if !bytes.HasPrefix(raw, []byte(`"`)) {
			response["id"] = string(raw)
		}
	}
	switch {
	case ping && c.on("deaf-to-ping"), !ping && c.on("deaf-to-unknown"):
		return false
	case ping && c.on("refuses-ping"):
		delete(response, "result")
		response["error"] = map[string]any{"code": -32601, "message": "no ping"}
	case !ping && c.on("both-result-and-error"):
		response["result"] = map[string]any{}
	case !ping && c.on("error-without-code"):
		response["error"] = map[string]any{"message": "unknown"}
	case !ping && c.on("answers-unknown"):
		delete(response, "error")
		response["result"] = map[string]any{}
	case !ping && c.on("other-error"):
		response["error"] = map[string]any{"code": -32603, "message": "internal error"}
	}
	return true
}

func (c *Client) spoilMeta(meta map[string]any) {
	if c.on("no-capabilities") {
		delete(meta, "io.modelcontextprotocol/clientCapabilities")
	}
	if c.on("no-info-in-meta") {
		delete(meta, "io.modelcontextprotocol/clientInfo")
	}
	if c.on("bad-meta-key") {
		meta["-bad-/key"] = 1
	}
}

// body is a message as it goes out.
func (c *Client) body(message map[string]any) []byte {
	raw := encode(message)
	switch {
	case c.on("batches"), c.on("batches-lists") && message["method"] == "tools/list":
		return slices.Concat([]byte("["), raw, []byte("]"))
	case c.on("two-in-a-body") && message["method"] == "tools/list":
		return slices.Concat(raw, []byte("\n"), raw)
	case c.on("latin-1") && message["method"] == "tools/call":
		return bytes.Replace(raw, []byte("mcpcheck_echo"), []byte("mcpch\xe9ck_echo"), 1)
	}
	return raw
}

func (c *Client) spoilHeader(r *http.Request, method string) {
	post := r.Method == http.MethodPost
	set := func(on bool, name, value string) {
		switch {
		case !on:
		case value == "":
			r.Header.Del(name)
		default:
			r.Header.Set(name, value)
		}
	}
	set(c.on("accepts-json") && post, "Accept", "application/json")
	set(c.on("accepts-anything") && post, "Accept", "*/*")
	set(c.on("get-accepts-json") && !post && r.Method == http.MethodGet, "Accept", "application/json")
	set(c.on("text-plain") && post, "Content-Type", "text/plain")
	set(c.on("no-version-header"), "MCP-Protocol-Version", "")
	if c.modern {
		set(c.on("other-version-header"), "MCP-Protocol-Version", legacyRevisions[0])
		set(c.on("no-method-header"), "Mcp-Method", "")
		set(c.on("upper-method-header"), "Mcp-Method", strings.ToUpper(method))
		if r.Header.Get("Mcp-Name") != "" {
			set(c.on("no-name-header"), "Mcp-Name", "")
			set(c.on("other-name-header"), "Mcp-Name", "another")
			set(c.on("raw-name-header") && strings.HasPrefix(r.Header.Get("Mcp-Name"), "=?base64?"), "Mcp-Name", "mcpcheck_é")
		}
		return
	}
	session, version := c.state()
	if session == "" && version == "" {
		return
	}
	set(c.on("asked-version-header"), "MCP-Protocol-Version", legacyRevisions[len(legacyRevisions)-1])
	set(c.on("no-session-id"), "Mcp-Session-Id", "")
	set(c.on("strange-session-id") && session != "", "Mcp-Session-Id", "not-assigned")
}
