// Package report holds the result of a run as data, and the renderers that turn it into text for people and machines. Renderers
// are pure functions from a Report to bytes: no network, no clock, no environment. Nothing here imports other packages of ours.
package report

import "time"

// Schema names the JSON form of a Report; it changes only when a member changes its meaning.
const Schema = "mcpcheck.report/v1"

// A Verdict is the outcome of one cell; the words are part of the contract.
type Verdict string

// The verdicts, best first as far as users are concerned.
const (
	Pass          Verdict = "pass"
	Note          Verdict = "note"           // good practice or a MAY worth knowing; never counts against the server
	Warn          Verdict = "warn"           // a SHOULD or SHOULD NOT is violated
	Fail          Verdict = "fail"           // a MUST, MUST NOT or a stated fact is violated
	NotApplicable Verdict = "not-applicable" // the server legitimately does not offer the thing
	NotObserved   Verdict = "not-observed"   // nothing to judge; Message says why
	Error         Verdict = "error"          // mcpcheck itself failed; never blamed on the server
)

// A Report is everything a run has to say.
type Report struct {
	Schema string `json:"schema"`
	Tool   Tool   `json:"tool"`
	Target Target `json:"target"`
	// Summary counts cells, Findings what a person reads as one thing.
	Summary  Summary       `json:"summary"`
	Findings FindingCounts `json:"findings"`
	// Outcome is a stable word for what the run amounts to; see Outcome.
	Outcome string `json:"outcome"`
	// Incomplete is set where something of the weight of a MUST could not be looked at and nothing failed.
	Incomplete *Incompleteness `json:"incomplete,omitempty"`
	// Troubles are what the run noticed about how the server bore it.
	Troubles []Trouble `json:"troubles,omitempty"`
	// CouldNotLook counts the cells that could not be looked at, Unconfirmed the requirements that were seen broken once and not again.
	CouldNotLook int `json:"could_not_look,omitempty"`
	Unconfirmed  int `json:"unconfirmed,omitempty"`
	// SessionsLeft counts the sessions that the run opened and could not end.
	SessionsLeft int `json:"sessions_left,omitempty"`
	// Conformant is true without fail and error, false with a fail, nil when the run was filtered, interrupted, incomplete or judged nothing.
	Conformant *bool `json:"conformant"`
	// Diagnosis explains why the target could not be tested; nil when it was.
	Diagnosis *Diagnosis `json:"diagnosis,omitempty"`
	// Remarks are sentences about the run as a whole ("one session at a time", "interrupted after …").
	Remarks []string `json:"remarks,omitempty"`
	// Unexpected are the entries of a baseline whose findings are gone; each has to be taken out of it.
	Unexpected []string `json:"unexpected_passes,omitempty"`
	// Surface is what the server offers; nil where it could not be asked.
	Surface     *Surface  `json:"surface,omitempty"`
	Results     []Result  `json:"results"`
	Started     time.Time `json:"started"`
	DurationMS  int64     `json:"duration_ms"`
	Requests    int       `json:"requests"`
	Interrupted bool      `json:"interrupted,omitempty"`
	Filtered    bool      `json:"filtered,omitempty"`
}

// Tool names the program that wrote the report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Target is what was checked.
type Target struct {
	// Name and Group are what a configuration calls the target.
	Name      string   `json:"name,omitempty"`
	Group     string   `json:"group,omitempty"`
	URL       string   `json:"url"`
	Server    Server   `json:"server"`
	Eras      []string `json:"eras"`
	Revisions []string `json:"revisions"`
	// Client is who was under test, where that was a client: URL is empty then.
	Client *Client `json:"client,omitempty"`
}

