package state

import (
	"errors"
	"io/fs"
	"os"
)

// replaceFile puts a new file in the place of the one at path, so that a reader
// sees either the old or the new, whole. The caller holds the lock of path,
// which is why the temporary name can be fixed and a killed writer leaves at
// most one such file. place is rename, or exchange for files that every hook
// writes. Nothing is flushed to the disk.
func replaceFile(path string, data []byte, place func(temp, path string) error) (err error) {
	temp := path + tempSuffix
	f, err := createFile(temp)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp)
		}
	}()
	_, err = f.Write(data)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return place(temp, path)
}

// createFile makes a new file. A file left by a killed writer is removed and
// not used again: after an exchange it is one that a reader may have open.
func createFile(path string) (*file, error) {
	const flags = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	f, err := openFile(path, flags)
	if errors.Is(err, fs.ErrExist) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		f, err = openFile(path, flags)
	}
	return f, err
}
