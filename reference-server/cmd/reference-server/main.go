// Command reference-server serves the MCP reference server of mcpcheck, conforming or with a deviation from a JSON file.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
}

// run serves until the context is done. The first line of the output is the URL.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := pflag.NewFlagSet("reference-server", pflag.ContinueOnError)
	flags.SetOutput(stderr)
	listen := flags.String("listen", "127.0.0.1:0", "address to listen on")
	profile := flags.String("profile", refserver.DefaultProfile, "one of "+strings.Join(refserver.AllProfiles(), ", "))
	deviation := flags.String("deviation", "", "JSON file with a deviation")
	hosts := flags.StringSlice("host", nil, "host name to answer to, beside the loopback ones")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return nil
		}
		return err
	}
	cfg := refserver.Config{Hosts: *hosts}
	var known bool
	if cfg.Profile, known = refserver.ProfileByName(*profile); !known {
		return fmt.Errorf("unknown profile %q; known are: %s", *profile, strings.Join(refserver.AllProfiles(), ", "))
	}
	if *deviation != "" {
		raw, err := os.ReadFile(*deviation)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(raw, &cfg.Deviation); err != nil {
			return fmt.Errorf("%s: %w", *deviation, err)
		}
	}
	server, err := refserver.New(cfg)
	if err != nil {
		return err
	}
	running, err := refserver.Listen(*listen, server)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, running.URL)
	<-ctx.Done()
	return running.Close()
}
