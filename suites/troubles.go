package suites

import (
	"fmt"
	"math"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/report"
)

// troubles say in sentences what the run noticed about how the server bore it.
func (r *Record) troubles() []report.Trouble {
	var all []report.Trouble
	waited := slices.ContainsFunc(r.Troubles, func(t client.Trouble) bool { return t.Kind == client.SessionRate })
	for _, t := range r.Troubles {
		if t.Kind == client.SessionsRefused && waited {
			all = append(all, report.Trouble{Kind: string(t.Kind), Ends: t.Ends(), Do: troubleDo(t),
				Says: fmt.Sprintf("the server opened no more than %d sessions in the time that the run waited for them", t.Count)})
			continue
		}
		all = append(all, report.Trouble{Kind: string(t.Kind), Says: troubleSays(t), Do: troubleDo(t), Ends: t.Ends()})
	}
	return all
}

func troubleSays(t client.Trouble) string {
	during := t.During
	if during == "" {
		during = "some request"
	}
	switch t.Kind {
	case client.Gone:
		if t.Recovered {
			return fmt.Sprintf("the server ended after %s, and was started again", during)
		}
		return fmt.Sprintf("the server stopped answering after %s (connection refused since)", during)
	case client.Hanging:
		return fmt.Sprintf("the server stopped answering after %s: one harmless request after another got no answer in time", during)
	case client.StreamsBlock:
		be := "are"
		if t.Count == 1 {
			be = "is"
		}
		says := fmt.Sprintf("the server stops answering while %d GET stream%s %s open", t.Count, plural(t.Count), be)
		switch {
		case t.Recovered:
			return says + ", so streams were opened one by one"
		case t.Count == 1:
			return says + ", so everything else was looked at without one"
		}
		return says
	case client.Failing:
		return fmt.Sprintf("the server answers everything with %d on and after %s; what it served last was %s", t.Status, during, t.Before)
	case client.Instances:
		return "requests of a live session are refused and served in turn, as several instances without shared sessions would"
	case client.StreamsExclude:
		return "the server refuses a second GET stream while one is open, so streams were opened one by one"
	case client.SessionsRefused:
		return fmt.Sprintf("the server refuses more than %d session%s", t.Count, plural(t.Count))
	case client.SessionCap:
		// What refuses now and then for load looks the same once or twice, so that no more is said than was seen.
		return fmt.Sprintf("sessions were refused while %d %s open, and opened once fewer were: the run kept within that", t.Count, wasWere(t.Count))
	case client.Throttled:
		return fmt.Sprintf("the run was limited to about %.0f requests a second by answers of 429", max(1, t.Rate)) + foretold(t)
	case client.SessionRate:
		seconds := int(math.Round(t.Latency.Seconds()))
		return fmt.Sprintf("the server opens about %d session%s in %d second%s, and the run waited for more", t.Count, plural(t.Count), seconds, plural(seconds)) + foretold(t)
	case client.Slow:
		return fmt.Sprintf("an answer takes about %.1f seconds", t.Latency.Seconds()) + foretold(t)
	case client.OutOfTime:
		return "the time for the run was over before everything was looked at"
	case client.DeleteHangs:
		return "the server does not answer DELETE, so that sessions are left to end by themselves"
	case client.Cut:
		return fmt.Sprintf("%d answer%s cut off: of more than %s, or with too much in it (heads, events, items, values), mcpcheck reads no more than the beginning",
			t.Count, map[bool]string{true: " was", false: "s were"}[t.Count == 1], size(t.Bytes))
	case client.GatewayErrors:
		return fmt.Sprintf("%s is answered %d by something in front of the server", share(t), t.Status)
	}
	return string(t.Kind)
}

// foretold says what was said of how long the run would take.
func foretold(t client.Trouble) string {
	if t.Forecast == 0 {
		return ""
	}
	return ", so that it was to take " + About(t.Forecast)
}

// share says how many of the requests it is.
func share(t client.Trouble) string {
	words := map[int]string{2: "second", 3: "third", 4: "fourth", 5: "fifth"}
	every := float64(t.Of) / float64(max(1, t.Count))
	if word, ok := words[int(every+0.5)]; ok && t.Count >= 5 {
		return "about every " + word + " request"
	}
	return fmt.Sprintf("one harmless request or another (%d of %d)", t.Count, t.Of)
}

// size writes a limit in MiB.
func size(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%.4g KiB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%.4g MiB", float64(bytes)/(1<<20))
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func wasWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func troubleDo(t client.Trouble) string {
	switch t.Kind {
	case client.Gone:
		return "look into the server's log for that moment and start it again; behind -- mcpcheck starts it, tells how it ended, and goes on"
	case client.Hanging:
		return "look at what the server waits for; with --only the area that matters the run may get past it"
	case client.Failing:
		return "look into the server's log for that moment, and start it again"
	case client.Instances:
		return "let the instances share their sessions, or send each session to the instance that opened it"
	case client.StreamsBlock:
		return "let the server handle requests while a stream is open: a worker for each stream is not enough"
	case client.SessionsRefused:
		return "allow more sessions for the check, or let DELETE free them; --revision and --only need fewer"
	case client.OutOfTime:
		return "give it more with --max-time, or select what matters with --only"
	case client.Cut:
		return "let the server send less in one answer: lists have pages, and a client that keeps a stream has to hold all of it"
	case client.SessionRate:
		return "allow more sessions for the check; --revision and --only need fewer"
	case client.Throttled:
		return "allow more for the check, or be patient"
	case client.GatewayErrors:
		return "check the server itself, past the proxy or gateway"
	}
	return ""
}
