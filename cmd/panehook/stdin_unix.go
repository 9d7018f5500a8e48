//go:build linux || darwin

package main

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A pollSource waits with poll(2) before each read. That costs no thread and
// no timer, and it leaves the descriptor's mode alone, which it may share with
// the agent.
type pollSource struct{ conn syscall.RawConn }

func newSource(f *os.File) source {
	conn, err := f.SyscallConn()
	if err != nil {
		return pollSource{}
	}
	return pollSource{conn}
}

func (p pollSource) read(b []byte, deadline time.Time) (n int) {
	if p.conn == nil {
		return 0
	}
	err := p.conn.Control(func(fd uintptr) { n = pollRead(int(fd), b, deadline) })
	if err != nil {
		return 0
	}
	return n
}

func pollRead(fd int, b []byte, deadline time.Time) int {
	for {
		// Rounded up: a wait of less than a millisecond must not spin.
		wait := max(0, time.Until(deadline)+time.Millisecond-1)
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		ready, err := unix.Poll(fds, int(wait.Milliseconds()))
		switch {
		case err == unix.EINTR && wait > 0:
			continue
		case err == nil && ready == 0:
			return 0
		}
		// Whatever poll found, a read settles it: macOS answers POLLNVAL for
		// devices that can be read, POLLHUP may come with bytes left, and where
		// no descriptor is allowed Linux refuses to poll any.
		n, err := unix.Read(fd, b)
		switch {
		case n > 0:
			return n
		case err == unix.EINTR, err == unix.EAGAIN && wait > 0:
			continue
		}
		return 0
	}
}
