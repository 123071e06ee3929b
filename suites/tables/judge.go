package tables

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// The lines that a row may have about the run. Values that are lists have spaces between them.
const (
	lineRevision    = "revision"
	lineTransport   = "transport"
	lineEchoed      = "echoed"
	lineNamed       = "named"
	lineCredentials = "credentials"
	lineDualEra     = "dual-era"
	lineHTTPSSE     = "http-sse"
	lineChallenged  = "challenged"
	lineURL         = "url"
	lineRemote      = "remote"
	lineDamaged     = "damaged"
	lineCapped      = "capped"
	lineElsewhere   = "elsewhere" // what is broken in another revision
	lineWithout     = "without"   // a script that was not recorded
)

var contextLines = []string{lineRevision, lineTransport, lineEchoed, lineNamed, lineCredentials, lineDualEra, lineHTTPSSE, lineChallenged, lineURL,
	lineRemote, lineDamaged, lineCapped, lineElsewhere, lineWithout}

// usualEnvironment is where the server of a row stands that does not say.
var usualEnvironment = kit.Environment{URL: wire.DefaultURL, Loopback: true}

// A Bench judges rows: the checks of an era, and what it is told of the era.
type Bench struct {
	Era    *kit.Era
	Checks []*kit.Check
	byID   map[string]*kit.Check
}

// Knows tells whether a check of the bench judges a requirement.
func (b *Bench) Knows(id string) bool { return b.check(id) != nil }

// ErrNoCheck is returned for a row whose requirement no check of the bench judges.
var ErrNoCheck = errors.New("no check has that id")

// Judge returns the result of a row of a table. The recording is that of the check's scripts as they usually go, the inventory first,
// with what the row says of them, and of others.
func (b *Bench) Judge(d *Folder, f *File, r *Row) (kit.Result, error) {
	check := b.check(r.ID)
	if check == nil {
		return kit.Result{}, fmt.Errorf("%s: %w", r.ID, ErrNoCheck)
	}
	recording, without, err := b.recording(r, check)
	if err != nil {
		return kit.Result{}, err
	}
	for _, script := range b.conversations(r, check, func(s string) bool { _, ok := d.conversation(f, s); return ok }) {
		if slices.Contains(without, script) {
			continue
		}
		t, err := d.transcript(f, r, script, recording)
		if err != nil {
			return kit.Result{}, fmt.Errorf("script %q: %w", script, err)
		}
		if t.Revision != recording.Revision && t.Subject == wire.ClientSubject {
			recording.Beside = append(recording.Beside, t)
			continue
		}
		recording.Transcripts = append(recording.Transcripts, t)
	}
	return kit.NewJudgeBy(recording, b.byID).Cell(r.ID), nil
}

// conversations lists the scripts that a row has a transcript of: the inventory, those of the check and of what it hangs on as far as they
// usually go somehow, and those that it speaks of itself.
func (b *Bench) conversations(r *Row, check *kit.Check, usual func(string) bool) []string {
	names := append([]string{b.Era.Inventory.Name}, b.scripts(check)...)
	names = slices.DeleteFunc(names, func(n string) bool { return !usual(n) })
	names = append(names, r.saysOf()...)
	var once []string
	for _, n := range names {
		if !slices.Contains(once, n) {
			once = append(once, n)
		}
	}
	return once
}

// scripts are those of a check, and behind them those of the checks that it hangs on.
func (b *Bench) scripts(check *kit.Check) []string {
	var names []string
	for _, s := range check.Scripts {
		names = append(names, s.Name)
	}
	for _, id := range check.Entry.RestsOn {
		if root := b.check(id); root != nil {
			names = append(names, b.scripts(root)...)
		}
	}
	return names
}

// transcript is what the row says of a script, or how that usually goes. The latter is made once: judges only read it.
func (d *Folder) transcript(f *File, r *Row, script string, of *kit.Recording) (*wire.Transcript, error) {
	usually, _ := d.conversation(f, script)
	if s := r.section(script); s != nil {
		return d.make(s, usually, of)
	}
	key := strings.Join([]string{of.Revision, of.Transport, script, usually}, "\n")
	if t := d.made[key]; t != nil {
		return t, nil
	}
	t, err := d.make(&section{script: script}, usually, of)
	if d.made == nil {
		d.made = map[string]*wire.Transcript{}
	}
	d.made[key] = t
	return t, err
}

