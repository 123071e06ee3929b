package migration

import (
	"fmt"
	"net/http"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/wire"
)

// An Answer is what a server that does not speak the new revision says to server/discover.
type Answer struct {
	// Status is that of HTTP; 0 where nothing came in time.
	Status int
	// Error tells that the body is a JSON-RPC error, Code which one; Result that it is a result.
	Error, Result bool
	Code          int64
}

// Discovered reads from a survey how server/discover is answered; nil where it was not sent.
func Discovered(survey *wire.Transcript) *Answer {
	if survey == nil {
		return nil
	}
	var answer *Answer
	for _, x := range survey.Exchanges {
		if x.RequestMessage().Method != "server/discover" {
			continue
		}
		// Of two tries the last one counts.
		answer = &Answer{Status: x.Status()}
		if m, ok := x.Answer(); ok {
			code, _ := m.ErrorCode()
			answer.Error, answer.Result, answer.Code = m.HasError, m.HasResult, code
		}
	}
	return answer
}

// Kinds of answers, as clients tell them apart.
const (
	kindSilence = "silence"
	kindError   = "error" // a JSON-RPC error under a status of success
	kindServer  = "5xx"
)

var answerKinds = []string{kindSilence, kindError, kindServer, "400", "401", "404", "405"}

func (a Answer) kind() string {
	switch {
	case a.Status == 0:
		return kindSilence
	case a.Status/100 == 2 && a.Error:
		return kindError
	case a.Status/100 == 5:
		return kindServer
	}
	return fmt.Sprint(a.Status)
}

func (a Answer) String() string {
	if a.Status == 0 {
		return "not answered"
	}
	text := fmt.Sprintf("answered HTTP %d", a.Status)
	if word := http.StatusText(a.Status); word != "" {
		text += " " + word
	}
	switch {
	case a.Error:
		return fmt.Sprintf("%s with JSON-RPC error %d", text, a.Code)
	case a.Result:
		return text + " with a result that does not name the revision"
	}
	return text + " without a JSON-RPC message"
}

// probe says what clients make of an answer.
func (w *Way) probe(a Answer) *report.MigrationProbe {
	p := &report.MigrationProbe{Answer: a.String(), GivesUp: []string{}, FallsBack: []string{}}
	kind := a.kind()
	for _, name := range sorted(w.Clients) {
		c := w.Clients[name]
		for _, k := range c.GivesUp {
			if k == kind {
				p.GivesUp = append(p.GivesUp, c.Name)
			}
		}
		for _, k := range c.FallsBack {
			if k == kind {
				p.FallsBack = append(p.FallsBack, c.Name)
			}
		}
	}
	return p
}
