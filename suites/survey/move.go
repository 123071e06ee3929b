package survey

import (
	"fmt"

	"github.com/mcpcheck/mcpcheck/suites/diagnosis"
)

// A Move is a redirect that was followed.
type Move struct {
	// To is the URL that was checked.
	To string `json:"to"`
	// Status is 307 or 308.
	Status int `json:"status"`
}

// Leads tells where the survey has to start over; nil where it has not.
func (s *Survey) Leads() *Move {
	if len(s.Transcript.Exchanges) == 0 || s.Transcript.Exchanges[0].Response == nil {
		return nil
	}
	first := s.Transcript.Exchanges[0]
	if to, ok := diagnosis.Followable(first); ok {
		return &Move{To: to, Status: first.Status()}
	}
	return nil
}

// Remark says what following hides: most clients do not.
func (m *Move) Remark() string {
	return fmt.Sprintf("the URL redirects (HTTP %d) to %s, which was checked in its place: clients that do not follow, or lose the POST body or the "+
		"token on the way, reach nothing; give them that URL", m.Status, diagnosis.ShownURL(m.To))
}
