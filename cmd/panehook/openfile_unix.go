//go:build unix

package main

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// openPlain is state's openFile for files outside the state root: it follows
// symbolic links and gives an os.File. Like that it does not wait for the other
// end of a FIFO, and does without the runtime's poller: where there are no
// descriptors left for that, the runtime would end the hook with status 2.
func openPlain(path string, flags int) (*os.File, error) {
	for {
		fd, err := unix.Open(path, flags|unix.O_NONBLOCK|unix.O_CLOEXEC, 0o600)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
		// os.NewFile gives the poller to what is left non-blocking.
		_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETFL, flags&os.O_APPEND)
		return os.NewFile(uintptr(fd), path), nil
	}
}
