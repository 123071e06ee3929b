package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"

	. "github.com/onsi/gomega"
)

// slots are handed on in turn, to those in a hurry first, and none is lost to who gave up waiting.
func TestSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s slots
		s.add(1)
		if err := s.take(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		var served []string
		wait := func(ctx context.Context, name string, hurry bool) {
			go func() {
				if err := s.take(ctx, hurry); err != nil {
					name += " gave up"
				}
				served = append(served, name)
			}()
			synctest.Wait()
		}
		gone := errors.New("gone")
		ctx, leave := context.WithCancelCause(t.Context())
		wait(t.Context(), "first", false)
		wait(ctx, "impatient", true)
		wait(t.Context(), "second", false)
		wait(t.Context(), "hurried", true)
		leave(gone)
		synctest.Wait()
		for range 3 {
			s.give()
			synctest.Wait()
		}
		if want := []string{"impatient gave up", "hurried", "first", "second"}; !slices.Equal(served, want) {
			t.Errorf("%q were served, want %q", served, want)
		}
		if err := s.take(ctx, true); !errors.Is(err, gone) {
			t.Errorf("who waits in vain is told %v", err)
		}
		s.give()
		s.add(2)
		if s.free != 3 || s.width() != 3 {
			t.Errorf("%d of %d are free", s.free, s.width())
		}
		if err := s.take(ctx, false); err != nil {
			t.Errorf("nobody has to wait for one that is free: %v", err)
		}
	})
}

// a conversation in a hurry is not kept waiting by those that are not.
func TestHurry(t *testing.T) {
	var asked []string
	answer := func(w io.Writer, r *http.Request, _ int) bool {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, wire.ReadMessage(body).Method)
		time.Sleep(time.Second)
		respond(w, 200, "", "")
		return true
	}
	bubble(t, Config{Concurrency: 1}, answer, func(g *WithT, v *Conversation) {
		hurried := v.Client().Start(context.Background(), Script{Name: "long", Dialect: dated, Revision: "2025-06-18", Hurry: true})
		call := func(v *Conversation, method string, after time.Duration) func() {
			return func() {
				v.Sleep(after)
				v.Call(method, method)
			}
		}
		v.Parallel(call(v, "first", 0), call(v, "third", time.Millisecond), call(hurried, "second", 2*time.Millisecond))
		v.Finish()
		hurried.Finish()
		g.Expect(asked).To(Equal([]string{"first", "second", "third"}))
	})
}
