package tables

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ReadFolder reads the tables of a folder, and the usual conversations in the folder usual in it. names are the files of the tables.
func ReadFolder(folder string) (d *Folder, names []string, err error) {
	// The patterns are well formed.
	names, _ = filepath.Glob(filepath.Join(folder, "*.txtar"))
	usual, _ := filepath.Glob(filepath.Join(folder, "usual", "*.txtar"))
	if len(names) == 0 || len(usual) == 0 {
		return nil, nil, fmt.Errorf("reading tables: none in %s, or no usual conversations in its folder usual", folder)
	}
	d = &Folder{}
	for i, name := range slices.Concat(usual, names) {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, fmt.Errorf("reading tables: %w", err)
		}
		add := d.Add
		if i < len(usual) {
			add = d.AddUsual
		}
		if err := add(strings.TrimSuffix(filepath.Base(name), ".txtar"), data); err != nil {
			return nil, nil, fmt.Errorf("reading tables: %w", err)
		}
	}
	return d, names, nil
}
