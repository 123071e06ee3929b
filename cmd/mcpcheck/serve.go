package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/mcpcheck/mcpcheck/fixtures/faults"
	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
)

// serve is mcpcheck serve: the reference server, conforming or with one fault.
func (c *command) serve(args []string) error {
	flags := newFlags("mcpcheck serve")
	listen := flags.String("listen", "127.0.0.1:0", "`address` to listen on; port 0 takes a free one")
	era := flags.String("era", "legacy", "`era` to speak: legacy (others come with later versions)")
	transport := flags.String("transport", "streamable-http", "`transport` to speak: streamable-http")
	fault := flags.String("fault", "", "serve with this deliberate `fault`; an unknown id lists them")
	profile := flags.String("profile", "", "what the server offers: `"+strings.Join(refserver.Profiles(), "`, ")+" (default "+refserver.DefaultProfile+")")
	help, err := parse(flags, args)
	if err != nil {
		return err
	}
	if help {
		_, err := fmt.Fprintf(c.stdout, "Usage: mcpcheck serve [flags]\n\nRuns the bundled reference server until interrupted; the first line it prints is its URL.\n\nFlags:\n%s", flags.FlagUsages())
		return err
	}
	switch {
	case flags.NArg() > 0:
		return usagef("mcpcheck serve --help lists the flags", "serve takes no arguments: %s", strings.Join(flags.Args(), " "))
	case *era != "legacy":
		return usagef("this version has the legacy server only", "era %q", *era)
	case *transport != "streamable-http":
		return usagef("this version has streamable-http only", "transport %q", *transport)
	}
	config, err := serverConfig(*fault, *profile)
	if err != nil {
		return err
	}
	server, err := refserver.New(config)
	if err != nil {
		return fmt.Errorf("starting the reference server: %w", err)
	}
	running, err := refserver.Listen(*listen, server)
	if err != nil {
		return usagef("choose another --listen address", "starting the reference server: %w", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if _, err := fmt.Fprintln(c.stdout, running.URL); err != nil {
		running.Close()
		return err
	}
	<-ctx.Done()
	return running.Close()
}

// serverConfig finds the profile and the fault.
func serverConfig(fault, profile string) (refserver.Config, error) {
	var config refserver.Config
	if fault != "" {
		f, err := faults.ByID(fault)
		if err != nil {
			return config, unknownFault(fault, err)
		}
		deviation := f.Deviation
		config.Deviation = &deviation
		if profile == "" {
			profile = f.Profile
		}
	}
	p, ok := refserver.ProfileByName(profile)
	if !ok {
		return config, usagef("choose from "+strings.Join(refserver.Profiles(), ", "), "no profile has the name %q", profile)
	}
	config.Profile = p
	return config, nil
}

// unknownFault lists the faults that there are, the similar ones first where there are some.
func unknownFault(fault string, cause error) error {
	all, err := faults.All()
	if err != nil {
		return fmt.Errorf("loading the faults: %w", err)
	}
	ids := make([]string, len(all))
	for i, f := range all {
		ids[i] = f.ID
	}
	hint := "choose from " + strings.Join(ids, ", ")
	if closest := catalogue.Closest(fault, ids); len(closest) > 0 {
		hint = "did you mean " + strings.Join(closest, ", ") + "?"
	}
	return usagef(hint, "%w", cause)
}
