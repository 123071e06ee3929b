package suites

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/evidence"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

// Report turns judged results into the report of a run.
func (r *Record) Report(suite *Suite, results []kit.Result) report.Report {
	out := report.Report{
		Schema: report.Schema, Tool: r.Tool, Started: r.Started, DurationMS: r.Duration.Milliseconds(), Requests: r.Requests,
		Target:    report.Target{URL: r.URL, Server: r.Survey.Server, Eras: []string{}, Revisions: []string{}},
		Diagnosis: r.Survey.Diagnosis,
		Troubles:  r.troubles(), SessionsLeft: r.SessionsLeft,
		Interrupted: r.Interrupted, Filtered: r.Plan.Filtered, Remarks: r.remarks(suite, results), Results: []report.Result{},
		Surface: r.surface(suite),
	}
	for _, track := range r.Plan.tracks() {
		if r.Plan.Challenged {
			// What the server speaks is not known.
			break
		}
		if !slices.Contains(out.Target.Revisions, track.Revision) {
			out.Target.Revisions = append(out.Target.Revisions, track.Revision)
		}
		if era, _ := revision.EraOf(track.Revision); !slices.Contains(out.Target.Eras, era) {
			out.Target.Eras = append(out.Target.Eras, era)
		}
	}
	if modern := revision.Newest(revision.Of(revision.Modern)); r.Survey.Modern && !slices.Contains(out.Target.Revisions, modern) {
		out.Target.Eras, out.Target.Revisions = append(out.Target.Eras, revision.Modern), append(out.Target.Revisions, modern)
	}
	results = slices.Clone(results)
	settle(results)
	for _, k := range results {
		out.Results = append(out.Results, r.result(suite, k))
	}
	return report.Redacted(report.Finish(out), querySecrets(r.URL))
}

func (r *Record) remarks(suite *Suite, results []kit.Result) []string {
	var remarks []string
	if r.Plan.Serial {
		remarks = append(remarks, "the server keeps one session at a time, as far as was seen (a second one was refused, or ended the first): conversations ran one after another")
	}
	switch {
	case r.Plan.HTTPSSE && len(r.Plan.Revisions) == 0:
		remark := "HTTP+SSE, the transport of 2024-11-05: clients that speak only Streamable HTTP (2025-03-26 and later) cannot use this server"
		if r.Survey.Newer != "" {
			remark += " at this URL; it answers them at " + r.Survey.Newer + ", which is to be checked by that URL"
		}
		remarks = append(remarks, remark)
	case r.Plan.HTTPSSE:
		remarks = append(remarks, "both transports at one URL: POST is Streamable HTTP, a GET without a session starts HTTP+SSE; each was judged by its own rules")
	}
	if r.Plan.Lent {
		remarks = append(remarks, r.lentRemark(suite))
	}
	if modern := revision.Newest(revision.Of(revision.Modern)); r.Survey.Modern && len(r.Plan.Revisions) > 0 && !slices.Contains(r.Plan.Revisions, modern) {
		if slices.Contains(suite.Revisions(), modern) {
			remarks = append(remarks, modern+" is spoken too; this run was not to judge it")
		} else {
			remarks = append(remarks, modern+" is spoken too; this version does not judge it")
		}
	}
	if missed := r.Plan.Missed; len(missed) > 0 && len(r.Plan.Revisions) > 0 {
		remarks = append(remarks, strings.Join(missed, ", ")+" was asked for, and the server does not speak it: nothing of it was judged")
	}
	if r.Survey.Moved != nil {
		remarks = append(remarks, r.Survey.Moved.Remark())
	}
	if fatal := r.Survey.Fatal; fatal != "" && r.Survey.Diagnosis == nil {
		remark := fatal + ", which newer clients send first, ended the server"
		if r.Survey.Ended != "" {
			remark += " (" + r.Survey.Ended + ")"
		}
		remarks = append(remarks, remark+"; it was started again and judged without that request")
	}
	if r.Survey.HTTP2 {
		remarks = append(remarks, "the server speaks HTTP/2 only: raw response heads could not be looked at")
	}
	switch {
	case !r.Interrupted:
	case slices.ContainsFunc(results, func(k kit.Result) bool { return k.Verdict != kit.NotObserved && k.Verdict != kit.NotApplicable }):
		remarks = append(remarks, "interrupted: what had been recorded by then was judged")
	default:
		remarks = append(remarks, "interrupted before anything could be judged")
	}
	if n := r.SessionsLeft; n > 0 {
		remarks = append(remarks, fmt.Sprintf("%d session%s that the run opened could not be ended", n, plural(n)))
	}
	lost := 0
	for _, k := range results {
		if k.Verdict == kit.NotObserved && k.Cause == kit.Ended && slices.ContainsFunc(k.Shown, func(p kit.Place) bool { return p.Exchange.Status() == http.StatusNotFound }) {
			lost++
		}
	}
	if lost > 0 {
		remarks = append(remarks, fmt.Sprintf("sessions were lost before anybody ended them (HTTP 404 to what they had served), and with them what %d result%s would have shown", lost, plural(lost)))
	}
	return remarks
}

// lentRemark says by whose rules the transport was judged.
func (r *Record) lentRemark(suite *Suite) string {
	l := suite.era(r.Plan.Revisions[0]).Lending
	remark := fmt.Sprintf("%s is all that is spoken over POST, and has no rules for that: the transport was judged by those of %s", l.To, l.From)
	for _, track := range r.Tracks {
		if track.Revision == l.To && track.Transport == kit.StreamableHTTP && !l.Meant(suite.era(l.To).Facts(track.First[0], r.Plan.given())) {
			remark += ", with warnings at most, since nothing shows that they are meant"
		}
	}
	return remark
}

func (r *Record) result(suite *Suite, k kit.Result) report.Result {
	check, _ := suite.Check(k.ID)
	entry := r.Plan.lend(suite, &Track{Revision: k.Revision, Transport: k.Transport}, []*kit.Check{check})[0].Entry
	return evidence.Result(entry, k, func(p kit.Place) bool {
		// Over HTTP+SSE a session is a stream that somebody has to hold open: no curl line shows it again.
		return k.Transport == kit.StreamableHTTP && !check.Intricate && !suite.intricate(p.Transcript.Script)
	})
}

// Shown is a URL as it may be shown: without what may be a key in its query.
func Shown(raw string) string {
	for _, s := range querySecrets(raw) {
		raw = strings.ReplaceAll(raw, s, "[redacted]")
	}
	return raw
}

// minSecret is the length from which a value in the URL's query may be a key; shorter ones would blot out words.
const minSecret = 8

// querySecrets are the values in the query of the target's URL, as written and as meant: many hosted servers take their key there.
func querySecrets(raw string) []string {
	u, err := url.Parse(raw)
	if err != nil {
		return nil
	}
	var secrets []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		_, value, _ := strings.Cut(pair, "=")
		meant, err := url.QueryUnescape(value)
		if err != nil {
			meant = value
		}
		for _, s := range []string{value, meant} {
			if len(s) >= minSecret && !slices.Contains(secrets, s) {
				secrets = append(secrets, s)
			}
		}
	}
	return secrets
}
