package legacy

import (
	"encoding/json"
	"fmt"

	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func tools(s *kit.Section) {
	toolsList(s)
	toolsCall(s)
	toolsStructured(s)
	toolsChanged(s)
}

func toolsList(s *kit.Section) {
	inventory := Inventory()

	s.Check("tools.list.unique-names", inventory, func(t *kit.T) {
		t.Says("every tool name once")
		t.Control("tools/list")
		seen := map[string]bool{}
		for _, x := range t.Transcript().Exchanges {
			if x.RequestMessage().Method != "tools/list" || !x.Served() {
				continue
			}
			answer, _ := x.Answer()
			var tools []struct {
				Name json.RawMessage `json:"name"`
			}
			if answer.Decode("/result/tools", &tools) != nil {
				t.NotObservedAt(x, "the list of tools cannot be read")
			}
			for _, tool := range tools {
				name := string(tool.Name)
				if seen[name] {
					t.Warn(x, "every tool name once", fmt.Sprintf("the name %s again", name))
				}
				seen[name] = true
			}
			t.OK(x, "%d tools, every name once", len(seen))
		}
	}, kit.Tools)
}
