package core

import (
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// A task is a call of a tool whose result the client fetches later (2025-11-25: basic/utilities/tasks). Tasks last as long as
// the state of their caller, so that ttl is null.
type task struct {
	TaskID        string `json:"taskId"`
	Status        string `json:"status"`
	CreatedAt     string `json:"createdAt"`
	LastUpdatedAt string `json:"lastUpdatedAt"`
	TTL           *int   `json:"ttl"`
	PollInterval  int    `json:"pollInterval"`
	result        ToolResult
}

type tasksCapability struct {
	Requests struct {
		Tools struct {
			Call jsonrpc.Empty `json:"call"`
		} `json:"tools"`
	} `json:"requests"`
}

type toolExecution struct {
	TaskSupport string `json:"taskSupport"`
}

const maxTasks = 100

// offersTasks: where they can be kept, and in the revision that has them.
func (s *Server) offersTasks(caller Caller) bool {
	return s.Tasks && caller.Keeps && revision.AtLeast(caller.Revision, revision.V20251125)
}

// wrongWay refuses a plain call of a tool that must be called as a task, and a task of a tool that knows none, with -32601
// (basic/utilities/tasks#tool-level-negotiation).
func (c *Request) wrongWay(t tool, asTask bool) *jsonrpc.Error {
	if !c.Server.offersTasks(c.Caller) || t.task == asTask {
		return nil
	}
	if t.task {
		return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this tool must be called as a task"}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this tool cannot be called as a task"}
}

// startTask answers with the task, which is done by the time that anybody asks.
func (c *Request) startTask(t tool) (any, *jsonrpc.Error) {
	result, err := t.run(c)
	if err != nil {
		return nil, err
	}
	now := c.Server.Now().UTC().Format(time.RFC3339)
	started := task{TaskID: RandomID(), Status: "working", CreatedAt: now, LastUpdatedAt: now, PollInterval: 100}
	done := started
	done.Status, done.result = "completed", result.(ToolResult)
	c.Caller.State.mu.Lock()
	defer c.Caller.State.mu.Unlock()
	if len(c.Caller.State.tasks) >= maxTasks {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternal, Message: "too many tasks"}
	}
	c.Caller.State.tasks[done.TaskID] = done
	return struct {
		Task task `json:"task"`
	}{started}, nil
}

func (c *Request) task() (task, *jsonrpc.Error) {
	var params struct {
		TaskID string `json:"taskId"`
	}
	if err := jsonrpc.DecodeParams(c.Message, &params); err != nil {
		return task{}, err
	}
	c.Caller.State.mu.Lock()
	defer c.Caller.State.mu.Unlock()
	t, ok := c.Caller.State.tasks[params.TaskID]
	if !ok {
		return task{}, jsonrpc.InvalidParams("unknown task")
	}
	return t, nil
}

func (c *Request) getTask() (any, *jsonrpc.Error) {
	t, err := c.task()
	return t, err
}

// taskResult is what the tool would have answered, with the task that it belongs to (basic/utilities/tasks#related-task-metadata).
func (c *Request) taskResult() (any, *jsonrpc.Error) {
	t, err := c.task()
	return struct {
		ToolResult
		Meta map[string]any `json:"_meta"`
	}{t.result, map[string]any{"io.modelcontextprotocol/related-task": map[string]any{"taskId": t.TaskID}}}, err
}
