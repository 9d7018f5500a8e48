package main

import (
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"panehook/adapters"
)

// What is printed where: results on stdout, problems on stderr, one line each,
// "panehook: error: …". A hook prints nothing on stdout, since its agent reads
// it, and no text of a payload anywhere.

// fail says what went wrong and returns the exit status for it. Help that was
// asked for has been printed, and nothing went wrong.
func (p *process) fail(err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintf(p.stderr, "panehook: error: %s\n", oneLine(err.Error()))
	return 1
}

// oneLine makes any text safe for a terminal: file names and arguments can
// hold anything. What cannot be seen becomes a space.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// printable is a word from the command line as it may be shown.
func printable(word string) string { return adapters.Word(word) }
