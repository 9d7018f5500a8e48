package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
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

// lengthFlag adds a flag that is a length of time.
func lengthFlag(fs *flag.FlagSet, name string, d time.Duration) *time.Duration {
	fs.Func(name, "", func(text string) (err error) {
		d, err = parseLength(text)
		return err
	})
	return &d
}

// parseLength reads a length of time, which can be in days.
func parseLength(text string) (time.Duration, error) {
	if number, ok := strings.CutSuffix(text, "d"); ok {
		if days, err := strconv.ParseFloat(number, 64); err == nil {
			text = strconv.FormatFloat(days*24, 'f', -1, 64) + "h"
		}
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, errors.New("not a length of time such as 5s, 2m or 1d")
	case d < 0:
		return 0, errors.New("it must not be negative")
	}
	return d, nil
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
			return nil, flagError(fs, args, err)
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

// flagError words an error of package flag, which has no types for them.
func flagError(fs *flag.FlagSet, args []string, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		text = "no flag " + asWritten(fs, args, name)
	} else if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		text = asWritten(fs, args, name) + " needs a value"
	} else if syntax, ok := strings.CutPrefix(text, "bad flag syntax: "); ok {
		text = strconv.Quote(syntax) + " is no flag"
	} else if rest, ok := strings.CutPrefix(text, "invalid boolean value "); ok {
		_, name, _ := cutQuoted(rest, " for -")
		text = asWritten(fs, args, name) + " takes no value"
	} else if rest, ok := strings.CutPrefix(text, "invalid value "); ok {
		value, name, why := cutQuoted(rest, " for flag -")
		text = "invalid value " + value + " for " + asWritten(fs, args, name) + ": " + why
	}
	return errors.New(text + "; see panehook " + fs.Name() + " --help")
}

// cutQuoted takes apart a text that says why a quoted value is none for a flag.
func cutQuoted(text, between string) (value, name, why string) {
	value, _ = strconv.QuotedPrefix(text)
	rest := strings.TrimPrefix(text[len(value):], between)
	name, why, _ = strings.Cut(rest, ": ")
	return value, name, why
}

// asWritten is a flag as it stands in the arguments: it is the last of those
// that were read, or the one before its value.
func asWritten(fs *flag.FlagSet, args []string, name string) string {
	last := len(args) - fs.NArg() - 1
	for i := last; i >= max(0, last-1); i-- {
		if written, _, _ := strings.Cut(args[i], "="); strings.HasPrefix(written, "-") && strings.TrimLeft(written, "-") == name {
			return written
		}
	}
	return "--" + name
}
