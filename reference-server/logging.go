package refserver

import "slices"

// logLevels are those of RFC 5424, the least severe first (server/utilities/logging#log-levels).
func logLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

// defaultLevel is info: without a level set the server decides.
const defaultLevel = 1

func (c *request) setLevel() (any, *rpcError) {
	var params struct {
		Level *string `json:"level"`
	}
	if err := decodeParams(c.message, &params); err != nil {
		return nil, err
	}
	if params.Level == nil {
		return nil, invalidParams("level is required")
	}
	level := slices.Index(logLevels(), *params.Level)
	if level < 0 {
		return nil, invalidParams("no such level")
	}
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	c.session.level = level
	return empty{}, nil
}

// wants tells whether messages of a level pass the threshold of the session.
func (s *session) wants(level string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Index(logLevels(), level) >= s.level
}

func logMessage(level, text string) outgoing {
	return notification("notifications/message", map[string]any{"level": level, "logger": "reference", "data": text})
}

// logs sends a log message that belongs to the request. Without sessions the capability is not declared, and nothing sent.
func (c *request) logs(level, text string) {
	if c.s.dev.has(switchLogSession, c.scene) {
		text += " in session " + c.session.id
	}
	if c.s.profile.Sessions && (c.session.wants(level) || c.s.dev.has(switchIgnoreLevel, c.scene)) {
		c.notify(logMessage(level, text))
	}
}
