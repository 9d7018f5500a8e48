//go:build !unix

package state

import (
	"io/fs"
	"os"
)

// file is an open file of a session.
type file struct{ *os.File }

// openFile opens a file of a session. Links are refused as far as they can be.
func openFile(path string, flags int) (*file, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	f, err := os.OpenFile(path, flags, fileMode)
	if err != nil {
		return nil, err
	}
	return &file{f}, nil
}

// stat tells what the package wants to know of an open file.
func (f *file) stat() (fileStat, error) {
	info, err := f.Stat()
	if err != nil {
		return fileStat{}, err
	}
	return fileStat{
		regular: info.Mode().IsRegular(),
		private: info.Mode().Perm()&0o077 == 0,
		size:    info.Size(),
	}, nil
}

// readNames returns the names in a folder, in no order.
func readNames(path string) ([]string, error) {
	f, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}
