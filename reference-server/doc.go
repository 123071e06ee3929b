// Package refserver is a conforming MCP server over Streamable HTTP, and over the older HTTP+SSE, for the revisions with an
// initialize handshake (2024-11-05 to 2025-11-25), and the same server made wrong on purpose.
//
// The first half is what a server author may read as an example: [Server] is an http.Handler, its behaviour follows the
// specification clause by clause, and a [Profile] picks what the specification leaves open (sessions or none, JSON or SSE,
// with or without a GET stream). The second half, the files deviation*.go, turns one behaviour at a time into a fault: every
// answer has a named outcome, every message a selector, and a [Deviation] edits them. A server without a Deviation never
// enters that code.
//
// The package reads the specification on its own: it imports the standard library only, neither the checker that it tests
// nor an SDK. References in comments have the form page#anchor, below
// https://modelcontextprotocol.io/specification/REVISION/.
package refserver
