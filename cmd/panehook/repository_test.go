package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"panehook/state"
)

// What is found without git is what git says.
func TestRepository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "protocol.file.allow=always"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	at := func(parts ...string) string { return filepath.Join(append([]string{base}, parts...)...) }
	mkdir := func(dir string) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"main", "part"} {
		mkdir(at(name))
		git(at(name), "init", "-q")
		git(at(name), "commit", "-q", "--allow-empty", "-m", "first")
	}
	git(at("main"), "worktree", "add", "-q", at("linked"))
	git(at("main"), "submodule", "--quiet", "add", at("part"), "sub")
	git(base, "clone", "-q", "--bare", at("main"), at("bare.git"))
	mkdir(at("main", "deep", "er"))
	mkdir(at("linked", "deep"))
	mkdir(at("none"))
	if err := os.Symlink(at("main", "deep"), at("link")); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"main", "main/deep/er", "linked", "linked/deep", "main/sub", "bare.git", "bare.git/refs", "main/.git", "part"} {
		want := git(at(dir), "rev-parse", "--path-format=absolute", "--git-common-dir")
		if got := repository(at(dir)); got != want {
			t.Errorf("repository(%s) = %q, git says %q", dir, got, want)
		}
	}
	if got := repository(at("none")); got != "" {
		t.Errorf("repository of no repository: %q", got)
	}
	if got := repository(at("removed", "long", "ago")); got != "" {
		t.Errorf("repository of no directory: %q", got)
	}
	if got := repository("/"); got != "" {
		t.Skipf("the root is a repository: %q", got)
	}
}

// The colour that was chosen last wins, of the session's own and that of its
// repository, which all its worktrees share.
func TestSessionColors(t *testing.T) {
	root := newRoot(t)
	work := t.TempDir()
	for _, dir := range []string{"repo/.git/objects", "repo/.git/refs", "repo/.git/worktrees/tree", "tree"} {
		if err := os.MkdirAll(filepath.Join(work, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(work, "repo/.git/HEAD"), "ref: refs/heads/main\n", 0o600)
	writeFile(t, filepath.Join(work, "repo/.git/worktrees/tree/HEAD"), "ref: refs/heads/x\n", 0o600)
	writeFile(t, filepath.Join(work, "repo/.git/worktrees/tree/commondir"), "../..\n", 0o600)
	writeFile(t, filepath.Join(work, "tree/.git"), "gitdir: "+filepath.Join(work, "repo/.git/worktrees/tree")+"\n", 0o600)

	for _, id := range []string{"qm-plain", "qm-old", "qm-new", "qm-outside"} {
		cwd := filepath.Join(work, "tree")
		if id == "qm-outside" {
			cwd = work
		}
		putPane(t, id, state.PaneState{Role: role, Agent: "claude", State: "working", Memory: state.PaneMemory{Owner: state.Owner{Cwd: cwd}}})
	}
	manifest := func(id, stamp string) {
		writeFile(t, filepath.Join(root, id+".json"), `{"session_id":"`+id+`","display":{"color":"pink","color_changed_at":"`+stamp+`"}}`, 0o600)
	}
	manifest("qm-old", "2001-01-01T00:00:00Z")
	manifest("qm-new", "2999-01-01T00:00:00Z")
	identity, err := filepath.EvalSymlinks(filepath.Join(work, "repo/.git"))
	if err != nil {
		t.Fatal(err)
	}
	if err := state.NewRepoColorStore(root).Set(identity, "teal"); err != nil {
		t.Fatal(err)
	}
	b, err := readBoard(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"qm-plain": "teal repository", "qm-old": "teal repository", "qm-new": "pink session", "qm-outside": "blue default",
	} {
		p := b.sessions[id].panes[0]
		if got := p.Color + " " + p.ColorFrom; got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
}
