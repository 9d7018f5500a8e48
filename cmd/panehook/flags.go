package main

import (
	"flag"
	"io"
)

// parseFlags reads the flags of a subcommand wherever they stand among the
// other arguments, which it returns. It prints nothing. After "--" everything
// is an argument.
func parseFlags(fs *flag.FlagSet, args []string) (positional []string, err error) {
	fs.SetOutput(io.Discard)
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		rest := fs.Args()
		if len(rest) == 0 {
			return positional, nil
		}
		if n := len(args) - len(rest); n > 0 && args[n-1] == "--" {
			return append(positional, rest...), nil
		}
		positional, args = append(positional, rest[0]), rest[1:]
	}
}
