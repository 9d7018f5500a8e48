package main

import (
	"os"
	"time"

	"panehook/adapters"
)

const (
	// stdinBuffer is what one read may bring: all that a pipe holds on Linux.
	stdinBuffer = 64 << 10
	// firstRead is what most payloads fit into.
	firstRead = 4 << 10
)

// trailerWait is how long the newline behind a large payload may take. An
// agent that meets a full pipe may have to write that last byte on its own.
const trailerWait = 10 * time.Millisecond

// A source gives bytes without blocking past a deadline.
type source interface {
	// read fills b once bytes are there. It returns 0 at the end of input, on
	// an error, and when none have come by the deadline; a deadline that has
	// passed still gives what is there already.
	read(b []byte, deadline time.Time) int
}

// readPayload reads the JSON value that an agent writes to a hook, and tells
// whether it came whole. It stops at the end of the value, of the input, or at
// the deadline, whichever is first: agents leave the pipe open, but leaving
// before they have written everything breaks it under their hands.
// A terminal is not read.
func readPayload(stdin *os.File, deadline time.Time) (payload []byte, complete bool) {
	if isTerminal(stdin) {
		return nil, false
	}
	src := newSource(stdin)
	var scanner adapters.Scanner
	buf := make([]byte, firstRead)
	total := 0
	for {
		n := src.read(buf, deadline)
		if n == 0 {
			break
		}
		total += n
		if scanner.Feed(buf[:n]) {
			drain(src, buf, total >= firstRead && endsValue(buf[n-1]), deadline)
			break
		}
		if !time.Now().Before(deadline) {
			break
		}
		if n == len(buf) && n < stdinBuffer {
			buf = make([]byte, stdinBuffer)
		}
	}
	return scanner.Payload(), scanner.Complete()
}

// drain reads what is there behind the value. Only when a payload that a pipe
// need not take at once stops right at its value is the newline behind it waited
// for.
func drain(src source, buf []byte, expectMore bool, deadline time.Time) {
	var until time.Time
	if expectMore {
		until = time.Now().Add(trailerWait)
	}
	for src.read(buf, until) > 0 && time.Now().Before(deadline) {
		until = time.Time{}
	}
}

func endsValue(last byte) bool { return last == '}' || last == ']' || last == '"' }
