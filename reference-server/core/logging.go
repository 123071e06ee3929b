package core

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// logLevels are those of RFC 5424, the least severe first (server/utilities/logging#log-levels).
func logLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

// defaultLevel is info: without a level set the server decides.
const defaultLevel = 1

func (c *Request) setLevel() (any, *jsonrpc.Error) {
	var params struct {
		Level *string `json:"level"`
	}
	if err := jsonrpc.DecodeParams(c.Message, &params); err != nil {
		return nil, err
	}
	if params.Level == nil {
		return nil, jsonrpc.InvalidParams("level is required")
	}
	level := slices.Index(logLevels(), *params.Level)
	if level < 0 {
		return nil, NoSuchLevel
	}
	c.Caller.State.mu.Lock()
	defer c.Caller.State.mu.Unlock()
	c.Caller.State.level = level
	return jsonrpc.Empty{}, nil
}

// NoSuchLevel is the error of a level that is none.
var NoSuchLevel = jsonrpc.InvalidParams("no such level")

// IsLevel tells whether a text is a level of log messages.
func IsLevel(level string) bool { return slices.Contains(logLevels(), level) }

// AsSevere tells whether a level is as severe as another, or more.
func AsSevere(level, other string) bool {
	return slices.Index(logLevels(), level) >= slices.Index(logLevels(), other)
}

// Wants tells whether messages of a level pass the threshold that the client set.
func (s *State) Wants(level string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Index(logLevels(), level) >= s.level
}

// LogMessage is the notification of a log message.
func LogMessage(level, text string) jsonrpc.Outgoing {
	return jsonrpc.Notification("notifications/message", map[string]any{"level": level, "logger": "reference", "data": text})
}
