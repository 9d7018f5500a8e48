//go:build linux || darwin

package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// aside is a stream that perhaps nobody reads. What does not go at once is
// dropped: in front of a full pipe a hook would wait for ever, and os.File ends
// the process when the pipe behind standard error is closed.
type aside struct{ file *os.File }

func newAside(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok {
		return aside{f}
	}
	return w
}

func (a aside) Write(b []byte) (int, error) {
	conn, err := a.file.SyscallConn()
	if err != nil {
		return 0, err
	}
	err = conn.Control(func(fd uintptr) {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
		if ready, err := unix.Poll(fds, 0); ready > 0 || err != nil {
			_, _ = unix.Write(int(fd), b)
		}
	})
	return len(b), err
}
