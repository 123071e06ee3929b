package clients

import (
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func metaModern(s *kit.Section) {
	s.Passive("modern.client.meta.required-fields", metaRequired)
	s.Passive("modern.client.meta.client-info", metaClientInfo)
	s.Passive("modern.client.meta.key-format", judges.MetaKeys)
	s.Passive("modern.client.meta.declares-elicitation", declaresElicitation)
	s.Passive("modern.client.meta.declares-sampling", declaresSampling)
	s.Passive("modern.client.meta.declares-roots", declaresRoots)
}

// metaRequired: a request of this revision says by itself which revision it is of and what its client can do.
func metaRequired(t *kit.T) {
	const expected = "protocolVersion and clientCapabilities in _meta"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client sent no request of this revision")
	for _, tr := range t.Transcripts() {
		served := servedModern(tr)
		for _, m := range t.MessagesIn(tr) {
			// Without _meta it is of this revision all the same, where that is all that is spoken.
			after := served != nil && m.Exchange.Sent > served.End && m.Method != methodInitialize
			if !isRequest(m.Message) || !isModern(m.Message) && !after {
				continue
			}
			var wrong []string
			for _, member := range []struct{ name, want string }{{"protocolVersion", "string"}, {"clientCapabilities", "object"}} {
				switch raw, there := m.Pointer(keyMeta + member.name); {
				case !there:
					wrong = append(wrong, "no "+member.name)
				case kit.JSONType(raw) != member.want:
					wrong = append(wrong, member.name+" "+kit.JSON(raw))
				}
			}
			if len(wrong) > 0 {
				t.BreachAt(m, expected, m.Method+" with "+strings.Join(wrong, ", "))
				continue
			}
			t.Saw()
		}
	}
}

func metaClientInfo(t *kit.T) {
	const expected = "clientInfo with name and version in _meta"
	t.Says(expected)
	eachModern(t, func(x *wire.Exchange, m wire.Message) {
		var info struct{ Name, Version *string }
		raw, there := m.Pointer(keyMeta + "clientInfo")
		switch {
		case !there:
			t.Warn(x, expected, what(x)+" without clientInfo")
		case m.Decode(keyMeta+"clientInfo", &info) != nil || info.Name == nil || info.Version == nil:
			t.Warn(x, expected, what(x)+" with clientInfo "+kit.JSON(raw))
		default:
			t.Saw()
		}
	})
}
