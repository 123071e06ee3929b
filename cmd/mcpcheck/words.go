package main

import (
	"strings"

	"github.com/spf13/pflag"
)

// firstWord finds the first argument that is neither a flag nor the value of one: the command, if it names one. It is -1 where there
// is none before "--".
func firstWord(args []string) int {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return -1
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			return i
		case wantsNext(arg):
			i++
		}
	}
	return -1
}

// wantsNext tells whether the value of a flag is the next argument. Flags that no command has take none; the command says so.
func wantsNext(arg string) bool {
	sets := []*pflag.FlagSet{checkFlags(&options{}), watchFlags(&watchOptions{}), serveFlags(&serveOptions{}), listFlags(&filter{})}
	takes := func(lookup func(*pflag.FlagSet) *pflag.Flag) bool {
		for _, set := range sets {
			if f := lookup(set); f != nil {
				return f.NoOptDefVal == ""
			}
		}
		return false
	}
	if name, long := strings.CutPrefix(arg, "--"); long {
		return !strings.Contains(name, "=") && takes(func(set *pflag.FlagSet) *pflag.Flag { return set.Lookup(name) })
	}
	// In -qo VALUE the last letter takes the value, in -oVALUE an earlier one.
	for i := 1; i < len(arg); i++ {
		if letter := arg[i : i+1]; takes(func(set *pflag.FlagSet) *pflag.Flag { return set.ShorthandLookup(letter) }) {
			return i == len(arg)-1
		}
	}
	return false
}
