package state

import (
	"errors"
	"fmt"
	"time"
)

// ErrBusy is returned when another process held a lock for longer than a writer
// may wait, about a second. Nothing was written; the error names the lock file.
var ErrBusy = errors.New("locked by another process")

// lockWait is how long library calls wait for a lock.
const lockWait = time.Second

// A waiter looks again after lockPollMin, then after twice that, up to
// lockPollMax. A hook holds the lock for a fraction of a millisecond; and sixteen
// that queue up wait hardly longer so than in a queue of the system's.
const (
	lockPollMin = 125 * time.Microsecond
	lockPollMax = time.Millisecond
)

// acquire locks the file at path, which it creates, for at most wait. The lock
// excludes every other holder of a flock(2) lock on it, in this process too.
func acquire(path string, wait time.Duration) (*fileLock, error) {
	deadline := time.Now().Add(wait)
	pause := lockPollMin
	for {
		lock, err := tryLock(path)
		if err != nil {
			return nil, err
		}
		if lock != nil {
			current, err := lock.isCurrent()
			if current && err == nil {
				return lock, nil
			}
			lock.Unlock()
			if err != nil {
				return nil, err
			}
		}
		if !time.Now().Before(deadline) {
			return nil, fmt.Errorf("%s: %w", path, ErrBusy)
		}
		if lock == nil {
			time.Sleep(pause)
			pause = min(2*pause, lockPollMax)
		}
	}
}
