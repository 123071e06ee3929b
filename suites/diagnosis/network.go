package diagnosis

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// What a connection tells that brought no answer.

func diagnoseSilence(x *wire.Exchange) *report.Diagnosis {
	host, failed := hostOf(x), x.Error
	if failed.Phase == "proxy" {
		return diagnoseProxy(x, fmt.Sprintf("no connection to %s: %s", host, plain(failed.Message, "proxyconnect tcp: ")), "")
	}
	switch failed.Kind {
	case wire.ErrRefused:
		return &report.Diagnosis{
			Kind: "refused", Seen: "the connection to " + host + " was refused",
			Why: "nothing listens on that port, so no client gets any further",
			Do: "start the server, and compare the port it prints with the one in the URL; in a container it has to listen on 0.0.0.0, " +
				"and the port must be published" + otherLoopback(x),
		}
	case wire.ErrDNS:
		name := host
		if u, err := url.Parse(x.Request.URL); err == nil {
			name = u.Hostname()
		}
		return &report.Diagnosis{
			Kind: "dns", Seen: fmt.Sprintf("the name %s does not resolve: %s", name, failed.Message),
			Why: "no client can reach a host without an address",
			Do:  "check the host name for typing errors, and what the resolver says:\n  nslookup " + shellWord(name),
		}
	case wire.ErrTLS:
		return diagnoseTLS(x)
	case wire.ErrLimit:
		return &report.Diagnosis{
			Kind: "endless", Seen: fmt.Sprintf("the answer of %s to %s had no end: %s", host, asked(x), plain(failed.Message, "limits: ")),
			Why: "a client would run out of memory or patience",
			Do:  "check that this is an MCP endpoint and no download, log stream or video",
		}
	case wire.ErrTimeout:
		return diagnoseTimeout(x)
	case wire.ErrProtocol:
		return &report.Diagnosis{
			Kind: "broken", Seen: "what " + host + " answered is no proper HTTP: " + protocolError(x),
			Why: "a client cannot read the answer to its first request",
			Do:  "check that the port is that of a web server (not of ssh, a database or stdio), and look into the server's log",
		}
	}
	how := "the connection to " + host + " broke (" + failed.Message + ")"
	switch failed.Kind {
	case wire.ErrClosed:
		how = host + " closed the connection"
	case wire.ErrReset:
		how = host + " reset the connection"
	}
	answer := "without an answer"
	if x.Response != nil {
		answer = "before the answer was complete"
	}
	d := &report.Diagnosis{
		Kind: "broken", Seen: fmt.Sprintf("%s %s to %s", how, answer, asked(x)),
		Why: "a client gets no answer to its first request",
		Do:  "look into the server's log: it may have crashed on the request",
	}
	if strings.HasPrefix(x.Request.URL, "http:") && x.Response == nil {
		d.Do += "; or the port expects TLS:" + command(withScheme(x, "https"))
	}
	return d
}

// diagnoseProxy explains what a proxy says, or that there is none where one was named.
func diagnoseProxy(x *wire.Exchange, seen, advice string) *report.Diagnosis {
	variable := "HTTP_PROXY"
	if strings.HasPrefix(x.Request.URL, "https:") {
		variable = "HTTPS_PROXY"
	}
	return &report.Diagnosis{
		Kind: "proxy", Seen: seen,
		Why: "the request went to the proxy that the variable " + variable + " names, and not to the server, of which this says nothing",
		Do: advice + "correct the variable, or leave the proxy out for this host:\n  NO_PROXY=" + shellWord(strings.SplitN(hostOf(x), ":", 2)[0]) +
			strings.Replace(command(x.Request.URL), "\n  ", " ", 1),
	}
}

// otherLoopback is the hint that a server may listen on the other loopback address only.
func otherLoopback(x *wire.Exchange) string {
	u, err := url.Parse(x.Request.URL)
	if err != nil {
		return ""
	}
	other := "[::1]"
	switch u.Hostname() {
	case "127.0.0.1", "localhost":
	case "::1":
		other = "127.0.0.1"
	default:
		return ""
	}
	if port := u.Port(); port != "" {
		other += ":" + port
	}
	u.Host = other
	return "; some servers listen on one loopback address only, try the other:" + command(u.String())
}

// plain leaves out what an error of Go says before the last of these words.
func plain(message, after string) string {
	if i := strings.LastIndex(message, after); i >= 0 {
		return message[i+len(after):]
	}
	return message
}

// protocolError quotes what came instead of HTTP.
func protocolError(x *wire.Exchange) string {
	if line, _, _ := bytes.Cut(x.Unparsed, []byte("\n")); len(line) > 0 && x.Response == nil && !bytes.HasPrefix(line, []byte("HTTP/1")) {
		return kit.Quote(line)
	}
	return x.Error.Message
}

