package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

func writeFile(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func symlink(t *testing.T, target, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func TestEditFollowsLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(path string) string { return filepath.Join(dir, path) }
	writeFile(t, in("dotfiles/real/file"), "old", 0o640)
	symlink(t, "real", in("dotfiles/folder"))
	symlink(t, "../dotfiles/folder/file", in("mid/relative"))
	symlink(t, in("mid/relative"), in("home/absolute"))
	// The way back goes from where the folder really is.
	symlink(t, in("deep/er/config"), in("home/.agent"))
	symlink(t, "../../../mid/relative", in("deep/er/config/file"))
	symlink(t, "nowhere/file", in("home/dangling"))
	symlink(t, "loop", in("home/loop"))

	for _, path := range []string{"home/absolute", "home/.agent/file", "mid/relative", "dotfiles/folder/file"} {
		f, err := readForEdit(in(path))
		if err != nil || string(f.now) != "old" || f.target != in("dotfiles/real/file") {
			t.Errorf("%s: %+v, %v", path, f, err)
		}
	}
	f, err := readForEdit(in("home/absolute"))
	if err == nil {
		err = f.write([]byte("new"))
	}
	if err != nil || readFile(t, in("dotfiles/real/file")) != "new" || f.info.Mode().Perm() != 0o640 {
		t.Errorf("write through links: %v", err)
	}
	if link, err := os.Readlink(in("home/absolute")); link != in("mid/relative") {
		t.Errorf("the first link is %q now, %v", link, err)
	}
	if f, err = readForEdit(in("home/dangling")); err == nil && f.now == nil {
		err = f.write([]byte("made"))
	}
	if err != nil || readFile(t, in("home/nowhere/file")) != "made" {
		t.Errorf("write through a dangling link: %v", err)
	}
	if _, err := readForEdit(in("home/loop")); err == nil || !strings.Contains(err.Error(), "too many symbolic links") {
		t.Errorf("a loop: %v", err)
	}
	if _, err := readForEdit(in("home")); err == nil {
		t.Error("a folder was taken for a file")
	}
}

func TestEditNoticesAnotherWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, test := range []struct {
		name        string
		before, now func()
	}{
		{"changed", func() { writeFile(t, path, "old", 0o600) }, func() { writeFile(t, path, "theirs", 0o600) }},
		{"removed", func() { writeFile(t, path, "old", 0o600) }, func() { os.Remove(path) }},
		{"created", func() { os.Remove(path) }, func() { writeFile(t, path, "theirs", 0o600) }},
	} {
		for _, after := range [][]byte{[]byte("ours"), nil} {
			test.before()
			f, err := readForEdit(path)
			if err != nil {
				t.Fatal(err)
			}
			test.now()
			if err := f.write(after); !errors.Is(err, errChangedMeanwhile) {
				t.Errorf("%s, writing %q: %v", test.name, after, err)
			}
			if data, err := os.ReadFile(path); err == nil && string(data) != "theirs" {
				t.Errorf("%s: their file is %q now", test.name, data)
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Of many writers that read the same file, one gets through.
func TestEditManyWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var wrote sync.Map
	var wait sync.WaitGroup
	files := make([]*editedFile, 20)
	for i := range files {
		var err error
		if files[i], err = readForEdit(path); err != nil {
			t.Fatal(err)
		}
	}
	for i, f := range files {
		wait.Go(func() {
			if err := f.write([]byte{byte('a' + i)}); err == nil {
				wrote.Store(i, true)
			} else if !errors.Is(err, errChangedMeanwhile) {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	count := 0
	wrote.Range(func(any, any) bool { count++; return true })
	if count != 1 {
		t.Errorf("%d writers created the file", count)
	}
}

func TestEditRemovesAbandoned(t *testing.T) {
	dir := t.TempDir()
	gone := exec.Command(os.Args[0], "-test.run=^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	name := func(of string, pid int) string { return fmt.Sprintf(".%s.panehook-tmp-%d-123", of, pid) }
	stays := []string{"file", name("file", os.Getppid()), name("other", gone.Process.Pid), ".file.panehook-tmp-x", ".file.swp"}
	goes := []string{name("file", gone.Process.Pid), name("file.panehook-backup", gone.Process.Pid)}
	for _, n := range append(slices.Clone(stays), goes...) {
		writeFile(t, filepath.Join(dir, n), "x", 0o600)
	}
	if _, ok := readStat(os.Getpid()); !ok {
		t.Skip("processes can't be seen here")
	}
	f, err := readForEdit(filepath.Join(dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	f.removeAbandoned()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	slices.Sort(stays)
	if !slices.Equal(left, stays) {
		t.Errorf("left: %q, want %q", left, stays)
	}
}

// What root changes or makes in a person's folder is theirs.
func TestEditKeepsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	dir := t.TempDir()
	if err := os.Chown(dir, 1234, 2345); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "theirs"), "x", 0o604)
	if err := os.Chown(filepath.Join(dir, "theirs"), 1235, 2346); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ path, want string }{
		{"theirs", "1235:2346:604"}, {"theirs" + backupSuffix, "1235:2346:604"},
		{"new", "1234:2345:600"}, {"sub/folder/new", "1234:2345:600"}, {"sub/folder", "1234:2345:700"},
	} {
		path := filepath.Join(dir, test.path)
		if filepath.Base(test.path) == "theirs" || filepath.Base(test.path) == "new" {
			f, err := readForEdit(path)
			if err == nil {
				err = f.keepBackup(false)
			}
			if err == nil {
				err = f.write([]byte("y"))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		out, err := exec.Command("stat", "-c", "%u:%g:%a", path).Output()
		if err != nil {
			t.Skip("needs GNU stat")
		}
		if got := strings.TrimSpace(string(out)); got != test.want {
			t.Errorf("%s: %s, want %s", test.path, got, test.want)
		}
	}
}

func TestBackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	edit := func(text string, renew bool) {
		t.Helper()
		f, err := readForEdit(path)
		if err == nil {
			err = f.keepBackup(renew)
		}
		if err == nil {
			err = f.write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	edit("1", false)
	if _, err := os.Stat(path + backupSuffix); !os.IsNotExist(err) {
		t.Errorf("a backup of no file: %v", err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	edit("2", false)
	edit("3", false)
	if got := readFile(t, path+backupSuffix); got != "1" {
		t.Errorf("backup is %q, want the first original", got)
	}
	for _, name := range []string{path, path + backupSuffix} {
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
			t.Errorf("%s: mode %v, %v", name, info.Mode(), err)
		}
	}
	edit("4", true)
	if got := readFile(t, path+backupSuffix); got != "3" {
		t.Errorf("renewed backup is %q", got)
	}
}

// A folder that cannot be written is named, not the file that nobody has asked
// for.
func TestEditNamesTheFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "missing")
	f := &editedFile{path: filepath.Join(dir, "settings.json"), target: filepath.Join(dir, "settings.json")}
	_, err := f.writeTemp(f.target, nil)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "write into "+dir+": ") {
		t.Errorf("the error is %v", err)
	}
}
