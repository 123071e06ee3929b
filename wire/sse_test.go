package wire

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	. "github.com/onsi/gomega"
)

func TestDecode(t *testing.T) {
	message := func(data string, lines int) Event {
		return Event{Type: "message", Data: data, HasData: true, DataLines: lines, Terminated: true, Dispatched: true}
	}
	tests := []struct {
		name, in string
		want     []Event
	}{
		{"one", "data: a\n\n", []Event{message("a", 1)}},
		{"CR LF", "data: a\r\n\r\n", []Event{message("a", 1)}},
		{"CR", "data: a\r\rdata: b\r\r", []Event{message("a", 1), message("b", 1)}},
		{"mixed line ends", "data: a\rdata: b\r\ndata: c\n\r\n", []Event{message("a\nb\nc", 3)}},
		{"two lines", "data: a\ndata: b\n\n", []Event{message("a\nb", 2)}},
		{"one space only", "data:  a \n\n", []Event{message(" a ", 1)}},
		{"no space", "data:a\n\n", []Event{message("a", 1)}},
		{"no colon", "data\n\n", []Event{message("", 1)}},
		{"two empty lines of data", "data\ndata\n\n", []Event{message("\n", 2)}},
		{"empty data is dispatched", "data:\n\n", []Event{message("", 1)}},
		{"leading BOM", "\uFEFFdata: a\n\n", []Event{message("a", 1)}},
		{"only one BOM", "\uFEFF\uFEFFdata: a\n\n", []Event{{Type: "message", Unknown: []string{"\uFEFFdata: a"}, Terminated: true}}},
		{"BOM elsewhere", "data: a\n\n\uFEFFdata: b\n\n", []Event{message("a", 1), {Type: "message", Unknown: []string{"\uFEFFdata: b"}, Terminated: true}}},
		{"comments", ": ping\n\n:x\n:\n\n", []Event{
			{Type: "message", Comments: []string{" ping"}, Terminated: true}, {Type: "message", Comments: []string{"x", ""}, Terminated: true}}},
		{"no data", "event: a\nid: 1\n\n", []Event{{Type: "a", HasType: true, ID: "1", HasID: true, LastID: "1", Terminated: true}}},
		{"id persists", "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n", []Event{
			{Type: "message", ID: "1", HasID: true, LastID: "1", Data: "a", HasData: true, DataLines: 1, Terminated: true, Dispatched: true},
			{Type: "message", LastID: "1", Data: "b", HasData: true, DataLines: 1, Terminated: true, Dispatched: true},
			{Type: "message", HasID: true, Data: "c", HasData: true, DataLines: 1, Terminated: true, Dispatched: true}}},
		{"id with NUL", "id: 1\n\nid: a\x00b\ndata: a\n\n", []Event{
			{Type: "message", ID: "1", HasID: true, LastID: "1", Terminated: true},
			{Type: "message", ID: "a\x00b", HasID: true, LastID: "1", Data: "a", HasData: true, DataLines: 1, Terminated: true, Dispatched: true}}},
		{"retry", "retry: 10\ndata: a\n\n", []Event{{Type: "message", Retry: "10", HasRetry: true, Data: "a", HasData: true, DataLines: 1, Terminated: true, Dispatched: true}}},
		{"event empty", "event:\ndata: a\n\n", []Event{{Type: "message", HasType: true, Data: "a", HasData: true, DataLines: 1, Terminated: true, Dispatched: true}}},
		{"unknown and wrong case", "Data: a\n data: b\nx\n\n", []Event{{Type: "message", Unknown: []string{"Data: a", " data: b", "x"}, Terminated: true}}},
		{"unfinished line", "data: a\n\nid: 2\ndata: b", []Event{message("a", 1),
			{Type: "message", ID: "2", HasID: true, Data: "b", HasData: true, DataLines: 1}}},
		{"unfinished block", "data: a\n", []Event{{Type: "message", Data: "a", HasData: true, DataLines: 1}}},
		{"empty lines", "\n\r\n\r\r\ndata: a\n\n", []Event{message("a", 1)}},
		{"nothing", "", nil},
		{"only a BOM", "\uFEFF", []Event{{Type: "message"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Decode([]byte(test.in))
			if d := cmp.Diff(test.want, got, cmpopts.IgnoreFields(Event{}, "Raw", "Offset", "End"), cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
			checkPieces(t, []byte(test.in), got)
		})
	}
}

// checkPieces decodes byte by byte, which must make no difference, and looks for every block at its place.
func checkPieces(t *testing.T, stream []byte, whole []Event) {
	t.Helper()
	var d Decoder
	var got []Event
	for i := range stream {
		events, err := d.Feed(stream[i:i+1], 0)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, events...)
	}
	if e, ok := d.Rest(0); ok {
		got = append(got, e)
	}
	if d := cmp.Diff(whole, got); d != "" {
		t.Errorf("byte by byte: %s", d)
	}
	for _, e := range whole {
		if string(e.Raw) != string(stream[e.Offset:e.End]) {
			t.Errorf("block at %d..%d is %q, Raw %q", e.Offset, e.End, stream[e.Offset:e.End], e.Raw)
		}
	}
}

func TestDecoderLimitsAndTimes(t *testing.T) {
	g := NewWithT(t)
	d := Decoder{MaxEvent: 20}
	events, err := d.Feed([]byte("data: a\n\ndata: b\n"), time.Second)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(events).To(HaveLen(1))
	events, err = d.Feed([]byte("\n"), 2*time.Second)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(events[0].At).To(Equal(2 * time.Second))
	_, err = d.Feed([]byte("data: "+strings.Repeat("x", 20)), 0)
	g.Expect(err).To(MatchError(ErrEventTooLong))
	_, err = d.Feed([]byte("\n\n"), 0)
	g.Expect(err).To(MatchError(ErrEventTooLong))
}

func FuzzDecoder(f *testing.F) {
	for _, s := range []string{"data: a\n\n", "\uFEFFid: 1\r\ndata:x\r\rretry: 1\n\n", ":c\rx", "\r\n\n\r", "data\rdata\n\r\n\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		whole := Decode(data)
		checkPieces(t, data, whole)
		last := int64(0)
		for i, e := range whole {
			if e.Offset < last || e.Dispatched && (!e.Terminated || !e.HasData) || !e.Terminated && i != len(whole)-1 {
				t.Fatalf("event %d: %+v", i, e)
			}
			last = e.End
		}
	})
}