func diagnoseTimeout(x *wire.Exchange) *report.Diagnosis {
	host := hostOf(x)
	d := &report.Diagnosis{
		Kind: "timeout", Seen: host + " took the request and did not answer: neither the first one nor " + asked(x),
		Why: "a client would hang here and give up",
		Do:  "look whether the server is stuck, or waits for something itself; --timeout 60s waits longer",
	}
	switch {
	case x.Error.Phase == "dial":
		d.Seen = "no connection to " + host + " came about in time"
		d.Do = "check host and port; a firewall that drops packets, or a machine that is off, looks like this"
	case x.Error.Phase == "tls":
		d.Seen = host + " took the connection and did not answer the TLS handshake"
		d.Do = "look whether the server is stuck; a port that speaks plain HTTP may wait like this too:" + command(withScheme(x, "http"))
	case x.Response != nil && x.IsSSE():
		d.Seen = host + " opened an event stream for " + asked(x) + " and sent no response on it"
		d.Do = "send the response on that stream; if the server does, something on the way holds it back: " +
			"let the proxy not buffer it (nginx: proxy_buffering off;); --timeout 60s waits longer"
	case x.Response != nil:
		d.Seen = fmt.Sprintf("%s began to answer %s with HTTP %d and did not complete the body", host, asked(x), x.Status())
	}
	return d
}

// diagnoseTLS explains a handshake that failed: each reason has its own remedy.
func diagnoseTLS(x *wire.Exchange) *report.Diagnosis {
	host, target := hostOf(x), x.Request.URL
	d := &report.Diagnosis{
		Kind: "tls", Why: "clients refuse to send anything, a token least of all, over a connection that they cannot trust",
	}
	insecure := command(target, "--insecure")
	message, _, guess := strings.Cut(x.Error.Message, " (possibly because of")
	why := plain(plain(message, "x509: "), "not yet valid: ")
	if guess {
		why += ", as where it is self-signed"
	}
	switch x.Error.Reason {
	case wire.TLSNone:
		return &report.Diagnosis{
			Kind: "scheme", Seen: host + " did not answer the TLS handshake with TLS",
			Why: "the URL says https://, and what listens there speaks plain HTTP; clients that are given this URL reach nothing",
			Do: "use http:// on your own machine, and elsewhere put TLS in front of the server before a token is sent to it:" +
				command(withScheme(x, "http")),
		}
	case wire.TLSUntrusted:
		d.Seen = "the certificate of " + host + " was issued by nobody whom this machine trusts: " + why
		d.Do = "where the authority is a private one, give its certificate:" + command(target, "--ca-cert ca.pem") +
			"\nfor a test, leave the certificate unchecked:" + insecure +
			"\na public server has to send the intermediate certificates too"
	case wire.TLSExpired:
		d.Seen = "the certificate of " + host + " has expired: " + why
		d.Do = "renew the certificate, and make the server load the new one; --ca-cert does not help. To check the server before that:" + insecure
	case wire.TLSNotYetValid:
		d.Seen = "the certificate of " + host + " is not valid yet: " + why
		d.Do = "set the clocks of both machines, or wait; to check the server before that:" + insecure
	case wire.TLSWrongName:
		d.Seen = "the certificate of " + host + " is for other names: " + why
		d.Do = "use a host name that the certificate lists, or get one for this name; --ca-cert does not help. To check the server before that:" + insecure
	case wire.TLSWantsClient:
		d.Seen = host + " demands a certificate of the client in the TLS handshake"
		d.Why = "MCP clients have none to show, and neither has mcpcheck"
		d.Do = "check the server where it can be reached without, such as behind the gateway that demands it"
	default:
		d.Seen = "the TLS handshake with " + host + " failed: " + x.Error.Message
		d.Do = "see what the server offers, and let it speak TLS 1.2 or 1.3:\n  openssl s_client -connect " + shellWord(withPort(target))
	}
	return d
}

// withPort is host and port of a URL.
func withPort(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Port() != "" {
		if err == nil {
			return u.Host
		}
		return raw
	}
	return u.Host + ":443"
}

// plainOnTLS are how servers of TLS reply to plain HTTP: Go (and Caddy), nginx, Apache.
var plainOnTLS = []string{
	"client sent an http request to an https server", "plain http request was sent to https port", "speaking plain http to an ssl-enabled server port",
}

// WantsTLS tells that plain HTTP was sent to a port that speaks TLS: by a page of 400 that says so, or by a TLS alert.
func WantsTLS(x *wire.Exchange) bool {
	if !strings.HasPrefix(x.Request.URL, "http:") {
		return false
	}
	if x.Response == nil {
		return tlsAlert(x)
	}
	if x.Status() != http.StatusBadRequest {
		return false
	}
	body := strings.ToLower(string(beginning(x)))
	for _, said := range plainOnTLS {
		if strings.Contains(body, said) {
			return true
		}
	}
	return false
}

// tlsAlert tells that a record of TLS came in place of a response: content type 21, version 3.x.
func tlsAlert(x *wire.Exchange) bool {
	return bytes.HasPrefix(x.Unparsed, []byte{0x15, 0x03}) || x.Error != nil && strings.Contains(x.Error.Message, `malformed HTTP response "\x15\x03`)
}

func diagnosePlainOnTLS(x *wire.Exchange) *report.Diagnosis {
	seen := hostOf(x) + " answered plain HTTP with a TLS alert"
	if x.Response != nil {
		seen = answered(x)
	}
	return &report.Diagnosis{
		Kind: "scheme", Seen: seen,
		Why: "the URL says http://, and the port speaks TLS; clients that are given this URL reach nothing, and what they send goes in the clear",
		Do:  "use https://:" + command(withScheme(x, "https")),
	}
}
