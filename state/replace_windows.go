package state

import (
	"os"
	"time"
)

// rename tries for a while: Windows refuses to replace a file that a reader has
// open, and readers here take a fraction of a millisecond.
func rename(from, to string) error {
	var err error
	for range 50 {
		if err = os.Rename(from, to); err == nil || !os.IsPermission(err) {
			return err
		}
		time.Sleep(2 * time.Millisecond)
	}
	return err
}

func exchange(temp, path string) error { return rename(temp, path) }
