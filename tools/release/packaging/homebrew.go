package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// homebrew writes a formula for the archives that users download.
func homebrew(r *release) error {
	folder, err := r.output("homebrew")
	if err != nil {
		return err
	}
	replace := []string{"{{version}}", r.version, "{{summary}}", summary, "{{homepage}}", homepage}
	for _, a := range r.archives {
		key := a.os + "/" + a.arch
		replace = append(replace, "{{url "+key+"}}", homepage+"/releases/download/v"+r.version+"/"+a.name, "{{sha256 "+key+"}}", a.sha256)
	}
	if err := os.WriteFile(filepath.Join(folder, "mcpcheck.rb"), []byte(text("mcpcheck.rb", replace...)), 0o644); err != nil {
		return fmt.Errorf("writing the formula: %w", err)
	}
	return nil
}
