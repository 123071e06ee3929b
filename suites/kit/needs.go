package kit

// A Need is a fact that a script or check depends on. Unmet: not sent, not-applicable. Unknown: not-observed.
type Need struct {
	// Otherwise says in a sentence why the requirement does not apply where the fact is "no".
	Otherwise string
	// Unclear says why nothing can be said where the fact is unknown; BlockedBy names the requirement that judges the cause.
	Unclear   string
	BlockedBy string
	// Streams: conversations that have the need want their answers on event streams.
	Streams bool
	Of      func(*Facts) Fact
}

func (n Need) apply(s *settings) { s.needs = append(s.needs, n) }

// The needs.
var (
	// Open: there is a session (in the loose sense: initialize was answered).
	Open = Need{
		Otherwise: "initialize is not served",
		Unclear:   "initialize was not answered with a result",
		BlockedBy: "lifecycle.initialize.answered",
		Of:        func(f *Facts) Fact { return f.Opened },
	}
	// Serves: a harmless request was served, so that there can be a control.
	Serves = Need{
		Otherwise: "the server serves no request",
		Unclear:   "neither ping nor a list was served, so there is no control to compare with",
		BlockedBy: "utilities.ping.answered",
		Of: func(f *Facts) Fact {
			if f.Safe != "" {
				return Yes
			}
			return Unknown
		},
	}
	// Sessions: the server assigns session ids.
	Sessions = Need{
		Otherwise: "the server assigns no session id",
		Unclear:   "no session could be opened",
		BlockedBy: "lifecycle.initialize.answered",
		Of:        func(f *Facts) Fact { return f.Sessions },
	}
	// GetStream: GET opens an event stream.
	GetStream = Need{
		Otherwise: "GET opens no listening stream: it is answered 405, or starts HTTP+SSE",
		Unclear:   "GET gave neither a stream nor 405",
		BlockedBy: "transport.get.sse-or-405",
		Of:        func(f *Facts) Fact { return f.GetStream },
	}
	// SSEAnswers: requests are answered on event streams.
	SSEAnswers = Need{
		Otherwise: "the server answers with JSON, not on event streams",
		Unclear:   "no request was answered",
		BlockedBy: "lifecycle.initialize.answered",
		Streams:   true,
		Of:        func(f *Facts) Fact { return f.SSEAnswers },
	}
	// EventIDs: events carry ids.
	EventIDs = Need{
		Otherwise: "the server gives its events no ids",
		Unclear:   "no event was seen",
		BlockedBy: "lifecycle.initialize.answered",
		Streams:   true,
		Of:        func(f *Facts) Fact { return f.EventIDs },
	}
	// Tools and the others: the server declares the feature.
	Tools       = Capability("tools")
	Resources   = Capability("resources")
	Prompts     = Capability("prompts")
	Completions = Capability("completions")
	Logging     = Capability("logging")
	// Named: the user named a tool that may be called.
	Named = Need{
		Unclear: "no tool was named with --call, and mcpcheck calls none of its own accord that might change something",
		Of: func(f *Facts) Fact {
			if len(f.Named) > 0 {
				return Yes
			}
			return Unknown
		},
	}
	// AnyList: a list method of a declared feature is served.
	AnyList = Need{
		Otherwise: "the server declares no feature with a list",
		Unclear:   "no list request was served",
		Of: func(f *Facts) Fact {
			if f.List != "" {
				return Yes
			}
			for _, l := range ListMethods {
				if f.Capability(l.Capability) != No {
					return Unknown
				}
			}
			return No
		},
	}
)

// Capability is the need for a declared capability, or a part of one such as "resources.subscribe".
func Capability(name string) Need {
	return Need{
		Otherwise: "the server does not declare " + name,
		Unclear:   "the declared capabilities could not be read",
		BlockedBy: "lifecycle.initialize.answered",
		Of:        func(f *Facts) Fact { return f.Capability(name) },
	}
}
