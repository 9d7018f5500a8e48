package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
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

// printJSON prints a result for programs and returns the exit status for it.
func (p *process) printJSON(v any) int {
	if err := writeJSON(p.stdout, v); err != nil {
		return p.fail(err)
	}
	return 0
}

// writeJSON writes a value as one line, for every --json. What a terminal would
// act upon or not show is escaped, since people look at such output too.
func writeJSON(w io.Writer, v any) error {
	var line bytes.Buffer
	out := json.NewEncoder(&line)
	out.SetEscapeHTML(false)
	if err := out.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeInvisible(line.Bytes()))
	return err
}
