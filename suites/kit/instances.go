package kit

// sessionHeader is the header field that carries the session id.
const sessionHeader = "Mcp-Session-Id"

// turns is how often a session must have been refused, and served again after that, before it counts as refused and served in turn.
const turns = 2

// inTurn tells that a session which nobody ended was refused with 404 and served again, with the same request and more than once each: several instances without
// shared sessions answer like that, and what one of them says of a session is no answer of the server.
func (r *Recording) inTurn(session string) bool {
	if session == "" {
		return false
	}
	r.turning.Do(func() {
		type state struct {
			refused      bool
			losses, back int
		}
		states, ended := map[string]*state{}, map[string]bool{}
		for _, t := range r.Transcripts {
			for _, x := range t.Exchanges {
				id := header(x.Request.Header, sessionHeader)
				if x.Request.Method == "DELETE" {
					ended[id] = true
				}
				if id == "" || x.Broken != "" || ended[id] || x.Response == nil {
					continue
				}
				kind := id + " " + kindOf(x.RequestMessage())
				s := states[kind]
				if s == nil {
					s = &state{}
					states[kind] = s
				}
				switch {
				case x.Status() == 404 && !s.refused:
					s.refused = true
					s.losses++
				case x.Status()/100 == 2 && s.refused:
					s.refused = false
					s.back++
				}
			}
		}
		for _, s := range states {
			if s.losses >= turns && s.back >= turns {
				r.turned = true
			}
		}
	})
	return r.turned
}
