package main

import (
	"cmp"
	"strings"
)

// stdioOnly explains that a server without a URL cannot be judged yet, and how it gets one.
func stdioOnly(server []string) error {
	const bridge = "a bridge gives it a URL, and then its messages are judged with the transport of the bridge:\n" +
		"  mcpcheck http://localhost:8000/mcp -- npx -y supergateway --outputTransport streamableHttp --stateful --port 8000 --stdio COMMAND\n" +
		"  mcpcheck http://localhost:8000/mcp -- uvx mcp-proxy --port 8000 -- COMMAND\n" +
		"if the command starts an HTTP server, put its URL before the --"
	command := make([]string, len(server))
	for i, word := range server {
		command[i] = word
		if !copied.MatchString(word) {
			command[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	plain := strings.Join(command, " ")
	quoted := "'" + strings.ReplaceAll(plain, "'", `'\''`) + "'"
	hint := strings.Replace(strings.Replace(bridge, "--stdio COMMAND", "--stdio "+quoted, 1), "-- COMMAND", "-- "+plain, 1)
	return usagef(hint, "-- without a URL before it means a server over stdio (%s), and stdio is not judged yet", cmp.Or(server[0], "''"))
}
