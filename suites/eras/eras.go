// Package eras lists the eras that this version judges. The engine knows none of them: whoever builds a suite hands them in.
package eras

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/clients"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/legacy"
	"github.com/mcpcheck/mcpcheck/suites/modern"
)

// All are the eras that this version judges, oldest first.
func All() []*kit.Era { return []*kit.Era{legacy.Era(), modern.Era()} }

// Clients are the checks of clients, oldest era first.
func Clients() []*kit.Era { return clients.Eras() }

// Everything is All and Clients: for who wants to know what is judged. No run has both.
func Everything() []*kit.Era { return slices.Concat(All(), Clients()) }
