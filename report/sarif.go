package report

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
)

// The part of SARIF 2.1.0 that code scanning reads. A finding is one result, however many revisions show it; its place is the URL that
// was checked, since there is no file.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name            string      `json:"name"`
	Version         string      `json:"version"`
	SemanticVersion string      `json:"semanticVersion,omitempty"`
	InformationURI  string      `json:"informationUri"`
	Rules           []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string      `json:"id"`
	Name             string      `json:"name"`
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
	RuleID       string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	Properties   map[string]any     `json:"properties"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
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
)

// RenderSARIF writes findings for code scanning: fails are errors, warnings warnings, notes notes. Passes are not in it.
func RenderSARIF(w io.Writer, r Report) error {
	r = escaped(r, Visible)
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: r.Tool.Name, Version: r.Tool.Version, InformationURI: homepage, Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{sarifInvocationOf(r)},
		Results:     []sarifResult{},
	}
	place := sarifPlace(r.Target.URL)
	for _, f := range Findings(r.Results) {
		index := slices.IndexFunc(run.Tool.Driver.Rules, func(rule sarifRule) bool { return rule.ID == f.ID })
		if index < 0 {
			index = len(run.Tool.Driver.Rules)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(f))
		}
		var suppressed []sarifSuppression
		if f.Excused != "" {
			suppressed = append(suppressed, sarifSuppression{"external", oneLine(f.Excused)})
		}
		run.Results = append(run.Results, sarifResult{
			Suppressions: suppressed,
			RuleID:       f.ID, RuleIndex: index, Level: sarifLevel(f.Verdict),
			Message:      sarifText{fmt.Sprintf("%s (%s): %s", f.Title, f.where(mainTransport(r.Results)), oneLine(f.Message))},
			Locations:    []sarifLocation{{sarifPhysical{sarifArtifact{place}, sarifRegion{1}}}},
			Fingerprints: map[string]string{"mcpcheck/v1": f.ID + " " + string(f.Verdict)},
			Properties: map[string]any{
				"verdict": f.Verdict, "revisions": sarifRevisions(f), "expected": f.Expected, "got": f.Got, "curl": f.Curl,
			},
		})
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

// sarifPlace makes a URI of what may be any text.
func sarifPlace(raw string) string {
	if u, err := url.Parse(raw); err == nil {
		return u.String()
	}
	return url.PathEscape(raw)
}

func sarifInvocationOf(r Report) sarifInvocation {
	i := sarifInvocation{Successful: r.Diagnosis == nil && !r.Interrupted && r.Summary.Error == 0}
	if !r.Started.IsZero() {
		i.StartTime = r.Started.UTC().Format("2006-01-02T15:04:05Z")
	}
	if d := r.Diagnosis; d != nil {
		i.Notifications = append(i.Notifications, sarifNotification{"error", sarifText{oneLine(d.Seen + ": " + d.Why + "; " + d.Do)}})
	}
	for _, remark := range r.Remarks {
		i.Notifications = append(i.Notifications, sarifNotification{"note", sarifText{oneLine(remark)}})
	}
	return i
}

func sarifRuleOf(f Finding) sarifRule {
	return sarifRule{
		ID: f.ID, Name: f.ID, ShortDescription: sarifText{f.Title}, FullDescription: sarifText{f.Title + ". " + f.Why},
		Help: sarifText{f.Remedy}, HelpURI: f.Spec, Configuration: sarifConfig{sarifLevel(f.Verdict)}, Properties: sarifTags{[]string{f.Area, f.Level}},
	}
}

func sarifRevisions(f Finding) []string {
	var revisions []string
	for _, c := range f.Cells {
		name := c.Revision
		if c.Transport == "http-sse" {
			name += " http-sse"
		}
		revisions = append(revisions, name)
	}
	return revisions
}

func sarifLevel(v Verdict) string {
	switch v {
	case Fail, Error:
		return "error"
	case Warn:
		return "warning"
	}
	return "note"
}
