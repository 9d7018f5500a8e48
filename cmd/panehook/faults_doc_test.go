package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The list of faults names tests that exist, and every test of a fault is in it.
func TestFaultsAreDocumented(t *testing.T) {
	document, err := os.ReadFile("../../docs/faults.md")
	if err != nil {
		t.Fatal(err)
	}
	inDocument := regexp.MustCompile("`(Test[A-Za-z0-9]+)`")
	inSource := regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9]+)\(`)
	ofFault := regexp.MustCompile("^TestFault[A-Z]")
	named := make(map[string]bool)
	for _, m := range inDocument.FindAllStringSubmatch(string(document), -1) {
		named[m[1]] = true
	}
	exists := make(map[string]bool)
	for _, pattern := range []string{"*_test.go", "../../state/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range inSource.FindAllStringSubmatch(string(source), -1) {
				exists[m[1]] = true
				if ofFault.MatchString(m[1]) && !named[m[1]] {
					t.Errorf("%s is not in docs/faults.md", m[1])
				}
			}
		}
	}
	for name := range named {
		if !exists[name] {
			t.Errorf("docs/faults.md names %s, which is nowhere", name)
		}
	}
}
