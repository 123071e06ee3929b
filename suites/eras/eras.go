// Package eras lists the eras that this version judges. The engine knows none of them: whoever builds a suite hands them in.
package eras

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/legacy"
	"github.com/mcpcheck/mcpcheck/suites/modern"
)

// All are the eras that this version judges, oldest first.
func All() []*kit.Era { return []*kit.Era{legacy.Era(), modern.Era()} }
