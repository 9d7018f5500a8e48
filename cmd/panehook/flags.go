package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
)

// countFlag adds a flag that says how many and can't be negative. n keeps its
// value without the flag.
func countFlag(fs *flag.FlagSet, name string, n int) *int {
	fs.Func(name, "", func(text string) error {
		count, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return errors.New("not a number of 0 or more")
		}
		n = int(count)
		return nil
	})
	return &n
}

// parseFlags reads the arguments of a subcommand and returns those that are no
// flags. Asked for help it prints that and returns flag.ErrHelp.
func (p *process) parseFlags(fs *flag.FlagSet, args []string, usage string) (positional []string, err error) {
	positional, err = parseFlags(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(p.stdout, usage)
	}
	return positional, err
}

// parseOnlyFlags is parseFlags for a subcommand that takes nothing else.
func (p *process) parseOnlyFlags(fs *flag.FlagSet, args []string, usage string) error {
	positional, err := p.parseFlags(fs, args, usage)
	if err == nil && len(positional) > 0 {
		err = fmt.Errorf("%s takes no arguments; see panehook %[1]s --help", fs.Name())
	}
	return err
}

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
