//go:build !unix

package state

import (
	"io/fs"
	"os"
)

const (
	openNoFollow = 0
	openNoWait   = 0
)

func refuseLink(path string) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	return nil
}
