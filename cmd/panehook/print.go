package main

import (
	"fmt"
	"strconv"
	"strings"

	"panehook/adapters"
)

// What is printed where: results on stdout, problems on stderr, one line each,
// "panehook: error: …". A hook prints nothing on stdout, since its agent reads
// it, and no text of a payload anywhere.

// fail says what went wrong and returns the exit status for it.
func (p *process) fail(err error) int {
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
