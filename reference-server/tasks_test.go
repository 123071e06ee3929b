package refserver

import "testing"

func TestTaskOnlyTool(t *testing.T) {
	_, p := start(t, Config{Profile: profile(t, "tasks")})
	p.open(Rev20251125)
	if code := errorCode(p.call("tools/call", `{"name":"report"}`)); code != codeMethodNotFound {
		t.Errorf("a plain call of a tool that must be called as a task gives %d", code)
	}
	if code := errorCode(p.call("tools/call", `{"name":"status","task":{}}`)); code != codeMethodNotFound {
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
	if code := errorCode(p.call("tasks/get", `{"taskId":"x"}`)); code != codeInvalidParams {
		t.Errorf("an unknown task gives %d", code)
	}
}

func TestTasksBelongToTheirRevision(t *testing.T) {
	_, p := start(t, Config{Profile: profile(t, "tasks")})
	p.open(Rev20250618)
	if code := errorCode(p.call("tasks/get", `{"taskId":"x"}`)); code != codeMethodNotFound {
		t.Errorf("tasks/get gives %d in a revision without tasks", code)
	}
	if code := errorCode(p.call("tools/call", `{"name":"report"}`)); code != codeInvalidParams {
		t.Errorf("a tool that is not offered gives %d", code)
	}
}
