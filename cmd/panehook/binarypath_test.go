package main

import (
	"flag"
	"io"
	"slices"
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
