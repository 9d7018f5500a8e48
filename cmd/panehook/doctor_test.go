package main

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
)

func TestRootRemedy(t *testing.T) {
	const elsewhere = "set QUESTMASTER_STATE_ROOT to a folder that you can write to, for the agents too"
	for _, test := range []struct {
		mode    fs.FileMode
		foreign bool
		err     error
		want    string
	}{
		{0o500, false, fs.ErrPermission, "chmod 700 '/a b'"},
		{0o600, false, fs.ErrPermission, "chmod 700 '/a b'"},
		{0o700, true, fs.ErrPermission, "sudo chown \"$(id -u)\" '/a b'"},
		{0o500, true, fs.ErrPermission, "sudo chown \"$(id -u)\" '/a b'"},
		{0o700, false, fs.ErrPermission, elsewhere},
		{0o500, false, syscall.EROFS, elsewhere},
		{0o700, false, errors.New("no room"), elsewhere},
	} {
		err := &fs.PathError{Op: "open", Path: "/a b/x", Err: test.err}
		if got := rootRemedy("/a b", test.mode, test.foreign, err); got != test.want {
			t.Errorf("%04o, foreign %v, %v: %q, want %q", test.mode, test.foreign, test.err, got, test.want)
		}
	}
}
