package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// errChangedMeanwhile means that another program wrote a file between our
// reading and our writing of it. Nothing was written.
var errChangedMeanwhile = errors.New("another program changed it just now")

// backupSuffix names the copy of a file as it was before panehook first
// changed it. It stands beside the file itself, not beside a link to it.
const backupSuffix = ".panehook-backup"

// editedFile is a file of somebody else's that is to be changed: a plain file
// or none, perhaps behind symbolic links, which stay.
type editedFile struct {
	path   string // as the agent names it
	target string // the file itself
	now    []byte // nil where there is no file
	info   fs.FileInfo
}

func readForEdit(path string) (*editedFile, error) {
	target, err := followLinks(path)
	if err != nil {
		return nil, err
	}
	f := &editedFile{path: path, target: target}
	f.now, f.info, err = readWhole(target)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return f, nil
}

// followLinks goes along a chain of symbolic links to the file at its end,
// which need not exist. Only the last element of each path is followed by
// hand; the system resolves the folders, as ".." behind a link is not what it
// looks like.
func followLinks(path string) (string, error) {
	for range 40 {
		dir, name := filepath.Split(path)
		realDir, err := filepath.EvalSymlinks(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return filepath.Clean(path), nil
		}
		if err != nil {
			return "", err
		}
		path = filepath.Join(realDir, name)
		link, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link, or nothing there
		}
		if filepath.IsAbs(link) {
			path = link
		} else {
			path = realDir + string(filepath.Separator) + link
		}
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: errors.New("too many symbolic links")}
}

func (f *editedFile) backup() string { return f.target + backupSuffix }

// readBackup returns the file before panehook first changed it, nil if there
// is no record of it.
func (f *editedFile) readBackup() []byte {
	data, _, err := readWhole(f.backup())
	if err != nil {
		return nil
	}
	return data
}

// keepBackup records the file as it is now, or that there is none. What has the
// name already is the record, unless renew says that it is of another time.
func (f *editedFile) keepBackup(renew bool) error {
	old := f.readBackup()
	if f.now == nil && !renew || old != nil && (!renew || same(old, f.now)) {
		return nil
	}
	if err := setAside(f.backup()); err != nil || f.now == nil {
		return err
	}
	temp, err := f.writeTemp(f.backup(), f.now)
	if err != nil {
		return err
	}
	if err := os.Rename(temp, f.backup()); err != nil {
		os.Remove(temp)
		return err
	}
	return nil
}

// setAside gives what is at path, if anything is, a name with a number: it may
// be somebody's own.
func setAside(path string) error {
	if _, err := os.Lstat(path); err != nil {
		return ignoreMissing(err)
	}
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.%d", path, n)
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return ignoreMissing(os.Rename(path, name))
		} else if err != nil {
			return err
		}
	}
}

// write puts after in the place of the file, nil removes it. A reader sees the
// old file or the new one. Mode and owner stay.
func (f *editedFile) write(after []byte) error {
	if after == nil {
		if err := f.checkUnchanged(); err != nil {
			return err
		}
		return os.Remove(f.target)
	}
	if err := makeFolder(filepath.Dir(f.target)); err != nil {
		return err
	}
	temp, err := f.writeTemp(f.target, after)
	if err != nil {
		return err
	}
	if err := f.moveIntoPlace(temp); err != nil {
		os.Remove(temp)
		return err
	}
	syncDir(filepath.Dir(f.target))
	return nil
}

func (f *editedFile) moveIntoPlace(temp string) error {
	if f.now == nil {
		// A link, unlike a rename, never replaces what came in between.
		switch err := os.Link(temp, f.target); {
		case err == nil:
			return os.Remove(temp)
		case errors.Is(err, fs.ErrExist):
			return f.changed()
		}
	}
	if err := f.checkUnchanged(); err != nil {
		return err
	}
	return os.Rename(temp, f.target)
}

func (f *editedFile) checkUnchanged() error {
	now, info, err := readWhole(f.target)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.now == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return f.changed()
	case err != nil:
		return err
	case f.now == nil || !bytes.Equal(now, f.now) || info.Mode() != f.info.Mode():
		return f.changed()
	}
	return nil
}

func (f *editedFile) changed() error {
	return &fs.PathError{Op: "write", Path: f.path, Err: errChangedMeanwhile}
}

// makeFolder makes a folder that is not there, and those above it, for whoever
// owns the first one that is.
func makeFolder(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return ownLikeFolder(path)
}

// tempInfix stands in the names of files that are being written, before the
// number of the process.
const tempInfix = ".panehook-tmp-"

// writeTemp writes data beside path under a name that no agent takes for one
// of its files.
func (f *editedFile) writeTemp(path string, data []byte) (name string, err error) {
	pattern := fmt.Sprintf(".%s%s%d-*", filepath.Base(path), tempInfix, os.Getpid())
	temp, err := os.CreateTemp(filepath.Dir(path), pattern)
	var inPath *fs.PathError
	if errors.As(err, &inPath) {
		err = &fs.PathError{Op: "write into", Path: filepath.Dir(path), Err: inPath.Err}
	}
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	if _, err := temp.Write(data); err != nil {
		return "", err
	}
	if f.info == nil {
		err = ownLikeFolder(temp.Name())
	} else if err = keepOwner(temp, f.info); err == nil {
		err = temp.Chmod(f.info.Mode().Perm())
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.path, err)
	}
	if err := temp.Sync(); err != nil {
		return "", err
	}
	return temp.Name(), temp.Close()
}

// removeAbandoned removes what a writer of this file has left when it was
// killed: its process is gone, or nobody can tell and an hour has passed.
func (f *editedFile) removeAbandoned() {
	dir := filepath.Dir(f.target)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), "."+filepath.Base(f.target))
		rest, ours2 := strings.CutPrefix(strings.TrimPrefix(rest, backupSuffix), tempInfix)
		number, _, _ := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(number)
		if !ours || !ours2 || err != nil || pid == os.Getpid() {
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		_, canTell := readStat(os.Getpid())
		writer, runs := readStat(pid)
		dead := !runs || writer.dead()
		if canTell && dead || time.Since(info.ModTime()) > time.Hour {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

func removeIfThere(path string) error {
	return ignoreMissing(os.Remove(path))
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// syncDir makes a rename durable where the system can; it is no loss where not.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}
