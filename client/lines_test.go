package client

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	. "github.com/onsi/gomega"
)

// TestLines: requests over a connection with a name have it to themselves, and keep it.
func TestLines(t *testing.T) {
	answer := func(w io.Writer, _ *http.Request, conn int) bool {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"conn":%d}}`, conn)
		_, err := fmt.Fprintf(w, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		return err == nil
	}
	bubble(t, Config{}, answer, func(g *WithT, v *Conversation) {
		at := map[string]int{}
		for _, name := range []string{"", "A", "B", "", "A", "B"} {
			x := v.Call("x", "tools/list", WithID(1), OnConnection(name))
			g.Expect(x.Served()).To(BeTrue())
			if before, known := at[name]; known {
				g.Expect(x.Conn).To(Equal(before))
				g.Expect(x.Reused).To(BeTrue())
			}
			at[name] = x.Conn
		}
		g.Expect(at["A"]).NotTo(Equal(at["B"]))
		g.Expect(at["A"]).NotTo(Equal(at[""]))
		v.Finish()
	})
}
