package state

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const testID = "qm-test"

// tempRoot gives the test a state root of its own.
func tempRoot(t testing.TB) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "root")
	t.Setenv(StateRootEnv, root)
	return root
}

// counting is an apply function that counts events in the pane's Seq and keeps
// their activities in order in Recent.
func counting(ss *SessionState, ev *StateEvent) bool {
	pane := ss.Panes[ev.Role]
	pane.Role, pane.Agent, pane.State = ev.Role, ev.Agent, "working"
	pane.Seq++
	pane.Recent = append(pane.Recent, ev.Action)
	pane.LastEvent = ev.Ts
	ss.Panes[ev.Role] = pane
	ev.State = pane.State
	return true
}

func event(action string) StateEvent {
	return StateEvent{Agent: "claude", Role: "primary", Action: action}
}

func mustRecord(t testing.TB, action string) {
	t.Helper()
	if err := Record(testID, event(action), time.Second, counting); err != nil {
		t.Fatalf("Record %s: %v", action, err)
	}
}

func mustLoad(t testing.TB) *SessionState {
	t.Helper()
	ss, err := LoadSessionState(testID)
	if err != nil {
		t.Fatal(err)
	}
	if ss == nil {
		t.Fatal("no state")
	}
	return ss
}

// actions returns what counting has applied, as one string.
func actions(t testing.TB) string {
	t.Helper()
	return strings.Join(mustLoad(t).Panes["primary"].Recent, " ")
}

// readLogLines returns the lines of the log that parse.
func readLogLines(t testing.TB, root string) []StateEvent {
	t.Helper()
	var events []StateEvent
	for _, path := range []string{SessionStateLogPath(root, testID) + ".1", SessionStateLogPath(root, testID)} {
		data, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var ev StateEvent
			if decode([]byte(line), &ev) == nil {
				events = append(events, ev)
			}
		}
	}
	return events
}

func loggedActions(t testing.TB, root string) string {
	t.Helper()
	var all []string
	for _, ev := range readLogLines(t, root) {
		all = append(all, ev.Action)
	}
	return strings.Join(all, " ")
}

func TestRecord(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	mustRecord(t, "b")
	if got := actions(t); got != "a b" {
		t.Errorf("applied %q", got)
	}
	if got := loggedActions(t, root); got != "a b" {
		t.Errorf("logged %q", got)
	}
	for _, path := range []string{SessionStatePath(root, testID), SessionStateLogPath(root, testID), SessionStateLockPath(root, testID)} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
}

func TestRecordRecoversALoggedEvent(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	before, err := os.ReadFile(SessionStatePath(root, testID))
	if err != nil {
		t.Fatal(err)
	}
	mustRecord(t, "b")
	// As if b's process had been killed between the log and the state.
	if err := os.WriteFile(SessionStatePath(root, testID), before, 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := WaitingEvents(testID); n != 1 || err != nil {
		t.Errorf("WaitingEvents = %d, %v", n, err)
	}
	mustRecord(t, "c")
	if got := actions(t); got != "a b c" {
		t.Errorf("applied %q", got)
	}
	if got := loggedActions(t, root); got != "a b c" {
		t.Errorf("logged %q", got)
	}
}

func TestRecordPutsAside(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	lock, err := acquire(SessionStateLockPath(root, testID), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, action := range []string{"b", "c"} {
		if err := Record(testID, event(action), 2*time.Millisecond, counting); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := WaitingEvents(testID); n != 2 || err != nil {
		t.Errorf("WaitingEvents = %d, %v", n, err)
	}
	if got := actions(t); got != "a" {
		t.Errorf("applied %q while locked", got)
	}
	lock.Unlock()
	mustRecord(t, "d")
	if got := actions(t); got != "a b c d" {
		t.Errorf("applied %q", got)
	}
	if got := loggedActions(t, root); got != "a b c d" {
		t.Errorf("logged %q", got)
	}
	if _, err := os.Stat(filepath.Join(root, testID, "waiting")); !os.IsNotExist(err) {
		t.Errorf("waiting folder: %v", err)
	}
}
