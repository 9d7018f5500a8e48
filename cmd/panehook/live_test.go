package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"panehook/state"
	"panehook/transitions"
)

// follow runs a live board and returns a function that waits for a change.
func follow(t *testing.T, l *live) (next func(what string, is func(paneChange) bool) paneChange) {
	t.Helper()
	stop, stopped := make(chan struct{}), make(chan struct{})
	changes, failed := make(chan []paneChange), make(chan error, 1)
	go func() {
		defer close(stopped)
		l.run(stop, changes, failed)
	}()
	t.Cleanup(func() {
		close(stop)
		<-stopped
	})
	var pending []paneChange
	return func(what string, is func(paneChange) bool) paneChange {
		t.Helper()
		late := time.After(20 * time.Second)
		for {
			for i, c := range pending {
				if is(c) {
					pending = pending[i+1:]
					return c
				}
			}
			select {
			case pending = <-changes:
			case err := <-failed:
				t.Fatal(err)
			case <-late:
				t.Fatalf("nothing came of: %s", what)
			}
		}
	}
}

func shows(id, name string) func(paneChange) bool {
	return func(c paneChange) bool {
		return c.Pane.Session == id && c.Pane.Shown.State == name && c.What != paneRemoved
	}
}

func isGone(id string) func(paneChange) bool {
	return func(c paneChange) bool { return c.Pane.Session == id && c.What == paneRemoved }
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

func TestLive(t *testing.T) {
	root := newRoot(t)
	put(t, "qm-a", "working", "first")
	next := follow(t, watchLive(root, time.Now))

	if c := next("what there is", shows("qm-a", "working")); c.What != paneListed || c.From != "" {
		t.Errorf("got %q from %q, want listed", c.What, c.From)
	}
	put(t, "qm-a", "blocked", "May I?")
	if c := next("a change", shows("qm-a", "blocked")); c.What != paneChanged || c.From != "working" || c.Pane.activity() != "May I?" {
		t.Errorf("got %q from %q, %q", c.What, c.From, c.Pane.activity())
	}
	put(t, "qm-b", "working", "new")
	if c := next("a new session", shows("qm-b", "working")); c.What != paneAdded {
		t.Errorf("got %q, want added", c.What)
	}

	remove(t, state.SessionStateDir(root, "qm-b"))
	next("a removed session", isGone("qm-b"))
	put(t, "qm-b", "blocked", "again")
	next("the session made anew", shows("qm-b", "blocked"))
	put(t, "qm-b", "working", "and on")
	next("a change in it", shows("qm-b", "working"))

	writeFile(t, filepath.Join(root, "qm-b.json"), `{"session_id":"qm-b","title":"The parser"}`, 0o600)
	next("a title", func(c paneChange) bool { return c.Pane.Title == "The parser" })
	remove(t, state.SessionStateDir(root, "qm-b"))
	if c := next("only a manifest", shows("qm-b", unknown)); !c.Pane.OnlyManifest {
		t.Error("it is not only a manifest")
	}

	writeFile(t, state.SessionStatePath(root, "qm-a"), `{"vers`, 0o600)
	if c := next("a damaged file", shows("qm-a", unknown)); c.Pane.Problem == "" {
		t.Error("nothing says why")
	}
	put(t, "qm-a", "working", "healed")
	next("a healed file", shows("qm-a", "working"))
}

// A folder made anew at once may get the number of the one before, and would
// pass for it.
func TestLiveFolderMadeAnewAtOnce(t *testing.T) {
	root := newRoot(t)
	put(t, "qm-a", "working", "x")
	next := follow(t, watchLive(root, time.Now))
	next("what there is", shows("qm-a", "working"))
	for i := range 10 {
		says := func(text string) func(paneChange) bool {
			return func(c paneChange) bool { return c.Pane.Stored.Activity == text }
		}
		anew, on := "anew "+strconv.Itoa(i), "on "+strconv.Itoa(i)
		remove(t, state.SessionStateDir(root, "qm-a"))
		put(t, "qm-a", "working", anew)
		next(anew, says(anew))
		put(t, "qm-a", "working", on)
		next(on, says(on))
	}
}

// A folder that is moved away, with another in its place.
func TestLiveFolderReplaced(t *testing.T) {
	root := newRoot(t)
	put(t, "qm-a", "working", "old")
	put(t, "qm-other", "blocked", "other")
	next := follow(t, watchLive(root, time.Now))
	next("what there is", shows("qm-a", "working"))

	dir := state.SessionStateDir(root, "qm-a")
	rename(t, dir, filepath.Join(t.TempDir(), "away"))
	rename(t, state.SessionStateDir(root, "qm-other"), dir)
	next("the other folder", shows("qm-a", "blocked"))
	put(t, "qm-a", "done", "in it")
	next("a change in it", shows("qm-a", "done"))
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func TestLiveRootComesAndGoes(t *testing.T) {
	root := newRoot(t)
	remove(t, root)
	next := follow(t, watchLive(root, time.Now))
	put(t, "qm-a", "working", "new root")
	next("a root that was not there", shows("qm-a", "working"))
	for range 3 {
		remove(t, root)
		next("no root", isGone("qm-a"))
		put(t, "qm-a", "blocked", "root made anew")
		next("a root made anew", shows("qm-a", "blocked"))
		put(t, "qm-a", "working", "and on")
		next("a change in it", shows("qm-a", "working"))
	}
}

// The kernel drops notices when nobody fetches them in time.
func TestLiveOverflow(t *testing.T) {
	root := newRoot(t)
	put(t, "qm-a", "working", "x")
	l := watchLive(root, time.Now)
	next := follow(t, l)
	next("what there is", shows("qm-a", "working"))
	errors := l.folders.watcher.Errors
	for _, dir := range l.folders.watcher.WatchList() {
		if err := l.folders.watcher.Remove(dir); err != nil {
			t.Fatal(err)
		}
	}
	put(t, "qm-a", "blocked", "x")
	put(t, "qm-b", "working", "x")
	errors <- fsnotify.ErrEventOverflow
	next("a change that was lost", shows("qm-a", "blocked"))
	next("a session that was lost", shows("qm-b", "working"))
}

// Where the system gives no notices, looking has to do.
func TestLiveWithoutNotices(t *testing.T) {
	root := newRoot(t)
	put(t, "qm-a", "working", "x")
	l := watchLive(root, time.Now)
	l.folders.watcher.Close()
	l.folders.watcher = nil
	l.every = 20 * time.Millisecond
	next := follow(t, l)
	next("what there is", shows("qm-a", "working"))
	put(t, "qm-a", "blocked", "x")
	next("a change", shows("qm-a", "blocked"))
	put(t, "qm-b", "working", "x")
	next("a new session", shows("qm-b", "working"))
	remove(t, state.SessionStateDir(root, "qm-b"))
	next("a removed session", isGone("qm-b"))
}

// Evidence gives no notice.
func TestLiveEvidence(t *testing.T) {
	root := newRoot(t)
	agent := exec.Command("sleep", "600")
	if err := agent.Start(); err != nil {
		t.Skip(err)
	}
	defer agent.Process.Kill()
	s, ok := readStat(agent.Process.Pid)
	if !ok {
		t.Skip("this system does not tell of processes")
	}
	putPane(t, "qm-a", state.PaneState{Role: role, Agent: "claude", State: "working", Memory: state.PaneMemory{
		Owner: state.Owner{PID: agent.Process.Pid, Started: s.started},
	}})
	l := watchLive(root, time.Now)
	l.every = 20 * time.Millisecond
	next := follow(t, l)
	next("what there is", shows("qm-a", "working"))
	if err := agent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = agent.Wait()
	c := next("a killed agent", shows("qm-a", transitions.Stopped))
	if c.Pane.Rule == "" || c.Pane.since().IsZero() {
		t.Errorf("stopped by rule %q since %v; want a rule and a time", c.Pane.Rule, c.Pane.since())
	}
	// A later hook's write does not make it a death of another time.
	putPane(t, "qm-a", state.PaneState{Role: role, Agent: "claude", State: "working", Activity: "late", Memory: state.PaneMemory{
		Owner: state.Owner{PID: agent.Process.Pid, Started: s.started},
	}})
	again := next("a late hook", func(c paneChange) bool { return c.Pane.Stored.Activity == "late" })
	if again.Pane.Shown.State != transitions.Stopped || !again.Pane.since().Equal(c.Pane.since()) {
		t.Errorf("%s since %v, want since %v", again.Pane.Shown.State, again.Pane.since(), c.Pane.since())
	}
}

// A reader that comes later does not know since when an agent is gone.
func TestGoneSinceNobodyKnows(t *testing.T) {
	newRoot(t)
	if _, ok := readStat(os.Getpid()); !ok {
		t.Skip("this system does not tell of processes")
	}
	putPane(t, "qm-a", state.PaneState{Role: role, Agent: "claude", State: "working", Memory: state.PaneMemory{
		Since: time.Now().Add(-72 * time.Hour), Owner: state.Owner{PID: os.Getpid(), Started: ownStart() + 1},
	}})
	b, err := readBoard(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	p := b.sessions["qm-a"].panes[0]
	if p.Shown.State != transitions.Stopped || !p.since().IsZero() {
		t.Errorf("%s since %v, want stopped and no time", p.Shown.State, p.since())
	}
	if len(b.sorted(false)) != 0 {
		t.Error("it is shown without --all")
	}
}
