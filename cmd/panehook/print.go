package main

import (
	"fmt"

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

// oneLine makes an error's text safe for a terminal: file names and arguments
// can hold anything.
func oneLine(text string) string {
	line := make([]rune, 0, len(text))
	for _, r := range text {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			r = ' '
		}
		line = append(line, r)
	}
	return string(line)
}

// printable is a word from the command line as it may be shown.
func printable(word string) string { return adapters.Word(word) }
