//go:build !unix

package state

import (
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

func (l *fileLock) path() string               { return l.lock.Path() }
func (l *fileLock) stat() (fs.FileInfo, error) { return l.lock.Stat() }
