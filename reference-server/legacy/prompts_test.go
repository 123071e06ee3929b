package legacy_test

import (
	"encoding/json"
	"testing"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// Sound came with 2025-03-26. Without sessions the server cannot tell an older client, so that it sends none to either.
func TestPromptsKeepToTheRevision(t *testing.T) {
	for _, row := range []struct {
		profile, revision string
		sound             bool
	}{
		{"json", revision.V20241105, false}, {"json", revision.V20250326, true}, {"json", revision.V20251125, true},
		{"stateless", revision.V20241105, false}, {"stateless", revision.V20250326, false}, {"stateless", revision.V20250618, true},
	} {
		t.Run(row.profile+"/"+row.revision, func(t *testing.T) {
			_, p := start(t, refserver.Config{Profile: profile(t, row.profile)})
			p.open(row.revision)
			raw, err := json.Marshal(result(t, p.call("prompts/get", `{"name":"hello"}`)))
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Messages []struct{ Content struct{ Type string } }
			}
			if err := json.Unmarshal(raw, &got); err != nil {
				t.Fatal(err)
			}
			sound := false
			for _, m := range got.Messages {
				sound = sound || m.Content.Type == "audio"
			}
			if sound != row.sound {
				t.Errorf("sound: %v, want %v", sound, row.sound)
			}
		})
	}
}
