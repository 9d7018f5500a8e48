//go:build !unix

package state

import "time"

func lockAsReference(path string) (unlock func(), err error) {
	lock, err := acquire(path, time.Minute)
	if err != nil {
		return nil, err
	}
	return func() { lock.Unlock() }, nil
}
