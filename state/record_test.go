package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
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

// files is what stands in the session's folder, to go back to.
type files map[string]string

func saveFiles(t testing.TB, root string) files {
	t.Helper()
	all := make(files)
	dir := filepath.Join(root, testID)
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// write puts back the files with the given prefix.
func (f files) write(t testing.TB, root, prefix string) {
	t.Helper()
	for name, data := range f {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		path := filepath.Join(root, testID, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// putAside leaves events waiting.
func putAside(t testing.TB, root string, actions ...string) {
	t.Helper()
	lock, err := acquire(SessionStateLockPath(root, testID), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	for _, action := range actions {
		if err := Record(testID, event(action), 0, counting); err != nil {
			t.Fatal(err)
		}
	}
}

// Each case takes back what a process would have left undone that was killed
// while it recorded a batch: two waiting events and its own.
func TestRecordAfterAKill(t *testing.T) {
	for name, kill := range map[string]func(t *testing.T, root string, before files){
		"after the log": func(t *testing.T, root string, before files) {
			before.write(t, root, "state.json") // the log, too, which comes back below
		},
		"after the state": func(*testing.T, string, files) {},
		"in the temporary file": func(t *testing.T, root string, before files) {
			os.WriteFile(SessionStatePath(root, testID)+".tmp", []byte(`{"session`), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := tempRoot(t)
			mustRecord(t, "a")
			putAside(t, root, "b", "c")
			before := saveFiles(t, root)
			mustRecord(t, "d")
			log := saveFiles(t, root)["state.jsonl"]
			kill(t, root, before)
			os.WriteFile(SessionStateLogPath(root, testID), []byte(log), 0o600)
			before.write(t, root, "waiting/")
			mustRecord(t, "e")
			if got := actions(t); got != "a b c d e" {
				t.Errorf("applied %q", got)
			}
			if got := loggedActions(t, root); got != "a b c d e" {
				t.Errorf("logged %q", got)
			}
			if left := saveFiles(t, root); len(left) != 3 {
				t.Errorf("left: %q", left)
			}
		})
	}
}

// A power cut tore the write of the log: of the batch only the first line is
// there and half of the second, and the state was not written.
func TestRecordAfterATornBatch(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	putAside(t, root, "b", "c", "d")
	before := saveFiles(t, root)
	if err := RecordWaiting(testID, time.Second, counting); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(saveFiles(t, root)["state.jsonl"], "\n")
	before.write(t, root, "")
	torn := lines[0] + lines[1] + lines[2][:40]
	if err := os.WriteFile(SessionStateLogPath(root, testID), []byte(torn), 0o600); err != nil {
		t.Fatal(err)
	}
	mustRecord(t, "e")
	if got := actions(t); got != "a b c d e" {
		t.Errorf("applied %q", got)
	}
	if got := loggedActions(t, root); got != "a b c d e" {
		t.Errorf("logged %q", got)
	}
}

// What killed the process may also keep the next from its log: another program
// has appended a lot, or has rotated the log.
func TestRecordFindsItsLastLine(t *testing.T) {
	for name, disturb := range map[string]func(t *testing.T, log string){
		"behind other lines": func(t *testing.T, log string) {
			for range 200 {
				if err := AppendStateEvent(testID, event("other")); err != nil {
					t.Fatal(err)
				}
			}
		},
		"in the rotated log": func(t *testing.T, log string) {
			if err := os.Rename(log, log+".1"); err != nil {
				t.Fatal(err)
			}
		},
		"under torn lines": func(t *testing.T, log string) {
			f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			f.WriteString("\n\n{\"seq\":\n\x00\x00")
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := tempRoot(t)
			mustRecord(t, "a")
			before := saveFiles(t, root)
			mustRecord(t, "b")
			if err := os.WriteFile(SessionStatePath(root, testID), []byte(before["state.json"]), 0o600); err != nil {
				t.Fatal(err)
			}
			disturb(t, SessionStateLogPath(root, testID))
			mustRecord(t, "c")
			if got := actions(t); got != "a b c" {
				t.Errorf("applied %q", got)
			}
		})
	}
}

func TestRecordWithoutStateTakesItFromTheLog(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	if err := os.Truncate(SessionStatePath(root, testID), 0); err != nil {
		t.Fatal(err)
	}
	mustRecord(t, "b")
	if got := actions(t); got != "a b" {
		t.Errorf("applied %q", got)
	}
}

// An apply function that does not bring Seq back must not get the event again
// and again.
func TestRecordRecoversOnce(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	before := saveFiles(t, root)
	mustRecord(t, "b")
	if err := os.WriteFile(SessionStatePath(root, testID), []byte(before["state.json"]), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	for range 3 {
		err := RecordWaiting(testID, time.Second, func(ss *SessionState, ev *StateEvent) bool {
			got = append(got, ev.Action)
			return false
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != 1 || got[0] != "b" {
		t.Errorf("applied again: %q", got)
	}
}

func TestRecordLeavesAnUnchangedStateAlone(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	before, err := os.Stat(SessionStatePath(root, testID))
	if err != nil {
		t.Fatal(err)
	}
	err = Record(testID, event("b"), time.Second, func(ss *SessionState, ev *StateEvent) bool {
		pane := ss.Panes["primary"]
		pane.Seq = 1000
		ss.Panes["primary"] = pane
		return false
	})
	if err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(SessionStatePath(root, testID))
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("state.json was written (%v)", err)
	}
	events := readLogLines(t, root)
	last := events[len(events)-1]
	if last.Action != "b" || last.Fields["unchanged"] != true || last.Fields["seq"] != 1000.0 {
		t.Errorf("logged %+v", last)
	}
	if n, err := WaitingEvents(testID); n != 0 || err != nil {
		t.Errorf("WaitingEvents = %d, %v", n, err)
	}
	mustRecord(t, "c")
	if got := actions(t); got != "a c" {
		t.Errorf("applied %q", got)
	}
}

// More events than are applied at once stay in order, also when the caller's
// time is over before all are.
func TestRecordBehindManyWaiting(t *testing.T) {
	root := tempRoot(t)
	var want []string
	for i := range 2*waitingAtOnce + 1 {
		want = append(want, "n"+strconv.Itoa(i))
	}
	if err := makeRoot(root); err != nil {
		t.Fatal(err)
	}
	if err := makeFolder(filepath.Join(root, testID)); err != nil {
		t.Fatal(err)
	}
	putAside(t, root, want...)
	want = append(want, "late", "last")
	if err := Record(testID, event("late"), 0, counting); err != nil {
		t.Fatal(err)
	}
	if n, err := WaitingEvents(testID); n != waitingAtOnce+2 || err != nil {
		t.Errorf("WaitingEvents = %d, %v", n, err)
	}
	mustRecord(t, "last")
	if got := actions(t); got != strings.Join(want, " ") {
		t.Errorf("applied %q", got)
	}
	if got := loggedActions(t, root); got != strings.Join(want, " ") {
		t.Errorf("logged %q", got)
	}
}

func TestRecordSetsDamagedWaitingFilesAside(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	putAside(t, root, "b", "c")
	names, err := filepath.Glob(filepath.Join(root, testID, "waiting", "*.json"))
	if err != nil || len(names) != 2 {
		t.Fatal(names, err)
	}
	if err := os.WriteFile(names[0], []byte(`{"ts":`), 0o600); err != nil {
		t.Fatal(err)
	}
	mustRecord(t, "d")
	if got := actions(t); got != "a c d" {
		t.Errorf("applied %q", got)
	}
	aside, _ := filepath.Glob(filepath.Join(root, testID, "waiting.corrupt-*"))
	if len(aside) != 1 {
		t.Fatalf("set aside: %q", aside)
	}
	if data, _ := os.ReadFile(aside[0]); string(data) != `{"ts":` {
		t.Errorf("set aside %q", data)
	}
}

func TestRecordRemovesAbandonedTemporaryFiles(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	putAside(t, root, "b")
	temp := filepath.Join(root, testID, "waiting", "x.json.tmp")
	if err := os.WriteFile(temp, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mustRecord(t, "c")
	if _, err := os.Stat(temp); err != nil {
		t.Errorf("its writer may live: %v", err)
	}
	old := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(temp, old, old); err != nil {
		t.Fatal(err)
	}
	mustRecord(t, "d")
	if _, err := os.Stat(temp); !os.IsNotExist(err) {
		t.Errorf("temporary file: %v", err)
	}
	if got := actions(t); got != "a b c d" {
		t.Errorf("applied %q", got)
	}
}

// A writer that was killed while it put an event aside leaves a temporary file
// with its number, and the folder.
func TestRecordRemovesFilesOfKilledWriters(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	gone := taskCommand(t, root, "record", "b", "1s")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, testID, "waiting")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	temp := func(pid int) string {
		path := filepath.Join(dir, fmt.Sprintf("20260102T030405.000000006Z-%d-000001.json.tmp", pid))
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	killed, alive := temp(gone.Process.Pid), temp(os.Getpid())
	mustRecord(t, "c")
	if _, err := os.Stat(killed); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file of a process that is gone: %v", err)
	}
	if _, err := os.Stat(alive); err != nil {
		t.Errorf("the file of a process that runs: %v", err)
	}
	os.Remove(alive)
	mustRecord(t, "d")
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the empty folder: %v", err)
	}
	if got := actions(t); got != "a b c d" {
		t.Errorf("applied %q", got)
	}
}

// Events that wait keep their order when the clock is set back between them.
func TestWaitingEventsWhenTheClockIsSetBack(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	at := time.Now()
	now = func() time.Time { return at }
	defer func() { now = time.Now }()
	putAside(t, root, "b")
	at = at.Add(-time.Hour)
	putAside(t, root, "c")
	at = at.Add(time.Second)
	putAside(t, root, "d")
	mustRecord(t, "e")
	if got := actions(t); got != "a b c d e" {
		t.Errorf("applied %q", got)
	}
}

func TestRecordKeepsTheTimeOfTheEvent(t *testing.T) {
	root := tempRoot(t)
	now = func() time.Time { return time.Unix(1_800_000_000, 5) }
	defer func() { now = time.Now }()
	mustRecord(t, "a")
	ev := event("b")
	ev.Ts = time.Unix(1_700_000_000, 0).In(time.FixedZone("", 3600))
	if err := Record(testID, ev, time.Second, counting); err != nil {
		t.Fatal(err)
	}
	log := saveFiles(t, root)["state.jsonl"]
	want := `{"ts":"2027-01-15T08:00:00.000000005Z","agent":"claude","role":"primary","action":"a","state":"working","fields":{"seq":1}}
{"ts":"2023-11-14T22:13:20Z","agent":"claude","role":"primary","action":"b","state":"working","fields":{"seq":2}}
`
	if log != want {
		t.Errorf("log:\n%swant:\n%s", log, want)
	}
}

func TestFieldsOfWaitingEventsComeBack(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	ev := event("b")
	ev.Fields = map[string]any{
		"event": json.RawMessage(`{"x":[1,2]}`), "name": "n", "yes": true, "count": int64(1) << 60, "batch": 7,
	}
	lock, err := acquire(SessionStateLockPath(root, testID), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := Record(testID, ev, 0, counting); err != nil {
		t.Fatal(err)
	}
	if err := RecordWaiting(testID, 0, counting); !errors.Is(err, ErrBusy) {
		t.Errorf("RecordWaiting of a locked session: %v", err)
	}
	lock.Unlock()
	var got map[string]any
	err = RecordWaiting(testID, time.Second, func(ss *SessionState, ev *StateEvent) bool {
		got = maps.Clone(ev.Fields)
		return counting(ss, ev)
	})
	if err != nil {
		t.Fatal(err)
	}
	ev.Fields["batch"] = 7.0
	ev.Fields["count"] = float64(1 << 60) // which holds it exactly
	if !reflect.DeepEqual(got, ev.Fields) {
		t.Errorf("got  %#v\nwant %#v", got, ev.Fields)
	}
	last := readLogLines(t, root)[1]
	if _, ok := last.Fields["batch"]; ok || last.Fields["waited"] == nil {
		t.Errorf("logged %v", last.Fields)
	}
}

func TestRecordNowhere(t *testing.T) {
	never := func(*SessionState, *StateEvent) bool { t.Error("applied"); return true }
	t.Setenv(StateRootEnv, "")
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	if err := Record(testID, event("a"), 0, never); err != nil {
		t.Error(err)
	}
	if err := RecordWaiting(testID, 0, never); err != nil {
		t.Error(err)
	}
	if n, err := WaitingEvents(testID); n != 0 || err != nil {
		t.Error(n, err)
	}
	root := tempRoot(t)
	for _, id := range []string{"", "qm-", "qm-../x", "x"} {
		if err := Record(id, event("a"), 0, never); err == nil {
			t.Errorf("Record(%q) went through", id)
		}
		if err := RecordWaiting(id, 0, never); err == nil {
			t.Errorf("RecordWaiting(%q) went through", id)
		}
		if _, err := WaitingEvents(id); err == nil {
			t.Errorf("WaitingEvents(%q) went through", id)
		}
	}
	if err := RecordWaiting(testID, 0, never); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(root); !os.IsNotExist(err) {
		t.Errorf("root: %v", err)
	}
}
