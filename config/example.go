package config

import (
	"fmt"
	"strconv"
	"strings"
)

// Example is a configuration for one server, with everything else that may stand in it as comments.
func Example(url string) []byte {
	var b strings.Builder
	b.WriteString("# What mcpcheck checks, and how. Flags and MCPCHECK_... variables win over this file.\n")
	b.WriteString("# The schema for editors: mcpcheck schema config > mcpcheck.schema.json\n")
	b.WriteString("# yaml-language-server: $schema=mcpcheck.schema.json\n\n")
	b.WriteString("# What holds for every target that does not say otherwise.\ndefaults:\n")
	comments(&b, "  ", settingKeys)
	b.WriteString("\ntargets:\n")
	fmt.Fprintf(&b, "  - url: %s\n", strconv.Quote(url))
	comments(&b, "    ", targetKeys[1:])
	b.WriteString("    # and all that may stand among the defaults\n\n")
	comments(&b, "", runKeys)
	return []byte(b.String())
}

func comments(b *strings.Builder, indent string, keys []key) {
	for _, k := range keys {
		help := k.help
		if k.words != nil {
			help += ": " + strings.Join(k.words, ", ")
		}
		fmt.Fprintf(b, "%s# %s: %s    # %s\n", indent, k.name, k.example, help)
	}
}
