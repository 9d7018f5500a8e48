package state

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

const (
	dirMode  fs.FileMode = 0o700
	fileMode fs.FileMode = 0o600
)

var (
	errNotRegular = errors.New("not a regular file")
	errTooLarge   = errors.New("too large")
)

// fileStat is what the package wants to know of an open file.
type fileStat struct {
	regular bool
	private bool // nobody but its owner may do anything with it
	size    int64
}

// openRegular opens a file of ours, and nothing that merely stands in its place.
func openRegular(path string, flags int) (*file, fileStat, error) {
	f, err := openFile(path, flags)
	if err != nil {
		return nil, fileStat{}, err
	}
	st, err := f.stat()
	if err == nil && !st.regular {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, fileStat{}, err
	}
	return f, st, nil
}

// readFile reads a file that writers replace as a whole, of at most limit bytes.
func readFile(path string, limit int64) ([]byte, error) {
	f, st, err := openRegular(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st.size > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errTooLarge}
	}
	data := make([]byte, st.size)
	n, err := io.ReadFull(f, data)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	return data[:n], nil
}

// tighten takes from others what they may do in a folder. Where the system
// does not let us, the folder is its owner's concern. A sticky folder is shared
// on purpose, like /tmp.
func tighten(path string, info fs.FileInfo) {
	if info.Mode().Perm()&0o077 != 0 && info.Mode()&fs.ModeSticky == 0 {
		_ = os.Chmod(path, dirMode)
	}
}

// makeRoot creates the state root, or tightens the one that is there. The root
// may be a symbolic link: where it leads is its owner's choice.
func makeRoot(root string) error {
	info, err := os.Stat(root)
	if errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(root, dirMode)
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "open", Path: root, Err: errNotFolder}
	}
	tighten(root, info)
	return nil
}

var errNotFolder = errors.New("not a folder")

// checkFolder looks at a folder below the root, which may not be a link.
func checkFolder(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "open", Path: path, Err: errNotFolder}
	}
	tighten(path, info)
	return nil
}

// makeFolder creates a folder below the root unless it is there.
func makeFolder(path string) error {
	err := checkFolder(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Mkdir(path, dirMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return checkFolder(path)
}
