package wire

import (
	"net/http"
	"testing"

	. "github.com/onsi/gomega"
)

func TestWhatCountsAsAMessage(t *testing.T) {
	const answered = `{"jsonrpc":"2.0","id":1,"result":{}}`
	request, notification := `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","method":"n"}`
	tests := []struct {
		name, request string
		status        int
		media, body   string
		want          []Kind
		served        bool
	}{
		{"result", request, 200, "application/json; charset=utf-8", answered, []Kind{KindResult}, true},
		{"other id", request, 200, "application/json", `{"jsonrpc":"2.0","id":2,"result":{}}`, []Kind{KindResult}, false},
		{"no JSON", request, 200, "application/json", `oops`, []Kind{KindNotJSON}, false},
		{"empty", request, 200, "application/json", ``, nil, false},
		{"without jsonrpc", request, 200, "application/json", `{"id":1,"result":{}}`, []Kind{KindResult}, true},
		{"another media type", request, 200, "text/html", `<html>`, nil, false},
		{"JSON-RPC as text", request, 200, "text/plain", answered, []Kind{KindResult}, true},
		{"batch", request, 200, "application/json", `[` + answered + `,{"jsonrpc":"2.0","method":"n"}]`, []Kind{KindResult, KindNotification}, true},
		{"error without id", request, 400, "application/json", `{"jsonrpc":"2.0","error":{"code":-1}}`, []Kind{KindError}, true},
		{"error page in JSON", request, 404, "application/json", `{"error":"not found"}`, nil, false},
		{"202 with text", notification, 202, "text/plain", `Accepted`, nil, false},
		{"202 with JSON", notification, 202, "application/json", `{"ok":true}`, nil, false},
		{"answer to a notification", notification, 200, "application/json", answered, []Kind{KindResult}, false},
		{"priming event", request, 200, "text/event-stream", "id: 1\ndata:\n\ndata: " + answered + "\n\n", []Kind{KindResult}, true},
		{"other event type", request, 200, "text/event-stream", "event: x\ndata: " + answered + "\n\n", nil, true},
		{"id of another type", request, 200, "application/json", `{"jsonrpc":"2.0","id":"1","result":{}}`, []Kind{KindResult}, true},
		{"unfinished event", request, 200, "text/event-stream", "data: " + answered + "\n", nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := NewWithT(t)
			x := &Exchange{Request: Request{Body: NewBody([]byte(test.request))}, EndedBy: ByServer,
				Response: &Response{Status: test.status, Header: http.Header{"Content-Type": {test.media}}, Body: NewBody([]byte(test.body))}}
			var kinds []Kind
			for _, m := range x.Messages() {
				kinds = append(kinds, m.Kind)
			}
			g.Expect(kinds).To(Equal(test.want))
			_, ok := x.Answer()
			g.Expect(ok).To(Equal(test.served))
		})
	}
}
