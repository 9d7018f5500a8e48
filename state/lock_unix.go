//go:build unix

package state

import (
	"os"

	"golang.org/x/sys/unix"
)

// fileLock is a flock(2) lock that is held. On other systems gofrs/flock does
// this; here it would open the file with the runtime's poller, see file.
type fileLock struct{ file *file }

// tryLock returns nil without an error when another holds the lock.
func tryLock(path string) (*fileLock, error) {
	f, err := openFile(path, os.O_RDONLY|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	_, err = again(func() (int, error) { return 0, unix.Flock(f.fd, unix.LOCK_EX|unix.LOCK_NB) })
	if err == nil {
		return &fileLock{f}, nil
	}
	f.Close()
	if err == unix.EWOULDBLOCK {
		return nil, nil
	}
	return nil, f.wrap("lock", err)
}

// isCurrent tells whether the locked file still stands at its path. Its folder
// may have been removed and made anew between opening and locking, and then
// others lock another file.
func (l *fileLock) isCurrent() (bool, error) {
	locked, err := l.file.rawStat()
	if err != nil {
		return false, err
	}
	if !isRegular(&locked) {
		return false, l.file.wrap("lock", errNotRegular)
	}
	var there unix.Stat_t
	_, err = again(func() (int, error) { return 0, unix.Lstat(l.file.path, &there) })
	if err == unix.ENOENT {
		return false, nil
	}
	return err == nil && locked.Dev == there.Dev && locked.Ino == there.Ino, l.file.wrap("lstat", err)
}

// Unlock does not leave it to the closing: a process that is just being
// started may hold the descriptor as well.
func (l *fileLock) Unlock() error {
	_ = unix.Flock(l.file.fd, unix.LOCK_UN)
	return l.file.Close()
}
