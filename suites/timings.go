package suites

import (
	"time"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Timings tell where the time and the requests of the run went.
func (r *Record) Timings() report.Timings {
	t := report.Timings{Duration: r.Duration, Requests: r.Requests, Sessions: r.Sessions, AtOnce: r.SessionsAtOnce}
	again := map[*wire.Transcript]bool{}
	for _, track := range r.Tracks {
		for _, lost := range track.Lost {
			// What was recorded anew took its place.
			if now := track.first(lost.Script); now != nil && now.Started.After(lost.Started) {
				again[now] = true
			}
		}
		for _, repeated := range track.Again {
			again[repeated] = true
		}
	}
	for _, tr := range r.all() {
		if tr == nil {
			continue
		}
		begin := max(tr.Started.Sub(r.Started), 0)
		c := report.Conversation{
			Script: tr.Script, Revision: tr.Revision, Transport: tr.Transport, Again: again[tr], Start: begin, End: begin + tr.Duration,
		}
		for _, x := range tr.Exchanges {
			c.Exchanges = append(c.Exchanges, timing(x, begin))
		}
		t.Conversations = append(t.Conversations, c)
	}
	return t
}

func timing(x *wire.Exchange, begin time.Duration) report.Timing {
	sent := x.RequestMessage()
	t := report.Timing{Label: x.Label, Method: x.Request.Method, Status: x.Status(), Start: begin + x.Sent, End: begin + max(x.Sent, x.End)}
	if sent.Method != "" {
		t.Method, t.Opens = sent.Method, sent.Method == "initialize"
	}
	return t
}
