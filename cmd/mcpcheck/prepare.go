package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

// prepare turns flags into the options of a run.
func (c *command) prepare(suite *suites.Suite, o *options, args []string) (*suites.Options, error) {
	var target string
	for _, arg := range args[:min(len(args), 1)] {
		if err := checkURL(arg); err != nil {
			return nil, err
		}
		target = arg
	}
	for _, r := range o.revisions {
		if !slices.Contains(suite.Revisions(), r) {
			return nil, usagef("choose from "+strings.Join(suite.Revisions(), ", "), "revision %q is not judged by this version", r)
		}
	}
	switch {
	case o.wait < 0:
		return nil, usagef("give the longest wait for the server, such as 30s", "--wait %v is negative", o.wait)
	case o.timeout <= 0:
		return nil, usagef("give the longest wait for one answer, such as 10s", "--timeout %v is no time to wait", o.timeout)
	case o.window < 0:
		return nil, usagef("give the time to watch a silent stream, such as 300ms", "--window %v is negative", o.window)
	case o.concurrency < 0:
		return nil, usagef("give the most requests at a time; 0 chooses 16 on this machine and 8 elsewhere", "--concurrency %d is negative", o.concurrency)
	}
	header, err := c.header(o.headers, o.configured)
	if err != nil {
		return nil, err
	}
	trust, err := trust(o)
	if err != nil {
		return nil, err
	}
	if o.transcript != "" {
		if err := writable(o.transcript); err != nil {
			return nil, usagef(writableHint, "transcript: %w", err)
		}
	}
	for _, path := range o.timings {
		if path == standardOutput {
			continue
		}
		if err := writable(path); err != nil {
			return nil, usagef(writableHint, "timings: %w", err)
		}
	}
	calls, err := toolCalls(o.calls)
	if err != nil {
		return nil, err
	}
	revisions, err := ofEra(suite, o)
	if err != nil {
		return nil, err
	}
	selection := suites.Selection{Revisions: revisions, Named: len(o.revisions) > 0, Only: o.only, Skip: o.skip, Calls: calls}
	if err := c.selectable(suite, selection); err != nil {
		return nil, err
	}
	return &suites.Options{
		Tool:      report.Tool{Name: "mcpcheck", Version: version()},
		Selection: selection, MaxTime: o.maxTime,
		Client: client.Config{
			URL: target, Header: header, Timeout: o.timeout, Window: o.window, Concurrency: o.concurrency, TLS: trust,
			ClientName: "mcpcheck", ClientVersion: version(),
		},
	}, nil
}

// selectable makes a pattern that matches nothing the user's error, with what was perhaps meant.
func (c *command) selectable(suite *suites.Suite, s suites.Selection) error {
	ids, _, err := suite.Select(s)
	var pattern *suites.PatternError
	switch {
	case errors.As(err, &pattern):
		hint := "mcpcheck list shows ids and areas"
		closest := catalogue.Closest(pattern.Pattern, suite.Catalogue.Areas())
		if len(closest) == 0 {
			closest = pattern.Closest
		}
		switch {
		case slices.Contains(closest, pattern.Pattern):
			hint = "it is known and not judged by this version; mcpcheck list marks what is"
		case len(closest) > 0:
			hint = "did you mean " + strings.Join(closest, ", ") + "? " + hint
		}
		return usagef(hint, "%w", err)
	case err != nil:
		return err
	case len(ids) == 0:
		return usagef("--skip leaves out everything that --only selects", "nothing is left to judge")
	}
	return nil
}

func checkURL(raw string) error {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		hint := "give the MCP endpoint, such as http://localhost:3000/mcp"
		if !strings.Contains(raw, "://") && strings.ContainsAny(raw, ".:/") {
			hint = "did you mean http://" + raw + "?"
		} else if !strings.ContainsAny(raw, ".:/") {
			hint = "commands are " + strings.Join(commands(), ", ") + "; a server is given by its URL, such as http://localhost:3000/mcp"
			if closest := catalogue.Closest(raw, commands()); len(closest) > 0 {
				hint = "did you mean mcpcheck " + closest[0] + "? " + hint
			}
		}
		return usagef(hint, "%q is neither a URL nor a command", raw)
	}
	if port, err := strconv.Atoi(u.Port()); u.Port() != "" && (err != nil || port > 65535) {
		return usagef("ports go from 1 to 65535", "%q has no port that there is", raw)
	}
	if u.User != nil {
		return usagef("send credentials with -H 'Authorization: …'", "the URL holds credentials")
	}
	return nil
}

// trust makes the TLS configuration.
func trust(o *options) (*tls.Config, error) {
	config := &tls.Config{InsecureSkipVerify: o.insecure}
	if o.caCert == "" {
		return config, nil
	}
	pem, err := os.ReadFile(o.caCert)
	if err != nil {
		return nil, usagef("--ca-cert wants a PEM file", "reading certificates: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, usagef("--ca-cert wants a PEM file", "%s holds no certificate", o.caCert)
	}
	config.RootCAs = pool
	return config, nil
}

// ofEra are the revisions that --era and --revision leave; none means all.
func ofEra(suite *suites.Suite, o *options) ([]string, error) {
	if o.era == "" {
		return o.revisions, nil
	}
	all := revision.Of(o.era)
	if len(all) == 0 {
		return nil, usagef("choose from "+revision.Legacy+" and "+revision.Modern, "era %q is not known", o.era)
	}
	judged := slices.DeleteFunc(all, func(r string) bool { return !slices.Contains(suite.Revisions(), r) })
	if len(judged) == 0 {
		return nil, usagef("mcpcheck list --era "+o.era+" shows its requirements", "this version judges no revision of the %s era", o.era)
	}
	if len(o.revisions) == 0 {
		return judged, nil
	}
	for _, r := range o.revisions {
		if !slices.Contains(judged, r) {
			return nil, usagef("leave out one of the two", "revision %s is none of the %s era", r, o.era)
		}
	}
	return o.revisions, nil
}
