package clients

import (
	"bytes"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// eachModern visits the requests of the client that name their revision, which a dual-era client's initialize does not.
func eachModern(t *kit.T, visit func(*wire.Exchange, wire.Message)) {
	t.Unseen(kit.Unprovoked, "the client sent no request of this revision")
	for _, x := range posts(t) {
		if m := x.RequestMessage(); isModern(m) && isRequest(m) {
			visit(x, m)
		}
	}
}

// servedModern is the first request of this revision that was served, nil without one.
func servedModern(tr *wire.Transcript) *wire.Exchange {
	for _, x := range tr.Exchanges {
		if isModern(x.RequestMessage()) && x.Served() {
			return x
		}
	}
	return nil
}

// discovered is the server/discover that a server of this revision answered, nil without one.
func discovered(tr *wire.Transcript) *wire.Exchange {
	for _, o := range tr.Exchanges {
		if o.RequestMessage().Method == "server/discover" && o.Served() {
			return o
		}
	}
	return nil
}

// keyMeta is where the members stand that every request has.
const keyMeta = "/params/_meta/io.modelcontextprotocol~1"

// versionOf is the version that a message names in its _meta, "" for those of the other era.
func versionOf(m wire.Message) string {
	var version string
	_ = m.Decode(keyVersion, &version) // modern.client.meta.required-fields has it
	return version
}

// resultTypeOf is the resultType of an answer, and whether there is one.
func resultTypeOf(x *wire.Exchange) (kind string, there bool) {
	m, _ := x.Answer()
	raw, there := m.Pointer("/result/resultType")
	_ = m.Decode("/result/resultType", &kind) // what is no text is no type that anybody knows
	return kind, there && raw != nil
}

func hasCursor(m wire.Message) bool {
	_, there := m.Pointer("/params/cursor")
	return there
}

// sameTarget tells that two requests are of one tool, prompt or resource.
func sameTarget(a, b wire.Message) bool {
	for _, pointer := range []string{"/params/name", "/params/uri"} {
		x, _ := a.Pointer(pointer)
		y, _ := b.Pointer(pointer)
		if !bytes.Equal(x, y) {
			return false
		}
	}
	return true
}
