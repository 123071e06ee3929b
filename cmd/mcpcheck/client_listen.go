package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/mcpcheck/mcpcheck/mock"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/starts"
	"github.com/mcpcheck/mcpcheck/wire"
)

// meetByHand has a person let their client meet the personas, one after another at one URL.
func (c *command) meetByHand(ctx context.Context, record *starts.Record, run mock.Options, o *options) error {
	at, err := settleEndpoint(o)
	if err != nil {
		return err
	}
	defer func() { _ = at.front.Close() }()
	run.Listen, run.Path, run.URL, run.Hosts = at.front.Listen, at.path, at.url, at.hosts
	run.OneURL, run.Limit = true, -1
	record.ByHand, record.Command = true, "a client at "+at.url
	// Who has seen enough ends the starts, and what was recorded is judged: that is no interruption.
	starting, enough := context.WithCancel(ctx)
	defer enough()
	keys, restore := c.keys()
	defer restore()
	defer c.interrupts.onExit(restore)()
	hand := &hand{panel: c.panel(keys.single), keys: keys.pressed, enough: enough}
	hand.panel.begin(at)
	run.Client = hand
	met, err := mock.Run(starting, run)
	if err != nil {
		return err
	}
	file(record, met, ctx.Err() != nil)
	return nil
}

// An endpoint is where clients of a person connect.
type endpoint struct {
	front     *mock.Front
	url, path string
	hosts     []string
	// remote tells that other machines can connect.
	remote bool
}

// settleEndpoint listens where the user says. What is not loopback has to be meant, and gets a path that cannot be guessed.
func settleEndpoint(o *options) (*endpoint, error) {
	host, port, err := net.SplitHostPort(o.listen)
	if err != nil {
		return nil, usagef("write it as --listen 127.0.0.1:8080; port 0 takes a free one", "--listen %q is no address with a port", o.listen)
	}
	ip := net.ParseIP(host)
	p := &endpoint{path: "/mcp", remote: host != "localhost" && (ip == nil || !ip.IsLoopback())}
	if p.remote && !o.remote {
		return nil, usagef("listen on 127.0.0.1, or add --allow-remote where other machines are to connect",
			"--listen %s lets other machines connect", o.listen)
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, usagef("choose another --listen address", "listening for the client: %w", err)
	}
	_, port, _ = net.SplitHostPort(l.Addr().String()) // is one
	if p.remote {
		p.path = "/mcp-" + strings.ToLower(rand.Text()[:16])
		p.hosts = thisMachine(host)
		host = p.hosts[0]
	}
	p.front, p.url = mock.NewFront(l), "http://"+net.JoinHostPort(host, port)+p.path
	return p, nil
}

// thisMachine has the names by which others may call this machine, the one to show first.
func thisMachine(host string) []string {
	var names []string
	if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
		names = append(names, host)
	}
	addresses, _ := net.InterfaceAddrs() // without them there is the name
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			names = append(names, n.IP.String())
		}
	}
	if name, err := os.Hostname(); err == nil {
		names = append(names, name)
	}
	return append(names, "localhost")
}

// A hand is the client of a person, who is told what to do with it and says when that is done.
type hand struct {
	panel  *panel
	keys   <-chan byte
	enough func()
}

// What a person can say.
const (
	keyNext  = 'n'
	keyAgain = 'a'
	keySkip  = 's'
	keyQuit  = 'q'
)

// Run shows a persona until the person goes on. Nobody can tell when a person has closed their client, so that what it left undone in the
// end says nothing.
func (h *hand) Run(ctx context.Context, m mock.Meeting) (mock.Ending, error) {
	h.panel.meet(m)
	m.Watch(h.panel.saw)
	defer h.panel.leave()
	ending := mock.Ending{How: wire.ByPerson, Cut: true}
	for {
		select {
		case <-ctx.Done():
			return ending, nil
		case key, more := <-h.keys:
			switch {
			case !more, key == keyQuit:
				h.enough()
				return ending, nil
			case key == keyNext:
				return ending, nil
			case key == keyAgain:
				ending.Again = true
				return ending, nil
			case key == keySkip:
				ending.Skip = true
				return ending, nil
			}
			h.panel.help()
		}
	}
}

// about is what is told of an arrival.
func about(a mock.Arrival) string {
	words := []string{a.Method, a.About}
	if a.Method == "" {
		words[0] = a.HTTP
	}
	return report.Visible(strings.TrimSpace(strings.Join(words, " ")))
}

// tasks are what the person is to do, and what shows that it was done.
func tasks(tool string) []task {
	return []task{
		{"connect your client", func(s map[string]int) bool { return s["initialize"]+s["server/discover"]+s["tools/list"] > 0 }},
		{"list the tools", func(s map[string]int) bool { return s["tools/list"] > 0 }},
		{fmt.Sprintf("call %s, twice", tool), func(s map[string]int) bool { return s["tools/call"] > 1 }},
		{"leave it alone for five seconds", nil},
		{"close the connection, or quit your client", func(s map[string]int) bool { return s["DELETE"] > 0 }},
	}
}

// A task is one of those; nothing shows that some were done.
type task struct {
	what string
	done func(seen map[string]int) bool
}
