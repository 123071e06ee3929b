package legacy

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

var (
	// versionsNobodySpeaks lie outside every range of published revisions.
	versionsNobodySpeaks = []string{"2099-12-31", "1900-01-01"}
	// negotiableVersions are the published ones that initialize negotiates, oldest first.
	negotiableVersions = revision.Of(revision.Legacy)
)

// versions are initializes that differ in the version that they name and in nothing else: those that nobody speaks come right after the control,
// and whatever the server offers is asked for in turn.
var versions = kit.NewScript("lifecycle/versions", kit.Bare, func(c *kit.C) {
	ask := func(label, version string, options ...client.Option) (offered string) {
		x := c.Initialize(label, version, options...)
		if kit.RequestHeader(x, "MCP-Protocol-Version") != "" && revision.HasVersionHeader(version) && speaks(c.Facts, version) {
			c.Initialize(version+withoutHeader, version, client.WithoutVersion(), client.Broken("without MCP-Protocol-Version"))
		}
		return offeredVersion(x)
	}
	offered := []string{ask("control", c.Revision)}
	asked := slices.Concat(versionsNobodySpeaks, slices.DeleteFunc(slices.Clone(negotiableVersions), func(v string) bool { return v == c.Revision }))
	offers := make([]string, len(asked))
	var steps []func()
	for i, v := range asked {
		var options []client.Option
		if i < len(versionsNobodySpeaks) {
			options = append(options, client.Broken("naming a revision that does not exist"))
		}
		steps = append(steps, func() { offers[i] = ask(v, v, options...) })
	}
	if speaks(c.Facts, "2025-06-18") && speaks(c.Facts, "2025-11-25") {
		steps = append(steps, func() {
			c.Initialize(mismatch, "2025-06-18", client.WithVersion("2025-11-25"),
				client.Broken("asking for 2025-06-18 with MCP-Protocol-Version: 2025-11-25"))
		})
	}
	// Each opens a session: two at a time are no more than others have.
	for some := range slices.Chunk(steps, 2) {
		c.Beside(some...)
	}
	// A server that makes up versions is not followed for ever.
	offered = append(offered, offers...)
	for i := 0; i < len(offered) && len(asked) < 8; i++ {
		if v := offered[i]; v != "" && v != c.Revision && !slices.Contains(asked, v) {
			asked, offered = append(asked, v), append(offered, ask(v, v))
		}
	}
	c.Initialize("control after", c.Revision)
}, kit.Once(), kit.Long())

// mismatch is the label of an initialize that names another version in its header than in its body.
const mismatch = "mismatch"

// withoutHeader is what the label of an initialize ends with that does without MCP-Protocol-Version, where the server insists on it and the
// others carry it.
const withoutHeader = " without the header"

func speaks(f *kit.Facts, version string) bool { return slices.Contains(f.Echoed, version) }
