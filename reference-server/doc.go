// Package refserver is a conforming MCP server over Streamable HTTP, and over the older HTTP+SSE, for the revisions with an
// initialize handshake (2024-11-05 to 2025-11-25) and for 2026-07-28, which has none, and the same server made wrong on purpose.
//
// It is what others import; the server itself stands in the packages below it, each of which knows only those above it in this
// list:
//
//	revision   the list of the revisions, and which is newer
//	jsonrpc    messages: those of the client are read, those of the server are made
//	sse        events: how they are written
//	deviation  faults: edits of what goes out, switches, ways to generate identities
//	core       methods: what each does for a caller, whatever the era
//	web        HTTP: exchanges, answers, the guards and the tokens that every era has
//	profile    what the specification leaves to a server, by name
//	legacy     the era of sessions: initialize, GET streams, resumption, HTTP+SSE
//	modern     the era without: metadata in each request, questions in results, changes on the stream of a request
//
// An era is a package beside these: it makes a core.Caller of a request, answers by means of web, declares the switches that
// only it reads, and is handed the requests that are its own by [Server.ServeHTTP].
//
// The server is also what a server author may read as an example: its behaviour follows the specification clause by clause, and
// a [Profile] picks what the specification leaves open (sessions or none, JSON or SSE, with or without a GET stream). What makes
// it wrong is apart: the package deviation, the files deviations*.go of an era, and a line with a switch where a behaviour is left
// out. A server without a [Deviation] never enters that code.
//
// The package reads the specification on its own: it imports the standard library only, neither the checker that it tests
// nor an SDK. References in comments have the form page#anchor, below
// https://modelcontextprotocol.io/specification/REVISION/.
package refserver
