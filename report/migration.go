package report

import (
	"strings"
	"time"
)

// MigrationSchema names the JSON form of a Migration.
const MigrationSchema = "mcpcheck.migration/v1"

// The states of a step, and of a requirement in it.
const (
	MigrationDone     = "done"         // all of it that can be seen is met
	MigrationSeen     = "done as seen" // what was seen of it is met, and not all was seen
	MigrationOpen     = "to do"        // something is broken, or has to be built
	MigrationAsk      = "your call"    // nothing that can be seen says whether the server needs it
	MigrationUnneeded = "not needed"   // the server declares nothing that needs it
	MigrationUnseen   = "not observed" // it should be there, and could not be looked at
	MigrationLater    = "later"        // may be taken once nobody speaks older revisions
	MigrationHidden   = "hidden"       // of a requirement: nothing on the wire shows it
)

// What a way amounts to.
const (
	MigrationOver     = "done"       // nothing of the weight of a MUST is left that could be seen
	MigrationLeft     = "to-do"      // something is
	MigrationUntested = "not-tested" // the server could not be tested
)

// A Migration is the way of a server to a newer revision: what of today carries over, which steps are left, and who notices.
type Migration struct {
	Schema string `json:"schema"`
	Tool   Tool   `json:"tool"`
	Target Target `json:"target"`
	// To is the revision that the way leads to, From the newest of the older ones that the server was judged by; "" for none.
	To   string `json:"to"`
	From string `json:"from,omitempty"`
	// Speaks tells that the server speaks To, so that the steps are judged and not deduced.
	Speaks bool `json:"speaks"`
	// Outcome is a stable word for what the way amounts to.
	Outcome string `json:"outcome"`
	// Lead says in a sentence how far the server is, Order why the steps stand as they do.
	Lead  string `json:"lead"`
	Order string `json:"order"`
	// Diagnosis explains why nothing could be said; nil where something could.
	Diagnosis *Diagnosis `json:"diagnosis,omitempty"`
	// Remarks are sentences about the run that limit what is said here.
	Remarks []string `json:"remarks"`
	// Probe is how the server answers server/discover today, which is what clients that know To ask first.
	Probe *MigrationProbe `json:"probe,omitempty"`
	// Carries are requirements that To shares with From and that hold today, by area.
	Carries []MigrationArea `json:"carries"`
	Steps   []MigrationStep `json:"steps"`
	// Drop is what serves older clients alone; Hidden what cannot be seen from outside.
	Drop    []string          `json:"drop"`
	Hidden  []string          `json:"hidden"`
	SDKs    []MigrationSDK    `json:"sdks"`
	Clients []MigrationClient `json:"clients"`
	Started time.Time         `json:"started"`
}

// MigrationProbe is the answer to server/discover and what clients make of it.
type MigrationProbe struct {
	// Answer says what came, such as "HTTP 400 with JSON-RPC error -32000".
	Answer string `json:"answer"`
	// GivesUp are clients that were seen not to try initialize after such an answer, FallsBack those that were; neither was tried with all.
	GivesUp   []string `json:"gives_up"`
	FallsBack []string `json:"falls_back"`
}

// MigrationArea is what holds of an area.
type MigrationArea struct {
	Area string   `json:"area"`
	IDs  []string `json:"ids"`
}

// A MigrationStep is a piece of work that can be released by itself.
type MigrationStep struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	State string `json:"state"`
	// Because says why it has that state, where that is not plain.
	Because string `json:"because,omitempty"`
	// Do says what is to be built, Alone why nothing else has to be there for it, Notes what was seen of the server that concerns it.
	Do    string   `json:"do"`
	Alone string   `json:"alone"`
	Notes []string `json:"notes"`
	// Findings are what is broken, in To or, where that is not spoken, in From.
	Findings []MigrationFinding `json:"findings"`
	// Requirements are all of the step.
	Requirements []MigrationRequirement `json:"requirements"`
	SDKs         []MigrationSDKWord     `json:"sdks"`
	Clients      []MigrationWord        `json:"clients"`
}

// A MigrationFinding is a requirement that is broken today.
type MigrationFinding struct {
	Verdict Verdict `json:"verdict"`
	Title   string  `json:"title"`
	// ID is the requirement that was judged, Revision where; There is the requirement of To, where that is another one.
	ID       string `json:"id"`
	Revision string `json:"revision"`
	There    string `json:"there,omitempty"`
	Message  string `json:"message"`
	Remedy   string `json:"remedy"`
	Spec     string `json:"spec"`
}

// A MigrationRequirement is one of To.
type MigrationRequirement struct {
	ID    string `json:"id"`
	Level string `json:"level"`
	Title string `json:"title"`
	State string `json:"state"`
	// Because says what that rests on.
	Because string `json:"because,omitempty"`
	Spec    string `json:"spec"`
}

// MigrationSDKWord is what an SDK does for a step. Comes tells that nothing is left to do once the server is upgraded.
type MigrationSDKWord struct {
	Name  string `json:"name"`
	Comes bool   `json:"comes"`
	Text  string `json:"text"`
	// Breaks are requirements of the step that the version Run breaks, so that a finding of them may be the SDK's.
	Run    string   `json:"run"`
	Breaks []string `json:"breaks"`
}

// says is all that there is to say of an SDK.
func (w MigrationSDKWord) says() string {
	if len(w.Breaks) == 0 {
		return w.Text
	}
	return strings.TrimSpace(w.Text + " With its defaults " + w.Run + " breaks " + strings.Join(w.Breaks, ", ") + ".")
}

// A MigrationWord is how a client notices a step.
type MigrationWord struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// MigrationSDK is how far an SDK is.
type MigrationSDK struct {
	Name    string `json:"name"`
	Package string `json:"package"`
	// Since is the first version that speaks To, "" where none does; Run the one that was run when this was written.
	Since string `json:"since,omitempty"`
	Run   string `json:"run"`
	// Upgrade says how to get there, Older how older clients are served then, Read where the SDK tells more.
	Upgrade string `json:"upgrade"`
	Older   string `json:"older"`
	Read    string `json:"read"`
}

// MigrationClient is how a client finds out what a server speaks.
type MigrationClient struct {
	Name   string `json:"name"`
	Begins string `json:"begins"`
}

// Counts says how many steps are in a state.
func (m Migration) Counts() map[string]int {
	counts := map[string]int{}
	for _, s := range m.Steps {
		counts[s.State]++
	}
	return counts
}
