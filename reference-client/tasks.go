package refclient

import (
	"context"
	"time"
)

// A task is how far the server says that a call is.
type task struct {
	ID           string `json:"taskId"`
	Status       string `json:"status"`
	PollInterval int    `json:"pollInterval"` // milliseconds
}

// runsAsTask tells that a tool is called as a task: it wants that, the server runs such, and the client knows how.
func (c *Client) runsAsTask(t tool) bool {
	switch {
	case c.modern || !c.tasks || c.on("plain-calls"):
		return false
	case c.on("tasks-everywhere"):
		return true
	}
	return (c.declares("tasks") || c.on("calls-as-task")) && t.Execution.TaskSupport == "required"
}

// callAsTask calls a tool as a task and fetches its result once there is one (2025-11-25: basic/utilities/tasks).
func (c *Client) callAsTask(ctx context.Context, t tool) error {
	var started struct {
		Task task `json:"task"`
	}
	params := map[string]any{"name": t.Name, "arguments": t.InputSchema.arguments(), "task": map[string]any{"ttl": time.Minute.Milliseconds()}}
	if err := c.ask(ctx, "tools/call", params, &started); err != nil {
		return err
	}
	at := started.Task
	id := map[string]any{"taskId": at.ID}
	for at.Status == "working" {
		select {
		case <-time.After(time.Duration(max(at.PollInterval, 100)) * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := c.ask(ctx, "tasks/get", id, &at); err != nil {
			return err
		}
	}
	_, err := c.request(ctx, "tasks/result", id)
	return err
}
