package report

import (
	"fmt"
	"io"
	"strings"
)

// RenderGitHub writes workflow commands: an annotation for each finding, most important first. GitHub shows them on the run; the job
// summary is the Markdown report.
func RenderGitHub(w io.Writer, r Report) error {
	r = escaped(r, Visible)
	var b strings.Builder
	if d := r.Diagnosis; d != nil {
		command(&b, "error", "mcpcheck: not tested", d.Seen+"\n"+d.Why+"\n"+d.Do)
	}
	for _, f := range Findings(r.Results) {
		if f.Excused != "" {
			continue
		}
		kind := map[Verdict]string{Fail: "error", Error: "error", Warn: "warning", Note: "notice"}[f.Verdict]
		text := f.Message
		if f.Remedy != "" && f.Verdict != Error {
			text += "\nFix: " + f.Remedy
		}
		command(&b, kind, fmt.Sprintf("%s (%s)", f.ID, f.where(mainTransport(r.Results))), text+"\n"+f.Spec)
	}
	for _, entry := range r.Unexpected {
		command(&b, "error", "unexpected pass", entry+" is met now; take it out of the baseline")
	}
	command(&b, "notice", "mcpcheck", headline(r)+": "+outcomeText(r)+"; "+r.Target.Place())
	_, err := io.WriteString(w, b.String())
	return err
}

var (
	commandText  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandValue = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func command(b *strings.Builder, kind, title, text string) {
	fmt.Fprintf(b, "::%s title=%s::%s\n", kind, commandValue.Replace(oneLine(title)), commandText.Replace(strings.TrimSpace(text)))
}
