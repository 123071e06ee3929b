package refserver

import "time"

// A task is a call of a tool whose result the client fetches later (2025-11-25: basic/utilities/tasks). Tasks last as long as their
// session, so that ttl is null.
type task struct {
	TaskID        string `json:"taskId"`
	Status        string `json:"status"`
	CreatedAt     string `json:"createdAt"`
	LastUpdatedAt string `json:"lastUpdatedAt"`
	TTL           *int   `json:"ttl"`
	PollInterval  int    `json:"pollInterval"`
	result        toolResult
}

type tasksCapability struct {
	Requests struct {
		Tools struct {
			Call empty `json:"call"`
		} `json:"tools"`
	} `json:"requests"`
}

type toolExecution struct {
	TaskSupport string `json:"taskSupport"`
}

const maxTasks = 100

// offersTasks: where a session can keep them, and in the revision that has them.
func (c *request) offersTasks() bool {
	return c.s.profile.Tasks && c.s.profile.Sessions && c.session.revision >= Rev20251125
}

// wrongWay refuses a plain call of a tool that must be called as a task, and a task of a tool that knows none, with -32601
// (basic/utilities/tasks#tool-level-negotiation).
func (c *request) wrongWay(t tool, asTask bool) *rpcError {
	if !c.offersTasks() || t.task == asTask {
		return nil
	}
	if t.task {
		return &rpcError{Code: codeMethodNotFound, Message: "this tool must be called as a task"}
	}
	return &rpcError{Code: codeMethodNotFound, Message: "this tool cannot be called as a task"}
}

// startTask answers with the task, which is done by the time that anybody asks.
func (c *request) startTask(t tool) (any, *rpcError) {
	result, err := t.run(c)
	if err != nil {
		return nil, err
	}
	now := c.s.now().UTC().Format(time.RFC3339)
	started := task{TaskID: randomID(), Status: "working", CreatedAt: now, LastUpdatedAt: now, PollInterval: 100}
	done := started
	done.Status, done.result = "completed", result.(toolResult)
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	if len(c.session.tasks) >= maxTasks {
		return nil, &rpcError{Code: codeInternal, Message: "too many tasks"}
	}
	c.session.tasks[done.TaskID] = done
	return struct {
		Task task `json:"task"`
	}{started}, nil
}

func (c *request) task() (task, *rpcError) {
	var params struct {
		TaskID string `json:"taskId"`
	}
	if err := decodeParams(c.message, &params); err != nil {
		return task{}, err
	}
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	t, ok := c.session.tasks[params.TaskID]
	if !ok {
		return task{}, invalidParams("unknown task")
	}
	return t, nil
}

func (c *request) getTask() (any, *rpcError) {
	t, err := c.task()
	return t, err
}

// taskResult is what the tool would have answered, with the task that it belongs to (basic/utilities/tasks#related-task-metadata).
func (c *request) taskResult() (any, *rpcError) {
	t, err := c.task()
	return struct {
		toolResult
		Meta map[string]any `json:"_meta"`
	}{t.result, map[string]any{"io.modelcontextprotocol/related-task": map[string]any{"taskId": t.TaskID}}}, err
}
