package legacy

import (
	"net/url"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// authChallenge is about what a 401 says.
func authChallenge(s *kit.Section, access *kit.Script) {
	s.Check("auth.401-www-authenticate", access, func(t *kit.T) {
		oauth(t)
		const expected = "WWW-Authenticate with a Bearer challenge on every 401"
		t.Says(expected)
		var bad []*wire.Exchange
		for _, x := range atEndpoint(t) {
			if x.Status() != 401 {
				continue
			}
			if _, ok := bearer(x); ok {
				t.OK(x, "a 401 carries a Bearer challenge")
				continue
			}
			bad = append(bad, x)
		}
		switch first := firstOf(t, bad); {
		case first == nil && !t.Observed():
			t.Blocked("auth.missing-token-401", "nothing was answered 401")
		case first == nil:
		case t.Since("2025-06-18") && t.Before("2025-11-25"):
			t.Breach(first, expected, describeChallenge(first))
		default:
			t.Warn(first, expected, describeChallenge(first))
		}
	})

	s.Check("auth.challenge.resource-metadata", access, func(t *kit.T) {
		x, c := challenged(t)
		const expected = "resource_metadata with an absolute http(s) URL in the Bearer challenge"
		t.Says(expected)
		named, present := c.parameters["resource_metadata"]
		_, absolute := absoluteURL(named)
		switch {
		case absolute:
			t.OK(x, "the challenge names %s", named)
		case t.Since("2025-11-25") && !present:
			t.Note(x, "the challenge names no metadata document; clients have to try well-known addresses")
		case t.Since("2025-11-25"):
			t.Note(x, "resource_metadata of the challenge is no absolute URL: %s", kit.Quote([]byte(named)))
		case !present:
			t.Breach(x, expected, "a challenge without it")
		default:
			t.Breach(x, expected, "resource_metadata="+kit.Quote([]byte(named)))
		}
	})

	s.Check("auth.challenge.scope", access, func(t *kit.T) {
		x, c := challenged(t)
		const expected = "scope in the Bearer challenge"
		t.Says(expected)
		if scope := strings.TrimSpace(c.parameters["scope"]); scope != "" {
			t.OK(x, "the challenge names the scope %s", kit.Quote([]byte(scope)))
			return
		}
		t.Breach(x, expected, "a challenge without it")
	})

	s.Check("auth.challenge.invalid-token", access, func(t *kit.T) {
		missing, without := challenged(t)
		x := t.Answered("invalid token")
		if x.Status() != 401 {
			t.Blocked("auth.invalid-token-401", "the invalid token is not answered 401: "+kit.Describe(x))
		}
		with, ok := bearer(x)
		if !ok {
			t.Blocked("auth.401-www-authenticate", "the 401 to the invalid token has no Bearer challenge")
		}
		t.Says(`error="invalid_token" where a token was refused, and no error where there was none`)
		switch refused, absent := with.parameters["error"], without.parameters["error"]; {
		case refused != "invalid_token":
			t.Note(x, `the challenge to an invalid token has %s, not error="invalid_token"`, describeError(refused))
		case absent != "":
			t.Note(missing, "the challenge to a request without a token has error=%s, as if one had been refused", kit.Quote([]byte(absent)))
		default:
			t.OK(x, "the challenge tells a refused token from a missing one")
		}
	})
}

// challenged returns the answer to a request without credentials and its Bearer challenge.
func challenged(t *kit.T) (*wire.Exchange, challenge) {
	x := oauth(t)
	c, ok := bearer(x)
	switch {
	case !ok && x.Status() != 401:
		t.Blocked("auth.missing-token-401", "a request without a token is not answered 401: "+kit.Describe(x))
	case !ok:
		t.Blocked("auth.401-www-authenticate", "the 401 has no Bearer challenge")
	}
	return x, c
}

// atEndpoint returns what was exchanged with the MCP endpoint; metadata documents stand elsewhere.
func atEndpoint(t *kit.T) []*wire.Exchange {
	var all []*wire.Exchange
	endpoint := t.Environment().URL
	if u, err := url.Parse(endpoint); err == nil {
		// As it is sent.
		u.User, u.Fragment = nil, ""
		endpoint = u.String()
	}
	for _, x := range t.Exchanges() {
		if x.Request.URL == endpoint {
			all = append(all, x)
		}
	}
	return all
}

// firstOf prefers an exchange of the check's own script: it is the one that confirming repeats at the least cost.
func firstOf(t *kit.T, list []*wire.Exchange) *wire.Exchange {
	for _, x := range list {
		if t.Transcript().Exchange(x.Label) == x {
			return x
		}
	}
	if len(list) > 0 {
		return list[0]
	}
	return nil
}

func describeChallenge(x *wire.Exchange) string {
	values := x.Response.Header.Values("WWW-Authenticate")
	if len(values) == 0 {
		return "HTTP 401 without WWW-Authenticate"
	}
	return "HTTP 401 with WWW-Authenticate: " + kit.Quote([]byte(strings.Join(values, ", ")))
}

func describeError(code string) string {
	if code == "" {
		return "no error"
	}
	return "error=" + kit.Quote([]byte(code))
}

// absoluteURL reads an absolute http(s) URL.
func absoluteURL(raw string) (*url.URL, bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, false
	}
	return u, true
}

