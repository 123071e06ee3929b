package legacy

// The switches of streams that are resumed.
var (
	switchReplayAll       = switches.Add("replay-all", "replays the events of all streams of the session")
	switchReplayInclusive = switches.Add("replay-inclusive", "starts a replay with the event that the client named")
	switchReplayStart     = switches.Add("replay-from-start", "starts a replay with the first event of the stream")
	switchReplayGap       = switches.Add("replay-gap", "leaves out the first event of a replay")
	switchReplayForeign   = switches.Add("replay-other-sessions", "replays events of other sessions too")
	switchReplayNothing   = switches.Add("replay-nothing", "answers Last-Event-ID with a fresh stream")
)

// find looks for the event that a client names in Last-Event-ID.
func (x *exchange) find(id string) (*stream, int) {
	st, next := x.session.log.find(id)
	if st != nil || !x.On(switchReplayForeign) {
		return st, next
	}
	for _, other := range x.s.OpenSessions() {
		if sess := x.s.sessions.get(other); sess != nil {
			if st, _ := sess.log.find(id); st != nil {
				return st, 0
			}
		}
	}
	return nil, 0
}

// resume finds what a GET with Last-Event-ID goes on with; nil is a fresh stream.
func (x *exchange) resume(id string) (*stream, int) {
	st, next := x.find(id)
	switch {
	case st == nil:
	case x.On(switchReplayNothing):
		return nil, 0
	case x.On(switchReplayStart):
		return st, 0
	case x.On(switchReplayInclusive):
		return st, next - 1
	case x.On(switchReplayGap):
		return st, next + 1
	case x.On(switchReplayAll):
		x.session.log.pour(st)
	}
	return st, next
}

// pour adds the events of the finished streams of the log to st, finished or not.
func (l *eventLog) pour(st *stream) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, other := range l.streams {
		if other != st && other.finished {
			st.events = append(st.events, other.events...)
		}
	}
	st.wake()
}