// Client is a client under test: how it was started, and what it says it is; hostile text until escaped.
type Client struct {
	Command string `json:"command"`
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Place is where the target is, for people: the URL of a server, the command of a client.
func (t Target) Place() string {
	if t.Client != nil {
		return t.Client.Command
	}
	return t.URL
}

// Itself is what the target says it is.
func (t Target) Itself() Server {
	if t.Client != nil {
		return Server{Name: t.Client.Name, Version: t.Client.Version}
	}
	return t.Server
}

// Server is what the server says it is; hostile text until escaped.
type Server struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Summary counts results by verdict.
type Summary struct {
	Pass          int `json:"pass"`
	Fail          int `json:"fail"`
	Warn          int `json:"warn"`
	Note          int `json:"note"`
	NotApplicable int `json:"not-applicable"`
	NotObserved   int `json:"not-observed"`
	Error         int `json:"error"`
}

// FindingCounts counts findings by verdict: a requirement that is broken in the same way in four revisions is four cells and one
// finding. Excused says how many of them a baseline accepts; they are counted with the others too.
type FindingCounts struct {
	Fail    int `json:"fail"`
	Error   int `json:"error"`
	Warn    int `json:"warn"`
	Note    int `json:"note"`
	Excused int `json:"excused"`
}

// A Diagnosis is one clear answer where a table of results would be noise: what was seen, why it matters to a client, what to do.
type Diagnosis struct {
	// Kind is a stable word for scripts: "refused", "dns", "tls", "redirect", "auth", "not-found", "html" …
	Kind string `json:"kind"`
	Seen string `json:"seen"`
	Why  string `json:"why"`
	// Do may have several lines; those that start with two spaces are commands and are shown as they are.
	Do string `json:"do"`
	// Points go through what a client looks for, one by one, where that explains more than a sentence.
	Points []Point `json:"points,omitempty"`
	// Evidence is the exchange that shows it.
	Evidence []Evidence `json:"evidence,omitempty"`
}

// A Point is one thing that a client looks for.
type Point struct {
	Name string `json:"name"`
	// State is "ok", "broken" or "not observed".
	State    string `json:"state"`
	Seen     string `json:"seen"`
	Expected string `json:"expected"`
}

// A Result is the verdict on one requirement in one revision over one transport.
type Result struct {
	ID        string  `json:"id"`
	Revision  string  `json:"revision"`
	Transport string  `json:"transport"`
	Area      string  `json:"area"`
	Level     string  `json:"level"`
	Verdict   Verdict `json:"verdict"`
	Title     string  `json:"title"`
	// Message says in one sentence what was found.
	Message string `json:"message"`
	// Sent describes what was sent, Expected the allowed outcomes, Got what came.
	Sent     string `json:"sent,omitempty"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
	// Why says what breaks for a real client; set for findings.
	Why string `json:"why,omitempty"`
	// Cause is a stable word for why there is nothing to judge, Class the kind of it: "nothing-to-see", "could-not-look" or "settled" (by a
	// finding under another name). Both are set with not-observed only.
	Cause string `json:"cause,omitempty"`
	Class string `json:"class,omitempty"`
	// BlockedBy is the id of the requirement whose failure left nothing to judge here.
	BlockedBy string     `json:"blocked_by"`
	Spec      string     `json:"spec"`
	Remedy    string     `json:"remedy"`
	Evidence  []Evidence `json:"evidence"`
	// More counts further mismatches of the same kind beyond those in Evidence.
	More int    `json:"more,omitempty"`
	Curl string `json:"curl,omitempty"`
	// AskedIn is another revision, in which this was asked once for all; empty where it was asked in this one.
	AskedIn string `json:"asked_in,omitempty"`
	// Excused is the reason for which a baseline accepts the finding; it then decides nothing.
	Excused string `json:"excused,omitempty"`
}

// Evidence is one exchange as it was on the wire, cut to 2 KiB a body and free of credentials and session ids.
type Evidence struct {
	Script   string            `json:"script"`
	Label    string            `json:"label"`
	Attempt  int               `json:"attempt,omitempty"`
	Request  EvidenceRequest   `json:"request"`
	Response *EvidenceResponse `json:"response,omitempty"`
	Events   []EvidenceEvent   `json:"events,omitempty"`
	Error    string            `json:"error,omitempty"`
	EndedBy  string            `json:"ended_by,omitempty"`
	// AskedIn is another revision than the result's, in which this was asked once for all.
	AskedIn string `json:"asked_in,omitempty"`
	// Remark points at what to look at.
	Remark    string `json:"remark,omitempty"`
	Truncated bool   `json:"truncated"`
}

// EvidenceRequest is what was sent. Header lines are "Name: value".
type EvidenceRequest struct {
	Method string   `json:"method"`
	URL    string   `json:"url"`
	Header []string `json:"header"`
	Body   string   `json:"body,omitempty"`
	AtMS   float64  `json:"at_ms"`
}

// EvidenceResponse is what came back. Head is the raw head where the wire was tapped.
type EvidenceResponse struct {
	Status int      `json:"status"`
	Header []string `json:"header"`
	Body   string   `json:"body,omitempty"`
	AtMS   float64  `json:"at_ms"`
}

// EvidenceEvent is one event of a stream, raw.
type EvidenceEvent struct {
	Raw  string  `json:"raw"`
	AtMS float64 `json:"at_ms"`
}
