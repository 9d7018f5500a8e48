package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// smallDisk puts the root on a file system of its own, which takes a mount.
func (r *faultRoot) smallDisk(options string) {
	r.t.Helper()
	disk := r.t.TempDir()
	if err := syscall.Mount("panehook-test", disk, "tmpfs", 0, options); err != nil {
		r.t.Skipf("only root can mount a small disk: %v", err)
	}
	r.t.Cleanup(func() { syscall.Unmount(disk, syscall.MNT_DETACH) })
	r.root = filepath.Join(disk, "root")
}

// fill takes the space of the disk, but for so many bytes.
func (r *faultRoot) fill(free int64) {
	r.t.Helper()
	f, err := os.Create(filepath.Join(filepath.Dir(r.root), "filler"))
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	n, err := io.Copy(f, zeros{})
	if !errors.Is(err, syscall.ENOSPC) {
		r.t.Fatal(err)
	}
	if err := f.Truncate(max(0, n-free)); err != nil {
		r.t.Fatal(err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// A disk that is full, or nearly, makes hooks fail, each at another step. What
// was there stays whole, and when there is room again all goes on.
func TestFaultFullDisk(t *testing.T) {
	t.Parallel()
	r := newFaultRoot(t)
	r.smallDisk("size=256k,mode=700")
	failed := 0
	for pages := range int64(8) {
		for _, known := range []bool{false, true} {
			if known {
				r.works()
			}
			r.fill(pages * 4096)
			// More than a page of the log, so that a line ends where space does.
			for range 20 {
				if said := r.hook(); strings.Contains(said, "no space left") {
					failed++
				} else if said != "" {
					t.Errorf("%d pages free: %s", pages, said)
				}
			}
			if err := os.Remove(filepath.Join(filepath.Dir(r.root), "filler")); err != nil {
				t.Fatal(err)
			}
			r.check(1)
			r.checkOrder()
			os.RemoveAll(r.root)
			r.taken = nil
		}
	}
	if failed == 0 {
		t.Error("no hook failed")
	}
}

// A disk can also run out of files while it has room.
func TestFaultNoMoreFiles(t *testing.T) {
	t.Parallel()
	r := newFaultRoot(t)
	r.smallDisk("nr_inodes=64,mode=700")
	failed := 0
	for free := range 6 {
		r.works()
		if free > 2 { // and then as a new session
			os.RemoveAll(r.path(""))
			r.taken = nil
		}
		filler := filepath.Join(filepath.Dir(r.root), "fillers")
		os.Mkdir(filler, 0o700)
		made := 0
		for ; ; made++ {
			if err := os.WriteFile(filepath.Join(filler, fmt.Sprint(made)), nil, 0o600); err != nil {
				break
			}
		}
		for i := range free {
			os.Remove(filepath.Join(filler, fmt.Sprint(made-1-i)))
		}
		for range 4 {
			if said := r.hook(); said != "" {
				failed++
			}
		}
		os.RemoveAll(filler)
		r.check(1)
		r.checkOrder()
	}
	if failed == 0 {
		t.Error("no hook failed")
	}
}

// A root that can only be read gives an error, and nothing is changed.
func TestFaultReadOnlyRoot(t *testing.T) {
	t.Parallel()
	r := newFaultRoot(t)
	r.smallDisk("size=1m,mode=700")
	r.works()
	r.works()
	before := r.read("state.json") + r.read("state.jsonl")
	disk := filepath.Dir(r.root)
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if said := r.hook(); !strings.Contains(said, "read-only file system") {
			t.Errorf("said %q", said)
		}
	}
	if after := r.read("state.json") + r.read("state.jsonl"); after != before {
		t.Errorf("changed to %s", after)
	}
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	r.check(0)
	r.checkOrder()
}
