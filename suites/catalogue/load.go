package catalogue

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/revision"
)

//go:embed legacy/*.yaml modern/*.yaml rests-on.yaml
var embedded embed.FS

// areasOf returns the areas of an era in catalogue order, which is the order of the files.
func areasOf(era string) []string {
	switch era {
	case revision.Legacy:
		return []string{"lifecycle", "version-header", "transport", "session", "sse", "resumability", "http-sse",
			"jsonrpc", "security", "auth", "tools", "resources", "prompts", "completion", "logging", "pagination",
			"utilities"}
	case revision.Modern:
		return []string{"versioning", "discover", "transport", "headers", "meta", "jsonrpc", "sse", "subscriptions",
			"cancellation", "progress", "mrtr", "caching", "pagination", "tools", "resources", "prompts",
			"completion", "logging", "security", "auth", "legacy-compat"}
	}
	return nil
}

// load reads the files of both eras and checks them one by one and together. A file that belongs to no area is an
// error: its entries would be lost without a word.
func load(files fs.FS) (*Catalogue, error) {
	var (
		all      []Entry
		problems []error
	)
	for _, era := range []string{revision.Legacy, revision.Modern} {
		for _, area := range areasOf(era) {
			name := era + "/" + area + ".yaml"
			data, err := fs.ReadFile(files, name)
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", name, err))
				continue
			}
			entries, err := parse(name, data)
			if err != nil {
				problems = append(problems, err)
				continue
			}
			all = append(all, entries...)
		}
		names, err := fs.Glob(files, era+"/*.yaml")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if area := strings.TrimSuffix(path.Base(name), ".yaml"); !slices.Contains(areasOf(era), area) {
				problems = append(problems, fmt.Errorf("%s: no such area in the %s era", name, era))
			}
		}
	}
	problems = append(problems, validate(all)...)
	independent, err := loadRests(files, all)
	if err != nil {
		problems = append(problems, err)
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("catalogue: %w", errors.Join(problems...))
	}
	c := newCatalogue(all)
	c.independent = independent
	return c, nil
}
