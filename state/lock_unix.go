//go:build unix

package state

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// fileLock is a flock(2) lock that is held. On other systems gofrs/flock does
// this; here it would open the file with the runtime's poller, see openFile.
type fileLock struct{ file *os.File }

// tryLock returns nil without an error when another holds the lock.
func tryLock(path string) (*fileLock, error) {
	f, err := openFile(path, os.O_RDONLY|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err != unix.EINTR {
			break
		}
	}
	if err == nil {
		return &fileLock{f}, nil
	}
	f.Close()
	if err == unix.EWOULDBLOCK {
		return nil, nil
	}
	return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
}

// Unlock does not leave it to the closing: a process that is just being
// started may hold the descriptor as well.
func (l *fileLock) Unlock() error {
	_ = unix.Flock(int(l.file.Fd()), unix.LOCK_UN)
	return l.file.Close()
}

func (l *fileLock) path() string               { return l.file.Name() }
func (l *fileLock) stat() (fs.FileInfo, error) { return l.file.Stat() }
