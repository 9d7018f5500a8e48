package main

import (
	"flag"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestIsBuildCache(t *testing.T) {
	for path, want := range map[string]bool{
		"/tmp/go-build123/b001/exe/panehook":      true,
		"/home/dev/.cache/go-build/ab/x/panehook": true,
		"/home/dev/go/bin/panehook":               false,
		"/home/dev/go-builder":                    false,
		"/usr/bin/go-build":                       false,
	} {
		if got := isBuildCache(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestHasVersion(t *testing.T) {
	for path, want := range map[string]bool{
		"/opt/homebrew/Cellar/panehook/1.2.3/bin/panehook": true,
		"/opt/panehook-v2.0/panehook":                      true,
		"/opt/homebrew/bin/panehook":                       false,
		"/home/d.ev/bin/panehook-1.2":                      false,
		"/opt/.1/panehook":                                 false,
	} {
		if got := hasVersion(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestStartedAs(t *testing.T) {
	dir := t.TempDir()
	in := func(path string) string { return filepath.Join(dir, path) }
	real, other := in("opt/1.2.3/bin/panehook"), in("other/panehook")
	writeFile(t, real, "#!", 0o755)
	writeFile(t, other, "#!", 0o755)
	symlink(t, "1.2.3", in("opt/current"))
	symlink(t, "../opt/1.2.3/bin/panehook", in("links/panehook"))
	symlink(t, "../opt/1.2.3/bin/panehook", in("links/ph"))
	t.Chdir(in("opt"))
	for _, test := range []struct{ argument, path, want string }{
		{real, "", real},
		{in("opt/current/bin/panehook"), "", in("opt/current/bin/panehook")},
		{"current/bin/panehook", "", in("opt/current/bin/panehook")},
		{"./1.2.3/bin/panehook", "", real},
		{"panehook", in("links"), in("links/panehook")},
		{"ph", in("other") + ":" + in("links"), in("links/ph")},
		{real, in("links"), in("links/panehook")},                                     // not the folder of a version
		{in("opt/current/bin/panehook"), in("links"), in("opt/current/bin/panehook")}, // a link already
		{real, in("other") + ":" + in("links"), real},                                 // another one comes first
		{"panehook", in("other"), real},
		{"panehook", "1.2.3/bin", real}, // a relative folder is no place
		{"something", "", real},
		{"", "", real},
	} {
		if got, err := startedAs(test.argument, real, test.path); got != test.want || err != nil {
			t.Errorf("%s with PATH=%s: %s, %v, want %s", test.argument, test.path, got, err, test.want)
		}
	}
	if _, err := startedAs(real, real+" (deleted)", ""); err == nil || !strings.Contains(err.Error(), "was deleted while it runs") {
		t.Errorf("a deleted program: %v", err)
	}
}

func TestParseFlags(t *testing.T) {
	for _, test := range []struct {
		args, want []string
		flag       bool
	}{
		{[]string{"a", "-x", "b"}, []string{"a", "b"}, true},
		{[]string{"a", "--", "-x", "b"}, []string{"a", "-x", "b"}, false},
		{[]string{"-x", "--", "a"}, []string{"a"}, true},
		{nil, nil, false},
	} {
		fs := flag.NewFlagSet("", flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		x := fs.Bool("x", false, "")
		got, err := parseFlags(fs, test.args)
		if err != nil || !slices.Equal(got, test.want) || *x != test.flag {
			t.Errorf("%q: %q, %v, %v", test.args, got, *x, err)
		}
	}
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	if _, err := parseFlags(fs, []string{"a", "-y"}); err == nil {
		t.Error("an unknown flag was taken")
	}
}
