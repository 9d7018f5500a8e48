//go:build unix

package state

import (
	"os"
	"syscall"
)

// lockAsReference locks as a program does that waits for as long as it takes.
func lockAsReference(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return nil, err
	}
	return func() { f.Close() }, nil
}
