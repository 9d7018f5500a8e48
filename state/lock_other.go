//go:build !unix

package state

import (
	"errors"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
)

// fileLock is a lock that is held.
type fileLock struct{ lock *flock.Flock }

// tryLock returns nil without an error when another holds the lock.
func tryLock(path string) (*fileLock, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDONLY), flock.SetPermissions(fileMode))
	locked, err := lock.TryLock()
	if !locked || err != nil {
		return nil, err
	}
	return &fileLock{lock}, nil
}

// Unlock releases the lock and closes its file.
func (l *fileLock) Unlock() error { return l.lock.Unlock() }

// isCurrent tells whether the locked file still stands at its path. Its folder
// may have been removed and made anew between opening and locking, and then
// others lock another file.
func (l *fileLock) isCurrent() (bool, error) {
	locked, err := l.lock.Stat()
	if err != nil {
		return false, err
	}
	if !locked.Mode().IsRegular() {
		return false, &fs.PathError{Op: "lock", Path: l.lock.Path(), Err: errNotRegular}
	}
	there, err := os.Lstat(l.lock.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(locked, there), err
}
