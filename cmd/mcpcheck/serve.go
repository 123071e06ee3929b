package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/fixtures/faults"
	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
)

// serveOptions are the flags of mcpcheck serve.
type serveOptions struct {
	listen, era, transport string
	fault, profile         string
	listFaults             bool
}

func serveFlags(o *serveOptions) *pflag.FlagSet {
	f := newFlags("mcpcheck serve")
	f.StringVar(&o.listen, "listen", "127.0.0.1:0", "")
	f.StringVar(&o.fault, "fault", "", "")
	f.BoolVar(&o.listFaults, "list-faults", false, "")
	f.StringVar(&o.profile, "profile", "", "")
	f.StringVar(&o.era, "era", "", "")
	f.StringVar(&o.transport, "transport", "", "")
	colorFlags(f, new(string))
	return f
}

// serve is mcpcheck serve: the reference server, conforming or with one fault.
func (c *command) serve(args []string) error {
	var o serveOptions
	flags := serveFlags(&o)
	help, err := c.parse(flags, args)
	if err != nil {
		return err
	}
	if help {
		return c.print(usage(flags.Name()))
	}
	switch {
	case flags.NArg() > 0:
		return usagef("mcpcheck serve --help lists the flags", "serve takes no arguments: %s", strings.Join(flags.Args(), " "))
	case flags.Changed("era") && !slices.Contains(refserver.Eras(), o.era):
		return usagef("choose from "+strings.Join(refserver.Eras(), ", "), "--era %q is not known", o.era)
	case flags.Changed("transport") && !slices.Contains(refserver.Transports(), o.transport):
		return usagef("choose from "+strings.Join(refserver.Transports(), ", "), "--transport %q is not known", o.transport)
	}
	if o.listFaults {
		return c.listFaults()
	}
	config, err := serverConfig(o)
	if err != nil {
		return err
	}
	server, err := refserver.New(config)
	if err != nil {
		return fmt.Errorf("starting the reference server: %w", err)
	}
	running, err := refserver.Listen(o.listen, server)
	if err != nil {
		return usagef("choose another --listen address", "starting the reference server: %w", err)
	}
	ctx, release := c.interrupts.context()
	defer release()
	if err := c.print(running.URL + "\n"); err != nil {
		return errors.Join(err, running.Close())
	}
	<-ctx.Done()
	return running.Close()
}

// bundledProfile is what the bundled server is without flags: a server of both eras shows the most. A fault without a profile is of the
// default one of the reference server, which speaks one era.
const bundledProfile = refserver.EraDual

// serverConfig finds the profile and the fault. Without a profile the era or the transport names one: those of another era, and those of
// HTTP+SSE, are called as these are.
func serverConfig(o serveOptions) (refserver.Config, error) {
	var config refserver.Config
	profile := o.profile
	if o.fault != "" {
		f, err := faults.ByID(o.fault)
		if err != nil {
			return config, unknownFault(o.fault, err)
		}
		deviation := f.Deviation
		config.Deviation = &deviation
		if profile == "" && f.Profile != refserver.DefaultProfile {
			profile = f.Profile
		}
	}
	switch {
	case profile != "":
	case o.transport != "" && o.transport != refserver.TransportStreamable:
		profile = o.transport
	case o.era != "" && o.era != refserver.EraLegacy:
		profile = o.era
	case o.era == "" && o.fault == "":
		profile = bundledProfile
	}
	p, ok := refserver.ProfileByName(profile)
	if !ok {
		return config, usagef("choose from "+strings.Join(refserver.AllProfiles(), ", "), "no profile has the name %q", profile)
	}
	if o.transport != "" && o.transport != p.Transport {
		return config, usagef("leave out --transport: profiles and faults bring their own", "the profile %s speaks %s, not %s", p.Name, p.Transport, o.transport)
	}
	if o.era != "" && o.era != p.Era && p.Era != refserver.EraDual {
		return config, usagef("leave out --era: profiles and faults bring their own", "the profile %s is of the era %s, not %s", p.Name, p.Era, o.era)
	}
	if o.era != "" {
		p.Era = o.era
	}
	config.Profile = p
	return config, nil
}

// unknownFault names the similar faults, where there are some.
func unknownFault(fault string, cause error) error {
	all, err := faults.All()
	if err != nil {
		return fmt.Errorf("loading the faults: %w", err)
	}
	ids := make([]string, len(all))
	for i, f := range all {
		ids[i] = f.ID
	}
	hint := "mcpcheck serve --list-faults shows those that there are"
	if closest := catalogue.Closest(fault, ids); len(closest) > 0 {
		hint = "did you mean " + strings.Join(closest, ", ") + "? " + hint
	}
	return usagef(hint, "%w", cause)
}

// listFaults prints every fault below the requirement that it is about.
func (c *command) listFaults() error {
	all, err := faults.All()
	if err != nil {
		return fmt.Errorf("loading the faults: %w", err)
	}
	var b strings.Builder
	about := ""
	for _, f := range all {
		if f.About != about {
			about = f.About
			fmt.Fprintf(&b, "%s\n", about)
		}
		fmt.Fprintf(&b, "  %s\n%s", f.ID, wrap(f.Says, min(c.width(), maxText), "      "))
	}
	return c.print(b.String())
}
