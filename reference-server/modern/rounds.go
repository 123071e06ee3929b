package modern

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// rounds are what the client has answered so far of what the method asks (basic/patterns/mrtr). The method runs from its beginning
// each time and asks the same in the same order, so that the number of a question names it where it has no name of its own.
type rounds struct {
	asked []string                   // the names of what it asked so far
	given map[string]json.RawMessage // of this request and of former rounds
}

// inputRequired is the result of a method that has to ask.
type inputRequired struct {
	requests map[string]any
	state    string
}

// stateLife is how long a client may take to answer: there may be a person behind it.
const stateLife = 10 * time.Minute

// A requestState is what the server wants to know again when the client comes back, and by what it recognises who may come back with it
// (basic/patterns/mrtr#server-requirements-basic-workflow).
type requestState struct {
	Given   map[string]json.RawMessage `json:"given,omitempty"`
	Client  string                     `json:"client"`  // a digest of its token
	Request string                     `json:"request"` // a digest of what it asked for
	Ends    int64                      `json:"ends"`    // in seconds since 1970
}

// Ask answers with the questions that the client has not answered yet.
func (c *request) Ask(questions ...core.Question) (answers []json.RawMessage, instead any) {
	if c.rounds.given == nil {
		c.rounds.given = c.x.answers()
	}
	if len(questions) == 0 { // the client comes back with the state alone
		if c.x.params.State != nil {
			return nil, nil
		}
		return nil, inputRequired{state: c.x.s.seal(c.x.stateOf(nil))}
	}
	open := map[string]any{}
	for _, q := range questions {
		key := cmp.Or(q.Key, "ask-"+strconv.Itoa(len(c.rounds.asked)+1))
		c.rounds.asked = append(c.rounds.asked, key)
		if answer, ok := c.rounds.given[key]; ok {
			answers = append(answers, answer)
			continue
		}
		question := map[string]any{"method": q.Method}
		if q.Params != nil {
			question["params"] = q.Params
		}
		open[key] = question
	}
	if len(open) == 0 {
		return answers, nil
	}
	return nil, inputRequired{requests: open, state: c.x.s.seal(c.x.stateOf(c.rounds.known()))}
}

// known are the answers to what was asked: of others nothing is known, and nothing is kept.
func (r rounds) known() map[string]json.RawMessage {
	known := maps.Clone(r.given)
	maps.DeleteFunc(known, func(key string, _ json.RawMessage) bool { return !slices.Contains(r.asked, key) })
	return known
}

// answers are those of former rounds, from the state, and those that came with this request.
func (x *exchange) answers() map[string]json.RawMessage {
	given := map[string]json.RawMessage{}
	if x.params.State != nil {
		state, _ := x.s.unseal(*x.params.State) // was verified by a guard
		for key, answer := range state.Given {
			given[key] = answer
		}
	}
	maps.Copy(given, object(x.params.Responses))
	return given
}

func (x *exchange) stateOf(given map[string]json.RawMessage) requestState {
	return requestState{Given: given, Client: x.client(), Request: x.digest(), Ends: x.s.core.Now().Add(stateLife).Unix()}
}

// client tells clients apart as far as their tokens do.
func (x *exchange) client() string { return digest([]byte(x.R.Header.Get("Authorization"))) }

// digest is that of what a request asks for, without what belongs to one round.
func (x *exchange) digest() string {
	if x.On(switchUnboundStates) {
		return ""
	}
	return digest(jsonrpc.Encode([]any{x.Only().Method, x.params.Name, x.params.URI, x.params.Arguments}))
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (s *Server) seal(state requestState) string {
	text := base64.RawURLEncoding.EncodeToString(jsonrpc.Encode(state))
	return text + "." + base64.RawURLEncoding.EncodeToString(s.sign(text))
}

func (s *Server) sign(text string) []byte {
	mac := hmac.New(sha256.New, s.key[:])
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// unseal reads a state; not ok where it is not as it was sealed.
func (s *Server) unseal(sealed string) (state requestState, ok bool) {
	text, signature, _ := strings.Cut(sealed, ".")
	raw, err := base64.RawURLEncoding.DecodeString(text)
	given, bad := base64.RawURLEncoding.Strict().DecodeString(signature)
	if err != nil || json.Unmarshal(raw, &state) != nil {
		return requestState{}, false
	}
	return state, bad == nil && hmac.Equal(given, s.sign(text))
}

// checkState refuses a state that was changed, has expired, or belongs to another client or request: it is the client's to keep, and thus
// not to be trusted.
func checkState(x *exchange) *web.Answer {
	if !x.isRequest() || x.params.State == nil {
		return nil
	}
	state, ok := x.s.unseal(*x.params.State)
	if ok && state.Client == x.client() && state.Request == x.digest() && x.s.core.Now().Unix() <= state.Ends {
		return nil
	}
	return x.refuse(jsonrpc.CodeInvalidParams, "invalid params: requestState is not of this request")
}

// checkResponses refuses what are no answers (basic/patterns/mrtr#error-handling).
func checkResponses(x *exchange) *web.Answer {
	if !x.isRequest() || x.params.Responses == nil {
		return nil
	}
	responses := object(x.params.Responses)
	bad := responses == nil
	for _, answer := range responses {
		bad = bad || object(answer) == nil
	}
	if !bad {
		return nil
	}
	return x.refuse(jsonrpc.CodeInvalidParams, "invalid params: inputResponses holds no results")
}
