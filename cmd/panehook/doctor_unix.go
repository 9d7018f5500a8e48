//go:build unix && !solaris && !illumos && !aix

package main

import (
	"errors"
	"os"
	"syscall"
)

// modesMatter: a file's mode says who may read it.
const modesMatter = true

// checkLocks tries whether a lock on a file keeps a second one out: some
// network file systems refuse locks, others grant every one.
func checkLocks(file *os.File) error {
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return err
	}
	second, err := os.Open(file.Name())
	if err != nil {
		return err
	}
	defer second.Close()
	err = syscall.Flock(int(second.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return errors.New("a lock kept nobody out")
	}
	if !errors.Is(err, syscall.EWOULDBLOCK) {
		return err
	}
	return nil
}
