//go:build unix

package state

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// openFile opens a file of a session. A symbolic link could lead out of the
// state root, and a FIFO would wait for its other end.
//
// os.OpenFile would set up the runtime's poller, which no plain file needs.
// Where there are no descriptors left for it, the runtime ends the process with
// status 2, and by that a hook blocks its agent's tool.
func openFile(path string, flags int) (*os.File, error) {
	for {
		fd, err := unix.Open(path, flags|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, uint32(fileMode))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
		// Only opening must not wait. A file that stays non-blocking would get
		// the poller from os.NewFile.
		_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETFL, flags&os.O_APPEND)
		return os.NewFile(uintptr(fd), path), nil
	}
}
