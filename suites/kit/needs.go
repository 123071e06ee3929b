package kit

// A Need is a fact that a script or check depends on. Unmet: not sent, not-applicable. Unknown: not-observed.
type Need struct {
	// Otherwise says in a sentence why the requirement does not apply where the fact is "no".
	Otherwise string
	// Unclear says why nothing can be said where the fact is unknown; BlockedBy tells the requirement that judges the cause, nil where
	// there is none.
	Unclear   string
	BlockedBy func(*Era) string
	// Cause says why the fact is unknown where no requirement judges that.
	Cause func(*Facts) Cause
	// Streams: conversations that have the need want their answers on event streams.
	Streams bool
	// GetStream: conversations that have the need open a GET stream.
	GetStream bool
	Of        func(*Facts) Fact
}

func (n Need) apply(s *settings) { s.needs = append(s.needs, n) }

func (n Need) blocker(e *Era) string {
	if n.BlockedBy == nil {
		return ""
	}
	return n.BlockedBy(e)
}

// Root tells the requirement that reports where nothing opens.
func Root(e *Era) string { return e.Root }

// Harmless tells the requirement that reports where no harmless request is served.
func Harmless(e *Era) string { return e.Harmless }

// Requirement tells always the same requirement.
func Requirement(id string) func(*Era) string { return func(*Era) string { return id } }

// The needs that every era knows.
var (
	// Open: there is a session (in the loose sense: initialize was answered).
	Open = Need{
		Otherwise: "initialize is not served",
		Unclear:   "initialize was not answered with a result",
		BlockedBy: Root,
		Of:        func(f *Facts) Fact { return f.Opened },
	}
	// Serves: a harmless request was served, so that there can be a control.
	Serves = Need{
		Otherwise: "the server serves no request",
		Unclear:   "neither ping nor a list was served, so there is no control to compare with",
		BlockedBy: Harmless,
		Of: func(f *Facts) Fact {
			if f.Safe != "" {
				return Yes
			}
			return Unknown
		},
	}
	// SSEAnswers: requests are answered on event streams.
	SSEAnswers = Need{
		Otherwise: "the server answers with JSON, not on event streams",
		Unclear:   "no request was answered",
		BlockedBy: Root,
		Streams:   true,
		Of:        func(f *Facts) Fact { return f.SSEAnswers },
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
		Cause:   func(*Facts) Cause { return Unnamed },
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
		Cause:     func(f *Facts) Cause { return f.unlisted },
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
func Capability(name string) Need { return AnyCapability("the server does not declare "+name, name) }

// AnyCapability is the need for one of several, whichever; otherwise says that none of them is declared.
func AnyCapability(otherwise string, names ...string) Need {
	return Need{
		Otherwise: otherwise,
		Unclear:   "the declared capabilities could not be read",
		BlockedBy: Root,
		Of: func(f *Facts) Fact {
			found := No
			for _, name := range names {
				switch f.Capability(name) {
				case Yes:
					return Yes
				case Unknown:
					found = Unknown
				}
			}
			return found
		},
	}
}
