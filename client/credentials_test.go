package client

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/mcpcheck/mcpcheck/wire"

	. "github.com/onsi/gomega"
)

func TestCredentialsAreNotRecorded(t *testing.T) {
	const token, key = "s3cr3t-token-value", "k3y-k3y-k3y"
	var sent []http.Header
	answer := func(w io.Writer, r *http.Request, conn int) bool {
		sent = append(sent, r.Header)
		respond(w, 200, "Content-Type: application/json\r\nSet-Cookie: sid="+token+"\r\n folded\r\nX-Echo: <"+token+">\r\nX-Tenant: public\r\nMcp-Session-Id: stays\r\n",
			`{"jsonrpc":"2.0","id":1,"result":{"token":"`+token+`","key":"`+key+`","short":"abc"}}`)
		io.WriteString(w, "surplus "+token)
		return true
	}
	config := Config{URL: "http://user:p4ssw0rd!@server.test/mcp", Header: http.Header{
		"Authorization": {"Bearer " + token}, "X-My-Key": {key}, "X-Tenant": {"abc"}, "Accept-Language": {"en"}, "MCP-Extra": {"visible!"}}}
	bubble(t, config, answer, func(g *WithT, v *Conversation) {
		v.Call("x", "ping")
		v.Call("elsewhere", "ping", WithURL("http://other.test/"))
		v.Call("none", "ping", WithoutCredentials())
		v.Call("other", "ping", WithHeader("authorization", "Bearer wrong"))
		v.Call("bogus", "ping", WithoutCredentials(), WithBogusAuthorization("Bearer nobody"))
		tr := v.Finish()
		g.Expect(sent[0].Get("Authorization")).To(Equal("Bearer " + token))
		g.Expect(sent[0].Get("X-Tenant")).To(Equal("abc"))
		for _, h := range sent[1:3] {
			g.Expect(h.Get("Authorization")).To(BeEmpty())
			g.Expect(h.Get("X-My-Key")).To(BeEmpty())
		}
		g.Expect(sent[3].Values("Authorization")).To(Equal([]string{"Bearer wrong"}))
		g.Expect(sent[4].Values("Authorization")).To(Equal([]string{"Bearer nobody"}))
		g.Expect(sent[4].Get("X-My-Key")).To(BeEmpty())
		g.Expect(tr.Exchange("bogus").Request.Header).To(HaveKeyWithValue("Authorization", []string{"Bearer nobody"}), "nobody's secret")
		g.Expect(v.Client().Configured()).To(Equal([]string{"Accept-Language", "Authorization", "X-My-Key", "X-Tenant"}))

		x := tr.Exchange("x")
		g.Expect(x.Request.URL).To(Equal("http://server.test/mcp"))
		g.Expect(x.Request.Header).To(HaveKeyWithValue("Authorization", []string{wire.Redacted}))
		g.Expect(x.Request.Header).To(HaveKeyWithValue("X-My-Key", []string{wire.Redacted}))
		g.Expect(x.Request.Header).To(HaveKeyWithValue("MCP-Extra", []string{"visible!"}))
		g.Expect(x.Response.Header).To(HaveKeyWithValue("Set-Cookie", []string{wire.Redacted}))
		g.Expect(x.Response.Header).To(HaveKeyWithValue("X-Echo", []string{"<" + wire.Redacted + ">"}))
		g.Expect(x.Response.Header).To(HaveKeyWithValue("X-Tenant", []string{"public"}))
		g.Expect(x.Response.Header).To(HaveKeyWithValue("Mcp-Session-Id", []string{"stays"}))
		g.Expect(x.Response.RawHead.String()).To(ContainSubstring("Set-Cookie: [redacted]\r\nX-Echo: <[redacted]>\r\n"))
		body := string(x.Response.Body.Bytes())
		g.Expect(body).To(ContainSubstring(`{"token":"[redacted]********","key":"[redacted]*","short":"abc"}`))
		g.Expect(x.Response.Header.Get("Content-Length")).To(Equal(jsonNumber(len(body))), "lengths stay true")
		g.Expect(x.Served()).To(BeTrue())
		saved, err := json.Marshal(tr)
		g.Expect(err).NotTo(HaveOccurred())
		for _, secret := range []string{token, key, "p4ssw0rd!"} {
			g.Expect(string(saved)).NotTo(ContainSubstring(secret))
		}
	})
}

func jsonNumber(n int) string { return string(rawJSON("n", n)) }

func TestPasswordOfTheURL(t *testing.T) {
	var got string
	bubble(t, Config{URL: "http://user:p4ssw0rd!@server.test/mcp"}, func(w io.Writer, r *http.Request, conn int) bool {
		user, password, _ := r.BasicAuth()
		got = user + " " + password
		respond(w, 200, "", "")
		return true
	}, func(g *WithT, v *Conversation) {
		x := v.Call("x", "ping")
		g.Expect(got).To(Equal("user p4ssw0rd!"))
		g.Expect(x.Request.Header).To(HaveKeyWithValue("Authorization", []string{wire.Redacted}))
	})
}
