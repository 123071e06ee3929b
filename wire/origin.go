package wire

import "strconv"

// An Origin says where an exchange comes from, so that nobody has to read it off the label: what the script asked for, what it asked
// for in continuation of another exchange, or what the recorder sent of its own accord. The zero Origin is a script's.
type Origin struct {
	Kind OriginKind `json:"kind,omitempty"`
	// Of is the label of the exchange that this one continues, repeats or was an attempt at; empty where there is none.
	Of string `json:"of,omitempty"`
	// Number counts pages from 2 on, and attempts and answers from 1 on; else 0.
	Number int `json:"number,omitempty"`
	// Repeat tells, from 2 on, how often the conversation had used the label; "#" and this number then end it, to make it unique.
	Repeat int `json:"repeat,omitempty"`
}

// OriginKind classifies origins.
type OriginKind string

// The kinds of origins.
const (
	FromScript     OriginKind = "script"     // the script asked for it
	FromPage       OriginKind = "page"       // the script asked for page Number of the list that Of began
	FromResumption OriginKind = "resumption" // the script came back for the rest of the stream of Of
	FromRepetition OriginKind = "repetition" // the script sent Of once more
	FromAnswer     OriginKind = "answer"     // the recorder answered a request of the server
	FromCleanUp    OriginKind = "clean-up"   // the recorder deleted a session that the conversation had opened
	FromBusy       OriginKind = "busy"       // an attempt at Of that a busy server refused
	FromLender     OriginKind = "lender"     // another conversation, which called it Of, asked for it
	FromStale      OriginKind = "stale"      // an attempt at Of on a connection that turned out to be closed
)

// PageOf is the origin of a further page of a list, numbered from 2 on.
func PageOf(first string, number int) Origin {
	return Origin{Kind: FromPage, Of: first, Number: number}
}

// ResumptionOf is the origin of a GET that resumes the stream of an exchange.
func ResumptionOf(label string) Origin { return Origin{Kind: FromResumption, Of: label} }

// RepetitionOf is the origin of a request that was sent before, under that label.
func RepetitionOf(label string) Origin { return Origin{Kind: FromRepetition, Of: label} }

// Automatic tells that the recorder sent it of its own accord.
func (o Origin) Automatic() bool {
	switch o.Kind {
	case FromAnswer, FromCleanUp, FromBusy, FromStale:
		return true
	}
	return false
}

// Label is what reports call an exchange of that origin, without the number that makes it unique; empty for what a script names.
func (o Origin) Label() string {
	number := strconv.Itoa(o.Number)
	switch o.Kind {
	case FromPage:
		return o.Of + pageInfix + number
	case FromResumption:
		return resumePrefix + o.Of
	case FromRepetition:
		return o.Of + repeatSuffix
	case FromAnswer:
		return answerPrefix + number
	case FromCleanUp:
		return cleanUpLabel
	case FromBusy:
		return busyPrefix + o.Of + "/" + number
	case FromStale:
		return stalePrefix + o.Of + "/" + number
	}
	return ""
}

// The labels of what no script names.
const (
	pageInfix    = " page "
	resumePrefix = "resume "
	repeatSuffix = " again"
	answerPrefix = "auto/answer/"
	busyPrefix   = "auto/busy/"
	stalePrefix  = "auto/stale/"
	cleanUpLabel = "auto/delete"
)

// Name is the label without the number that makes it unique: the same in every recording of a script.
func (x *Exchange) Name() string {
	if x.Origin.Repeat == 0 {
		return x.Label
	}
	return x.Label[:max(0, len(x.Label)-len(RepeatSuffix(x.Origin.Repeat)))]
}

// RepeatSuffix ends the label of the n-th use of a label, from 2 on.
func RepeatSuffix(n int) string { return "#" + strconv.Itoa(n) }

// From returns the first exchange of that origin, whatever its Repeat, or nil.
func (t *Transcript) From(o Origin) *Exchange {
	for _, x := range t.Exchanges {
		if x.Origin.Kind == o.Kind && x.Origin.Of == o.Of && x.Origin.Number == o.Number {
			return x
		}
	}
	return nil
}
