//go:build !unix

package state

import (
	"io/fs"
	"os"
)

// openFile opens a file of a session. Links are refused as far as they can be.
func openFile(path string, flags int) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	return os.OpenFile(path, flags, fileMode)
}
