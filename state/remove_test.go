package state

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func yes(*SessionState) bool { return true }

// aSession makes a session that has all the files that one can have.
func aSession(t *testing.T, root, id string) {
	t.Helper()
	stop := func(ss *SessionState, ev *StateEvent) bool {
		ss.Panes["primary"] = PaneState{Role: "primary", State: "stopped", Seq: ev.Ts.UnixNano()}
		return true
	}
	if err := Record(id, StateEvent{Role: "primary", Action: "closed"}, time.Second, stop); err != nil {
		t.Fatal(err)
	}
	dir := SessionStateDir(root, id)
	for _, name := range []string{"state.jsonl.1", "state.json.tmp", "state.json.corrupt-20260101T000000.000000000Z", "waiting.corrupt-20260101T000000.000000000Z"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "waiting"), 0o700); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestRemoveSession(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, dir string)
		agreed func(*SessionState) bool
		want   bool
		fails  bool
	}{
		{name: "agreed", want: true},
		{name: "not agreed", agreed: func(ss *SessionState) bool { return ss.Panes["primary"].State != "stopped" }},
		{name: "an event waits", change: func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "waiting", "20260101T000000.000000000Z-1-000001.json"), `{}`)
		}},
		{name: "a file of somebody else", fails: true, change: func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "notes.txt"), "mine")
		}},
		{name: "a folder of somebody else", fails: true, change: func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "state.json.corrupt-x"), 0o700); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "a link in the place of a file", fails: true, change: func(t *testing.T, dir string) {
			target := filepath.Join(t.TempDir(), "target")
			write(t, target, "precious")
			if err := os.Symlink(target, filepath.Join(dir, "state.json.corrupt-y")); err != nil {
				t.Skip(err)
			}
		}},
		{name: "damaged", fails: true, change: func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "state.json"), "{")
		}},
		{name: "of another version", fails: true, change: func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "state.json"), `{"version":2}`)
		}},
		{name: "without state", change: func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "state.json")); err != nil {
				t.Fatal(err)
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			t.Setenv(StateRootEnv, root)
			aSession(t, root, "qm-a")
			aSession(t, root, "qm-b")
			dir := SessionStateDir(root, "qm-a")
			if tt.change != nil {
				tt.change(t, dir)
			}
			agreed := tt.agreed
			if agreed == nil {
				agreed = yes
			}
			before := listing(t, dir)
			removed, err := RemoveSession("qm-a", agreed)
			if removed != tt.want || (err != nil) != tt.fails {
				t.Fatalf("RemoveSession = %v, %v; want %v, an error: %v", removed, err, tt.want, tt.fails)
			}
			if exists(dir) == tt.want {
				t.Errorf("the folder is there: %v", !tt.want)
			}
			if after := listing(t, dir); !tt.want && after != before {
				t.Errorf("the folder has %s, had %s", after, before)
			}
			if !exists(SessionStatePath(root, "qm-b")) {
				t.Error("another session is gone")
			}
		})
	}
}

// A folder that is a link leads to something of somebody else.
func TestRemoveSessionNotThroughLink(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	t.Setenv(StateRootEnv, other)
	aSession(t, other, "qm-a")
	t.Setenv(StateRootEnv, root)
	if err := os.Symlink(SessionStateDir(other, "qm-a"), filepath.Join(root, "qm-a")); err != nil {
		t.Skip(err)
	}
	removed, err := RemoveSession("qm-a", yes)
	if removed || err == nil {
		t.Errorf("RemoveSession = %v, %v; want an error", removed, err)
	}
	if !exists(SessionStatePath(other, "qm-a")) {
		t.Error("it removed what the link leads to")
	}
}

// Hooks that come while the session is removed must neither fail nor get lost:
// each writes its event into the session as it is then.
func TestRemoveSessionUnderHooks(t *testing.T) {
	root := t.TempDir()
	t.Setenv(StateRootEnv, root)
	const hooks, events = 8, 60
	var applied atomic.Int64
	var writers, remover sync.WaitGroup
	done := make(chan struct{})
	remover.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				if _, err := RemoveSession("qm-a", yes); err != nil && !errors.Is(err, ErrBusy) {
					t.Error(err)
					return
				}
			}
		}
	})
	for range hooks {
		writers.Go(func() {
			for range events {
				err := Record("qm-a", StateEvent{Role: "primary", Action: "x"}, 2*time.Millisecond, func(ss *SessionState, ev *StateEvent) bool {
					applied.Add(1)
					ss.Panes["primary"] = PaneState{State: "working", Seq: ss.Panes["primary"].Seq + 1}
					return true
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	close(done)
	remover.Wait()
	err := RecordWaiting("qm-a", time.Second, func(ss *SessionState, ev *StateEvent) bool {
		applied.Add(1)
		return true
	})
	if err != nil {
		t.Error(err)
	}
	if n := applied.Load(); n < hooks*events {
		t.Errorf("%d of %d events were applied", n, hooks*events)
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	entries, _ := os.ReadDir(dir)
	text := ""
	for _, e := range entries {
		text += e.Name() + " "
	}
	return text
}

func write(t *testing.T, path, data string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}