// A challenge is one element of WWW-Authenticate (RFC 9110, section 11.6.1). Names are in lower case.
type challenge struct {
	scheme     string
	parameters map[string]string
}

// bearer returns the Bearer challenge of an answer; the parameters of several are put together, the first of each name counts.
func bearer(x *wire.Exchange) (challenge, bool) {
	found := challenge{scheme: "bearer", parameters: map[string]string{}}
	ok := false
	if x == nil || x.Response == nil {
		return found, false
	}
	for _, c := range challenges(strings.Join(x.Response.Header.Values("WWW-Authenticate"), ", ")) {
		if c.scheme != "bearer" {
			continue
		}
		ok = true
		for name, value := range c.parameters {
			if _, set := found.parameters[name]; !set {
				found.parameters[name] = value
			}
		}
	}
	return found, ok
}

// challenges reads a header value. It is lenient: values without quotes may hold anything but commas and white space, and what cannot
// be read is skipped to the next comma.
func challenges(value string) []challenge {
	var all []challenge
	s := scanner(value)
	for {
		s.skip(" \t,")
		if s == "" {
			return all
		}
		word := s.until(" \t,=")
		s.skip(" \t")
		if s.take("=") {
			s.skip(" \t")
			parameter := s.value()
			if len(all) > 0 && word != "" {
				last := all[len(all)-1].parameters
				if name := strings.ToLower(word); last[name] == "" {
					last[name] = parameter
				}
			}
			continue
		}
		all = append(all, challenge{scheme: strings.ToLower(word), parameters: map[string]string{}})
		s.token68()
	}
}

// A scanner is the rest of a header value.
type scanner string

func (s *scanner) skip(cutset string) { *s = scanner(strings.TrimLeft(string(*s), cutset)) }

func (s *scanner) until(stops string) string {
	end := strings.IndexAny(string(*s), stops)
	if end < 0 {
		end = len(*s)
	}
	word := string((*s)[:end])
	*s = (*s)[end:]
	return word
}

func (s *scanner) take(prefix string) bool {
	rest, ok := strings.CutPrefix(string(*s), prefix)
	*s = scanner(rest)
	return ok
}

// value reads a quoted string or a bare word.
func (s *scanner) value() string {
	if !s.take(`"`) {
		return s.until(" \t,")
	}
	var b strings.Builder
	for i := 0; i < len(*s); i++ {
		switch c := (*s)[i]; {
		case c == '"':
			*s = (*s)[i+1:]
			return b.String()
		case c == '\\' && i+1 < len(*s):
			i++
			b.WriteByte((*s)[i])
		default:
			b.WriteByte(c)
		}
	}
	*s = ""
	return b.String()
}

// token68 skips the text that some schemes have in place of parameters, such as Negotiate: one word that ends the challenge.
func (s *scanner) token68() {
	rest := *s
	word := strings.TrimRight(rest.until(" \t,"), "=")
	rest.skip(" \t")
	if !strings.ContainsAny(word, `="`) && (rest == "" || rest[0] == ',') {
		*s = rest
	}
}
