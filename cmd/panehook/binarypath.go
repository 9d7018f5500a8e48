package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// binaryPath is the absolute path of this program as agents shall run it: the
// one given by --program, else as it was started. A symbolic link on the way
// stays, since it outlives what it points to when a package is upgraded.
func binaryPath(p *process, given string) (string, error) {
	path := given
	if path == "" {
		self, err := os.Executable()
		if err == nil {
			path, err = startedAs(os.Args[0], self, p.env("PATH"))
		}
		if err != nil {
			return "", err
		}
	}
	path, err := filepath.Abs(path)
	switch {
	case err != nil:
		return "", err
	case given == "" && isBuildCache(path):
		return "", errors.New("go run keeps the program in a temporary place where no hook would find it later: build it first (go build ./cmd/panehook), or name it with --program PATH")
	case !utf8.ValidString(path):
		return "", fmt.Errorf("the path %q is not valid UTF-8, and no settings file could name it", path)
	}
	if err := checkExecutable(path); err != nil {
		return "", err
	}
	// A wrapper may bear our name. Of anything else nobody knows what it would do
	// at every event of an agent.
	if given != "" && !strings.Contains(strings.ToLower(filepath.Base(path)), "panehook") && !isPanehook(path) {
		return "", fmt.Errorf("%s is not panehook", path)
	}
	return path, nil
}

// startedAs finds the path by which a process was started. The system's own
// answer, self, has links resolved, so the first argument is preferred where it
// leads to the same file; and a link in $PATH to a folder of one version.
func startedAs(argument, self, searchPath string) (string, error) {
	if deleted, ok := strings.CutSuffix(self, " (deleted)"); ok {
		return "", fmt.Errorf("%s was deleted while it runs: start the new one", deleted)
	}
	if !strings.ContainsRune(argument, filepath.Separator) {
		argument = findProgram(searchPath, argument)
	}
	path := self
	if argument != "" && sameFile(argument, self) {
		path = argument
	}
	inPath := findProgram(searchPath, filepath.Base(self))
	if hasVersion(path) && inPath != "" && sameFile(inPath, self) && !hasVersion(inPath) {
		path = inPath
	}
	return filepath.Abs(path)
}

// findProgram looks for an executable file in the folders of a PATH.
func findProgram(path, name string) string {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue // what it names depends on where an agent runs
		}
		found := filepath.Join(dir, name)
		if _, err := exec.LookPath(found); err == nil {
			return found
		}
	}
	return ""
}

// checkExecutable says what is wrong with a program that an agent shall run.
func checkExecutable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s does not exist", path)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", path)
	}
	if _, err := exec.LookPath(path); err != nil {
		return fmt.Errorf("%s is not executable", path)
	}
	return nil
}

// isBuildCache tells the places where go run puts programs.
func isBuildCache(path string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(path)), "/") {
		if strings.HasPrefix(part, "go-build") {
			return true
		}
	}
	return false
}

// hasVersion tells whether a folder on the path is named for one version,
// which the next upgrade removes.
func hasVersion(path string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(path)), "/") {
		for i := 1; i+1 < len(part); i++ {
			if part[i] == '.' && isDigit(part[i-1]) && isDigit(part[i+1]) {
				return true
			}
		}
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isPanehook tells whether the file at path is a build of this program, by the
// package path that the go command leaves in it.
func isPanehook(path string) bool {
	if !filepath.IsAbs(path) {
		return false
	}
	const largest = 64 << 20 // far above any build of ours
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > largest {
		return false
	}
	data, err := os.ReadFile(path)
	return err == nil && bytes.Contains(data, []byte("path\tpanehook/cmd/panehook\n"))
}
