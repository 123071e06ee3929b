package legacy_test

import (
	"testing"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

func TestTaskOnlyTool(t *testing.T) {
	_, p := start(t, refserver.Config{Profile: profile(t, "tasks")})
	p.open(revision.V20251125)
	if code := errorCode(p.call("tools/call", `{"name":"report"}`)); code != jsonrpc.CodeMethodNotFound {
		t.Errorf("a plain call of a tool that must be called as a task gives %d", code)
	}
	if code := errorCode(p.call("tools/call", `{"name":"status","task":{}}`)); code != jsonrpc.CodeMethodNotFound {
		t.Errorf("a task of a tool that knows none gives %d", code)
	}
	started := result(t, p.call("tools/call", `{"name":"report","arguments":{},"task":{"ttl":1000}}`))["task"].(map[string]any)
	id := `{"taskId":"` + started["taskId"].(string) + `"}`
	if got := result(t, p.call("tasks/get", id)); started["status"] != "working" || got["status"] != "completed" {
		t.Errorf("the task is %v and then %v", started, got)
	}
	if got := result(t, p.call("tasks/result", id)); got["content"] == nil || got["_meta"] == nil {
		t.Errorf("the result of the task is %v", got)
	}
	if code := errorCode(p.call("tasks/get", `{"taskId":"x"}`)); code != jsonrpc.CodeInvalidParams {
		t.Errorf("an unknown task gives %d", code)
	}
}

func TestTasksBelongToTheirRevision(t *testing.T) {
	_, p := start(t, refserver.Config{Profile: profile(t, "tasks")})
	p.open(revision.V20250618)
	if code := errorCode(p.call("tasks/get", `{"taskId":"x"}`)); code != jsonrpc.CodeMethodNotFound {
		t.Errorf("tasks/get gives %d in a revision without tasks", code)
	}
	if code := errorCode(p.call("tools/call", `{"name":"report"}`)); code != jsonrpc.CodeInvalidParams {
		t.Errorf("a tool that is not offered gives %d", code)
	}
}