// make makes a transcript of a recording.
func (d *Folder) make(s *section, usually string, of *kit.Recording) (*wire.Transcript, error) {
	dialogue, err := d.dialogue(s, usually, of.Revision)
	if err != nil {
		return nil, err
	}
	t, err := dialogue.Transcript()
	if err != nil {
		return nil, err
	}
	t.Script = s.script
	t.Revision, t.Transport = cmp.Or(t.Revision, of.Revision), cmp.Or(t.Transport, of.Transport)
	for _, x := range t.Exchanges {
		fillID(x)
		canonical(x)
	}
	return t, nil
}

// canonical spells the header fields of an answer as they are received, however a row does.
func canonical(x *wire.Exchange) {
	if x.Response == nil {
		return
	}
	spelled := http.Header{}
	for name, values := range x.Response.Header {
		for _, v := range values {
			spelled.Add(name, v)
		}
	}
	x.Response.Header = spelled
}

// idVariable stands for the id of its request in an answer.
const idVariable = "$ID"

func fillID(x *wire.Exchange) {
	if x.Response == nil || !bytes.Contains(x.Response.Body.Bytes(), []byte(idVariable)) {
		return
	}
	id := wire.ReadMessage(x.Request.Body.Bytes()).ID
	body := x.Response.Body.Bytes()
	fill := func(part []byte) []byte { return bytes.ReplaceAll(part, []byte(idVariable), id) }
	for i, c := range x.Response.Chunks {
		x.Response.Chunks[i].End = int64(len(fill(body[:c.End])))
	}
	x.Response.Body = wire.NewBody(fill(body))
}

// recording returns what the row says of the run, and the scripts that were not recorded.
func (b *Bench) recording(r *Row, check *kit.Check) (recording *kit.Recording, without []string, err error) {
	recording = &kit.Recording{Era: b.Era, Transport: kit.StreamableHTTP, Environment: usualEnvironment}
	for _, l := range r.about() {
		on := l.value == "yes"
		switch l.name {
		case lineRevision:
			recording.Revision = l.value
		case lineTransport:
			recording.Transport = l.value
		case lineEchoed:
			recording.Echoed = strings.Fields(l.value)
		case lineNamed:
			recording.Named = strings.Fields(l.value)
		case lineCredentials:
			recording.Credentials = strings.Fields(l.value)
		case lineDualEra:
			recording.DualEra = kit.FactOf(on)
		case lineHTTPSSE:
			recording.HTTPSSE = on
		case lineChallenged:
			recording.Challenged = on
		case lineURL:
			recording.Environment.URL = l.value
		case lineRemote:
			recording.Environment.Loopback = !on
		case lineDamaged:
			recording.Damaged = on
		case lineCapped:
			recording.Capped = on
		case lineElsewhere:
			broken := strings.Fields(l.value)
			recording.Elsewhere = func(id string) bool { return slices.Contains(broken, id) }
		case lineWithout:
			without = append(without, l.value)
		}
	}
	if recording.Revision == "" {
		for _, rev := range revision.Of(b.Era.Name) {
			if check.Applies(rev, recording.Transport) {
				recording.Revision = rev // the newest in the end
			}
		}
	}
	if !check.Applies(recording.Revision, recording.Transport) {
		return nil, nil, fmt.Errorf("%s does not exist in %s over %s", check.Entry.ID, recording.Revision, recording.Transport)
	}
	return recording, without, nil
}

// contextOf is what a row says of the run of a recording.
func contextOf(r *kit.Recording) []line {
	var all []line
	say := func(name, value string, but string) {
		if value != but {
			all = append(all, line{name, value})
		}
	}
	yes := func(on bool) string { return map[bool]string{true: "yes", false: "no"}[on] }
	say(lineRevision, r.Revision, "")
	say(lineTransport, r.Transport, kit.StreamableHTTP)
	say(lineEchoed, strings.Join(r.Echoed, " "), "")
	say(lineNamed, strings.Join(r.Named, " "), "")
	say(lineCredentials, strings.Join(r.Credentials, " "), "")
	say(lineDualEra, r.DualEra.String(), kit.Unknown.String())
	say(lineHTTPSSE, yes(r.HTTPSSE), yes(false))
	say(lineChallenged, yes(r.Challenged), yes(false))
	say(lineURL, r.Environment.URL, usualEnvironment.URL)
	say(lineRemote, yes(!r.Environment.Loopback), yes(false))
	say(lineDamaged, yes(r.Damaged), yes(false))
	say(lineCapped, yes(r.Capped), yes(false))
	return all
}
