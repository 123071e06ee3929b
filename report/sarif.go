package report

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
)

// The part of SARIF 2.1.0 that code scanning reads. What GitHub does with it, beyond the schema, shapes it: it refuses a file in which a
// location has a scheme, two runs share a category, or there are more than 20 runs or 20 tags of a rule; and an upload closes every alert
// of its category that it does not repeat, unless the run says that it was not successful.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Automation  sarifAutomation   `json:"automationDetails"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

// The part of the id before its last slash is what GitHub calls the category.
type sarifAutomation struct {
	ID          string    `json:"id"`
	Description sarifText `json:"description"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string      `json:"id"`
	ShortDescription sarifText   `json:"shortDescription"`
	FullDescription  sarifText   `json:"fullDescription"`
	Help             sarifText   `json:"help"`
	HelpURI          string      `json:"helpUri,omitempty"`
	Configuration    sarifConfig `json:"defaultConfiguration"`
	Properties       sarifTags   `json:"properties"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifConfig struct {
	Level string `json:"level"`
}

type sarifTags struct {
	Tags []string `json:"tags"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	StartTime     string              `json:"startTimeUtc,omitempty"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   sarifProperties   `json:"properties"`
}

type sarifProperties struct {
	Verdict   Verdict `json:"verdict"`
	Revision  string  `json:"revision"`
	Transport string  `json:"transport"`
	Expected  string  `json:"expected,omitempty"`
	Got       string  `json:"got,omitempty"`
	Curl      string  `json:"curl,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	homepage    = "https://github.com/mcpcheck/mcpcheck"
	// sarifTextLimit keeps descriptions within the 1,024 characters that GitHub takes.
	sarifTextLimit = 1000
)

// SARIFOptions says where findings stand.
type SARIFOptions struct {
	// Location is a file of the repository, by its path from the root with slashes; findings stand on its first line. Without it they stand
	// at the host and path of the target.
	Location string
}

// RenderSARIF writes findings for code scanning: fails are errors, warnings warnings, notes notes. Passes are not in it. What went wrong in
// mcpcheck is said as a notification, since it is nothing of the server's, and so is what a baseline excuses: GitHub opens an alert for a
// suppressed result, too.
//
// Each column is a run with an id of its own, so that an upload of one revision closes no alert of another. The fingerprint knows the
// target and the requirement and no revision: one requirement broken in three revisions is one alert, seen by three.
func RenderSARIF(w io.Writer, r Report, o SARIFOptions) error {
	r = escaped(r, Visible)
	return writeSARIF(w, sarifRunsOf(r, placeOf(r.Target), o))
}

func writeSARIF(w io.Writer, runs []sarifRun) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: runs})
}

// sarifRunsOf are the runs of a report whose text is safe already, one at least.
func sarifRunsOf(r Report, place targetPlace, o SARIFOptions) []sarifRun {
	var runs []sarifRun
	for _, c := range Columns(r.Results) {
		runs = append(runs, sarifRunOf(r, c, place, o))
	}
	if len(runs) == 0 {
		runs = append(runs, sarifRunOf(r, Column{}, place, o))
	}
	return runs
}

// sarifRunOf is the run of one column; the zero Column is a run that came to no results.
func sarifRunOf(r Report, c Column, place targetPlace, o SARIFOptions) sarifRun {
	id := "mcpcheck/"
	if r.Filtered {
		id += "partial/" // what was left out must not pass for mended
	}
	id += place.key + "/"
	text := r.Target.Place()
	if c != (Column{}) {
		id += relativeSegments(c.Revision) + "/" + relativeSegments(c.Transport) + "/"
		text += ", " + c.Revision + " over " + c.Transport
	}
	location := sarifArtifact{place.path}
	if o.Location != "" {
		location.URI = relativeSegments(o.Location)
	}
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: r.Tool.Name, Version: strings.TrimPrefix(r.Tool.Version, "v"), InformationURI: homepage, Rules: []sarifRule{}}},
		Automation: sarifAutomation{id, sarifText{oneLine(text)}},
		Results:    []sarifResult{},
	}
	var broken, excused []Result
	judged := false
	for _, result := range r.Results {
		if (Column{result.Revision, result.Transport}) != c {
			continue
		}
		judged = judged || Count([]Result{result}).Judged() > 0
		switch {
		case result.Excused != "":
			excused = append(excused, result)
		case result.Verdict == Error:
			broken = append(broken, result)
		case verdictRank(result.Verdict) <= verdictRank(Note):
			run.add(result, location, place)
		}
	}
	slices.SortStableFunc(run.Results, func(a, b sarifResult) int {
		return verdictRank(a.Properties.Verdict) - verdictRank(b.Properties.Verdict)
	})
	run.Invocations = []sarifInvocation{sarifInvocationOf(r, broken, excused, judged)}
	return run
}

func (run *sarifRun) add(r Result, location sarifArtifact, place targetPlace) {
	rules := &run.Tool.Driver.Rules
	index := slices.IndexFunc(*rules, func(rule sarifRule) bool { return rule.ID == r.ID })
	if index < 0 {
		index = len(*rules)
		*rules = append(*rules, sarifRuleOf(r))
	}
	fingerprint := fmt.Sprintf("%x", sha256.Sum256([]byte(place.key+"\n"+r.ID)))[:16]
	run.Results = append(run.Results, sarifResult{
		RuleID: r.ID, RuleIndex: index, Level: sarifLevel(r.Verdict),
		Message:   sarifText{fmt.Sprintf("%s (%s in %s): %s", oneLine(r.Title), r.Level, r.Revision, oneLine(r.Message))},
		Locations: []sarifLocation{{sarifPhysical{location, sarifRegion{1}}}},
		// GitHub compares by the first alone, and makes one from the line of the file where it is missing: the same for every target.
		Fingerprints: map[string]string{"primaryLocationLineHash": fingerprint + ":1", "mcpcheck/v1": fingerprint},
		Properties:   sarifProperties{r.Verdict, r.Revision, r.Transport, r.Expected, r.Got, r.Curl},
	})
}

func sarifInvocationOf(r Report, broken, excused []Result, judged bool) sarifInvocation {
	i := sarifInvocation{Successful: r.Diagnosis == nil && !r.Interrupted && len(broken) == 0 && judged}
	if !r.Started.IsZero() {
		i.StartTime = r.Started.UTC().Format("2006-01-02T15:04:05Z")
	}
	notify := func(level, text string) {
		i.Notifications = append(i.Notifications, sarifNotification{level, sarifText{oneLine(text)}})
	}
	if d := r.Diagnosis; d != nil {
		notify("error", d.Seen+": "+d.Why+"; "+d.Do)
	}
	for _, b := range broken {
		notify("error", "mcpcheck itself failed at "+b.ID+": "+b.Message)
	}
	for _, e := range excused {
		notify("note", string(e.Verdict)+" excused by the baseline, "+e.ID+": "+e.Excused)
	}
	for _, entry := range r.Unexpected {
		notify("error", entry+" is met now; take it out of the baseline")
	}
	for _, remark := range remarks(r) {
		notify("note", remark)
	}
	return i
}

func sarifRuleOf(r Result) sarifRule {
	var tags []string
	for _, tag := range []string{r.Area, r.Level} {
		if tag = oneLine(tag); tag != "" && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	title := r.ID
	if text := oneLine(r.Title); text != "" {
		title = cut(text, sarifTextLimit)
	}
	help := strings.TrimSpace(r.Why + "\n\n" + r.Remedy)
	if help == "" {
		help = title + " (mcpcheck explain " + r.ID + ")"
	}
	return sarifRule{
		ID: r.ID, ShortDescription: sarifText{title}, FullDescription: sarifText{cut(strings.TrimSpace(title+". "+r.Why), sarifTextLimit)},
		Help: sarifText{help}, HelpURI: sarifURI(r.Spec), Configuration: sarifConfig{sarifLevel(r.Verdict)}, Properties: sarifTags{tags},
	}
}

// sarifURI is a link, or nothing where a text is none.
func sarifURI(text string) string {
	if u, err := url.Parse(text); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
		return u.String()
	}
	return ""
}

func sarifLevel(v Verdict) string {
	switch v {
	case Fail:
		return "error"
	case Warn:
		return "warning"
	}
	return "note"
}
