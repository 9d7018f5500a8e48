//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// keepOwner gives a new file the owner and group of the one that it replaces.
func keepOwner(file *os.File, like fs.FileInfo) error {
	mine, err := file.Stat()
	if err != nil {
		return err
	}
	want, ok := like.Sys().(*syscall.Stat_t)
	have, ok2 := mine.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || want.Uid == have.Uid && want.Gid == have.Gid {
		return nil
	}
	if err := file.Chown(int(want.Uid), int(want.Gid)); err != nil {
		return fmt.Errorf("it belongs to user %d, group %d, which only they could keep so: %w", want.Uid, want.Gid, syscall.EPERM)
	}
	return nil
}

// ownLikeFolder gives what root makes in somebody's folder to them.
func ownLikeFolder(path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err
	}
	if folder, ok := info.Sys().(*syscall.Stat_t); ok && folder.Uid != 0 {
		return os.Chown(path, int(folder.Uid), int(folder.Gid))
	}
	return nil
}

// isForeign tells whether a file is another user's.
func isForeign(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) != os.Geteuid()
}
