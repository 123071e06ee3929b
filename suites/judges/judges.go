// Package judges holds the judgements of shapes that both eras of the protocol share: JSON-RPC messages, lists and their pages, tools,
// resources, prompts, completions, log messages, icons, event streams, metadata documents. Each looks at messages only: at a T, and at
// exchanges, pages and lists. What differs by era it is told as a value: the ids of requirements, error codes, labels of exchanges,
// what a session is. Nothing here has an id of its own, sends anything, or knows of initialize, sessions, GET streams and resumption;
// that is the business of the era's room, which holds the ids and the scripts.
package judges
