package state

import (
	"os"

	"golang.org/x/sys/unix"
)

func rename(from, to string) error { return os.Rename(from, to) }

// exchange puts the file at temp in the place of the one at path by swapping
// their names, which is as atomic as a rename, and removes the old one. A
// rename over a file makes ext4 write out the new one at once: that took 0.7 ms
// of 0.9 here. The price is that a power cut may leave the file empty.
func exchange(temp, path string) error {
	if err := unix.Renameat2(unix.AT_FDCWD, temp, unix.AT_FDCWD, path, unix.RENAME_EXCHANGE); err != nil {
		return os.Rename(temp, path) // there was none, or the file system cannot
	}
	_ = os.Remove(temp) // or the next writer does
	return nil
}
