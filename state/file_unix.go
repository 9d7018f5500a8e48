//go:build unix

package state

import (
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// file is an open file of a session. An os.File would come with the runtime's
// poller, which no plain file needs: where there are no descriptors left for
// it, the runtime ends the process with status 2, and by that a hook blocks its
// agent's tool. It also costs a hook a hundredth of its time.
type file struct {
	fd   int
	path string
}

// openFile opens a file of a session. A symbolic link could lead out of the
// state root, and a FIFO would wait for its other end: neither is followed.
func openFile(path string, flags int) (*file, error) {
	fd, err := again(func() (int, error) {
		return unix.Open(path, flags|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, uint32(fileMode))
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return &file{fd: fd, path: path}, nil
}

// stat tells what the package wants to know of an open file.
func (f *file) stat() (fileStat, error) {
	st, err := f.rawStat()
	return fileStat{
		regular: isRegular(&st),
		private: st.Mode&0o077 == 0,
		size:    st.Size,
	}, err
}

func (f *file) rawStat() (st unix.Stat_t, err error) {
	_, err = again(func() (int, error) { return 0, unix.Fstat(f.fd, &st) })
	return st, f.wrap("stat", err)
}

func isRegular(st *unix.Stat_t) bool { return st.Mode&unix.S_IFMT == unix.S_IFREG }

func (f *file) Read(b []byte) (int, error) {
	n, err := again(func() (int, error) { return unix.Read(f.fd, b) })
	return f.readResult(n, len(b), err)
}

func (f *file) ReadAt(b []byte, offset int64) (n int, err error) {
	for n < len(b) && err == nil {
		var got int
		got, err = again(func() (int, error) { return unix.Pread(f.fd, b[n:], offset+int64(n)) })
		got, err = f.readResult(got, len(b), err)
		n += got
	}
	return n, err
}

func (f *file) readResult(n, wanted int, err error) (int, error) {
	if err == nil && n == 0 && wanted > 0 {
		return 0, io.EOF
	}
	return max(n, 0), f.wrap("read", err)
}

func (f *file) Write(b []byte) (written int, err error) {
	for written < len(b) && err == nil {
		var n int
		n, err = again(func() (int, error) { return unix.Write(f.fd, b[written:]) })
		written += max(n, 0)
	}
	return written, f.wrap("write", err)
}

func (f *file) Truncate(size int64) error {
	_, err := again(func() (int, error) { return 0, unix.Ftruncate(f.fd, size) })
	return f.wrap("truncate", err)
}

func (f *file) Chmod(mode fs.FileMode) error {
	_, err := again(func() (int, error) { return 0, unix.Fchmod(f.fd, uint32(mode.Perm())) })
	return f.wrap("chmod", err)
}

// Close may be called again: by then the number may be that of another file.
// Nor is it tried again, for after EINTR the descriptor is closed all the same.
func (f *file) Close() error {
	fd := f.fd
	f.fd = -1
	if fd < 0 {
		return f.wrap("close", fs.ErrClosed)
	}
	return f.wrap("close", unix.Close(fd))
}

func (f *file) wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: f.path, Err: err}
}

// again calls until no signal interrupts it.
func again(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}

// readNames returns the names in a folder, in no order.
func readNames(path string) ([]string, error) {
	f, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	_ = unix.SetNonblock(f.fd, false) // or os.NewFile gives it the poller
	folder := os.NewFile(uintptr(f.fd), path)
	defer folder.Close()
	return folder.Readdirnames(-1)
}
