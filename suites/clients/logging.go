package clients

import "github.com/mcpcheck/mcpcheck/suites/kit"

func logging(s *kit.Section) {
	s.Passive("logging.client.set-level", func(t *kit.T) {
		levelsValid(t, "/params/level", func(m kit.Seen) bool { return m.Method == "logging/setLevel" })
	})
}

func loggingModern(s *kit.Section) {
	s.Passive("modern.client.logging.level-valid", func(t *kit.T) {
		levelsValid(t, keyMeta+"logLevel", func(m kit.Seen) bool { return isModern(m.Message) && m.Method != "logging/setLevel" })
		for _, m := range t.Messages() {
			if m.Method == "logging/setLevel" && isModern(m.Message) {
				t.WarnAt(m, "the level in _meta of each request", "logging/setLevel")
			}
		}
	})
}
