package wire

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// set takes a line about the transcript.
func (t *Transcript) set(f field) (err error) {
	switch f.name {
	case "script":
		t.Script = f.value
	case "subject":
		if t.Subject = f.value; f.value != ClientSubject {
			err = fmt.Errorf("%q is none", f.value)
		}
	case "revision":
		t.Revision = f.value
	case "transport":
		t.Transport = f.value
	case "attempt":
		t.Attempt, err = strconv.Atoi(f.value)
	case "shared":
		t.Shared, err = yes(f.value)
	case "session":
		t.Session.ID = f.value
	case "negotiated":
		t.Session.Negotiated = f.value
	case "opened":
		t.Session.Opened, err = yes(f.value)
	case "started":
		t.Started, err = time.Parse(time.RFC3339Nano, f.value)
	case "duration":
		t.Duration, err = time.ParseDuration(f.value)
	case "died":
		t.Died = f.value
	case "aborted":
		t.Aborted = f.value
	case "superseded":
		t.Superseded, err = yes(f.value)
	case "window":
		var w *Window
		if w, err = readWindow(f.value); w != nil {
			t.Windows = append(t.Windows, *w)
		}
	default:
		err = errors.New("a transcript has no such line")
	}
	return f.wrong(err)
}

func yes(s string) (bool, error) {
	if s != "yes" && s != "no" {
		return false, fmt.Errorf("%q is neither yes nor no", s)
	}
	return s == "yes", nil
}

// readWindow reads `"label" 0s to 300ms want 300ms after "marker"`; "none" is none.
func readWindow(s string) (*Window, error) {
	words, err := readWords(s)
	if err != nil {
		return nil, err
	}
	if len(words) == 1 && words[0] == "none" {
		return nil, nil
	}
	if n := len(words); (n != 6 && n != 8) || words[2] != "to" || words[4] != "want" || n == 8 && words[6] != "after" {
		return nil, errors.New(`a window is "LABEL" FROM to TO want LENGTH, and perhaps after "LABEL"`)
	}
	w := &Window{Stream: words[0]}
	if len(words) == 8 {
		w.Marker = words[7]
	}
	w.From, w.To, w.Want, err = threeDurations(words[1], words[3], words[5])
	return w, err
}

func threeDurations(a, b, c string) (x, y, z time.Duration, err error) {
	var all [3]time.Duration
	for i, s := range []string{a, b, c} {
		if all[i], err = time.ParseDuration(s); err != nil {
			return 0, 0, 0, err
		}
	}
	return all[0], all[1], all[2], nil
}

// set takes a line about the exchange.
func (x *Exchange) set(f field) (err error) {
	response := x.Response
	if response == nil {
		response = &Response{} // of no use, so that the line is of none either
	}
	switch f.name {
	case "broken":
		x.Broken = f.value
	case "origin":
		x.Origin, err = readOrigin(f.value)
	case "stream":
		x.Stream = f.value
	case "host":
		x.Request.Host = f.value
	case "conn":
		number, reused := strings.CutSuffix(f.value, " reused")
		x.Reused = reused
		x.Conn, err = strconv.Atoi(number)
	case "at":
		err = x.setTimes(f.value)
	case "interim":
		response.Interim = append(response.Interim, Bytes(f.value))
	case "unparsed":
		x.Unparsed = Bytes(f.value)
	case "surplus":
		response.Surplus = Bytes(f.value)
	case "head":
		response.RawHead = Bytes(f.value)
	case "sent-size":
		err = x.Request.Body.cutFrom(f.value)
	case "size":
		err = response.Body.cutFrom(f.value)
	default:
		err = errors.New("an exchange has no such line")
	}
	return f.wrong(err)
}

// wrong names the line in an error.
func (f field) wrong(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.name, err)
}

func (x *Exchange) setTimes(text string) error {
	var said []time.Duration
	for word := range strings.FieldsSeq(text) {
		at, err := time.ParseDuration(word)
		if err != nil {
			return err
		}
		said = append(said, at)
	}
	if len(said) == 0 || len(said) > 3 {
		return errors.New("at most three times: when it was sent, its head came and it ended")
	}
	x.times(said)
	return nil
}

// cutFrom says how long the body was of which these bytes are the beginning.
func (b *Body) cutFrom(text string) error {
	size, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return err
	}
	b.size = max(size, int64(len(b.data)))
	return nil
}

// readOrigin reads KIND, a number, of "LABEL" and #REPEAT, each but the first only where there is one.
func readOrigin(s string) (Origin, error) {
	words, err := readWords(s)
	if err != nil {
		return Origin{}, err
	}
	o := Origin{Kind: OriginKind(words[0])}
	words = words[1:]
	if len(words) > 0 {
		if n, err := strconv.Atoi(words[0]); err == nil {
			o.Number, words = n, words[1:]
		}
	}
	if len(words) > 1 && words[0] == "of" {
		o.Of, words = words[1], words[2:]
	}
	if len(words) > 0 {
		number, numbered := strings.CutPrefix(words[0], "#")
		n, err := strconv.Atoi(number)
		if err != nil || !numbered || len(words) > 1 {
			return Origin{}, errors.New(`an origin is KIND [NUMBER] [of "LABEL"] [#REPEAT]`)
		}
		o.Repeat = n
	}
	return o, nil
}
