package main

import (
	"os"
	"path/filepath"
	"strings"
)

// maxGitFile bounds the pointer files of git, which hold one path.
const maxGitFile = 8 << 10

// repository identifies the repository that a directory is in, by the resolved
// path of its common git folder, which all its worktrees share. "" where there
// is none. Git is not asked: it may not be there, and it takes its time.
func repository(dir string) string {
	for {
		if common := commonGitFolder(dir); common != "" {
			if resolved, err := filepath.EvalSymlinks(common); err == nil {
				return resolved
			}
			return common
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// commonGitFolder is the common git folder of a working tree, or of a bare
// repository, that begins at dir.
func commonGitFolder(dir string) string {
	git := filepath.Join(dir, ".git")
	info, err := os.Stat(git)
	switch {
	case err != nil:
		if !isGitFolder(dir) {
			return ""
		}
		git = dir // bare, or inside a .git
	case !info.IsDir():
		// A linked worktree or a submodule: the file leads to the folder.
		to, ok := gitPointer(git, "gitdir: ")
		if !ok {
			return ""
		}
		git = inFolder(dir, to)
	}
	if to, ok := gitPointer(filepath.Join(git, "commondir"), ""); ok {
		return inFolder(git, to)
	}
	if !isGitFolder(git) {
		return ""
	}
	return git
}

// isGitFolder goes by what git itself looks for.
func isGitFolder(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// gitPointer reads a file that holds a path after a prefix.
func gitPointer(path, prefix string) (string, bool) {
	data, err := readSmall(path, maxGitFile)
	if err != nil {
		return "", false
	}
	to, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), prefix)
	return to, ok && to != ""
}

func inFolder(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
