//go:build !linux && !darwin

package main

import (
	"os"
	"time"
)

// A chanSource reads in a goroutine, which stays behind in its last read when
// the deadline comes first.
type chanSource struct {
	chunks chan []byte
	rest   []byte
}

func newSource(f *os.File) source {
	s := &chanSource{chunks: make(chan []byte, 1)}
	go func() {
		defer close(s.chunks)
		for {
			b := make([]byte, stdinBuffer)
			n, err := f.Read(b)
			if n > 0 {
				s.chunks <- b[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	return s
}

func (s *chanSource) read(b []byte, deadline time.Time) int {
	if len(s.rest) == 0 {
		// A select of two ready channels chooses at random: what is there
		// already must win over a deadline that has passed.
		select {
		case s.rest = <-s.chunks:
		default:
			select {
			case s.rest = <-s.chunks:
			case <-time.After(time.Until(deadline)):
				return 0
			}
		}
	}
	n := copy(b, s.rest)
	s.rest = s.rest[n:]
	return n
}
