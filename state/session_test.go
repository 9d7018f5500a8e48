package state

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// writeState puts data where the state of testID is.
func writeState(t testing.TB, root, data string) string {
	t.Helper()
	path := SessionStatePath(root, testID)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readState(t testing.TB, root string) string {
	t.Helper()
	data, err := os.ReadFile(SessionStatePath(root, testID))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestUpdateSessionState(t *testing.T) {
	root := tempRoot(t)
	err := UpdateSessionState(testID, func(ss *SessionState) bool {
		want := &SessionState{SessionID: testID, Version: 1, Panes: map[string]PaneState{}}
		if !reflect.DeepEqual(ss, want) {
			t.Errorf("a missing state is %+v", ss)
		}
		ss.SessionID, ss.Version = "qm-other", 7
		ss.QuestID = "q1"
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"session_id":"qm-test","version":1,"panes":{},"seen_at":"0001-01-01T00:00:00Z","quest_id":"q1"}` + "\n"
	if got := readState(t, root); got != want {
		t.Errorf("wrote %s", got)
	}
	err = UpdateSessionState(testID, func(ss *SessionState) bool {
		ss.QuestID = "q2"
		return false
	})
	if got := readState(t, root); err != nil || got != want {
		t.Errorf("an aborted update left %s (%v)", got, err)
	}
}

func TestUpdateSessionStateFromManyGoroutines(t *testing.T) {
	tempRoot(t)
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			err := UpdateSessionState(testID, func(ss *SessionState) bool {
				pane := ss.Panes["primary"]
				pane.Seq++
				ss.Panes["primary"] = pane
				return true
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if seq := mustLoad(t).Panes["primary"].Seq; seq != 20 {
		t.Errorf("seq = %d", seq)
	}
}

func TestLoadSessionState(t *testing.T) {
	root := tempRoot(t)
	if ss, err := LoadSessionState(testID); ss != nil || err != nil {
		t.Errorf("no folder: %v, %v", ss, err)
	}
	if err := makeRoot(root); err != nil {
		t.Fatal(err)
	}
	if err := makeFolder(filepath.Join(root, testID)); err != nil {
		t.Fatal(err)
	}
	if ss, err := LoadSessionState(testID); ss != nil || err != nil {
		t.Errorf("no file: %v, %v", ss, err)
	}
	if ss, err := LoadSessionStateAt("", testID); ss != nil || err != nil {
		t.Errorf("no root: %v, %v", ss, err)
	}
	for _, id := range []string{"", "qm-", "qm-a/b", "../qm-a", "qm-ä"} {
		if ss, err := LoadSessionState(id); ss != nil || err == nil {
			t.Errorf("id %q: %v, %v", id, ss, err)
		}
	}
	for _, panes := range []string{``, `,"panes":null`, `,"panes":{}`} {
		writeState(t, root, `{"session_id":"qm-test","version":1`+panes+`}`)
		if ss := mustLoad(t); ss.Panes == nil || ss.SessionID != testID {
			t.Errorf("%s: %+v", panes, ss)
		}
	}
}

var damagedStates = map[string]string{
	"empty":            ``,
	"blank":            "  \n",
	"cut":              `{"session_id":"qm-test","version":1,"panes":{"primary":{"rol`,
	"zeros":            strings.Repeat("\x00", 600),
	"not JSON":         `session: qm-test`,
	"no object":        `["qm-test"]`,
	"null":             `null`,
	"two objects":      `{"version":1,"panes":{}}{"version":1}`,
	"rest of a longer": `{"version":1,"panes":{}}` + "\n" + `0Z"}`,
	"panes no object":  `{"version":1,"panes":[]}`,
	"pane no object":   `{"version":1,"panes":{"primary":"working"}}`,
	"too large":        `{"version":1,"panes":{},"x":"` + strings.Repeat("x", maxStateSize) + `"}`,
}

func TestDamagedStateHeals(t *testing.T) {
	for name, damage := range damagedStates {
		t.Run(name, func(t *testing.T) {
			root := tempRoot(t)
			path := writeState(t, root, damage)
			ss, err := LoadSessionState(testID)
			if ss != nil || !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) {
				t.Errorf("Load: %v, %.200v", ss, err)
			}
			if err := UpdateSessionState(testID, func(*SessionState) bool { return false }); err != nil {
				t.Error(err)
			}
			if got := readState(t, root); got != damage {
				t.Errorf("an aborted update touched the file")
			}
			now = func() time.Time { return time.Unix(1_800_000_000, 0) }
			defer func() { now = time.Now }()
			mustRecord(t, "a")
			if got := actions(t); got != "a" {
				t.Errorf("applied %q", got)
			}
			aside, err := os.ReadFile(path + ".corrupt-20270115T080000.000000000Z")
			if err != nil || string(aside) != damage {
				t.Errorf("set aside %.100q, %v", aside, err)
			}
		})
	}
}

func TestDamagedStatesAreKeptInBounds(t *testing.T) {
	root := tempRoot(t)
	for _, damage := range []string{"1", "2", "3", "4", "5"} {
		writeState(t, root, damage)
		if err := StampQuest(testID, "q"+damage); err != nil {
			t.Fatal(err)
		}
	}
	var kept []string
	paths, _ := filepath.Glob(SessionStatePath(root, testID) + ".corrupt-*")
	for _, path := range paths {
		data, _ := os.ReadFile(path)
		kept = append(kept, string(data))
	}
	if !slices.Equal(kept, []string{"3", "4", "5"}) {
		t.Errorf("kept %q", kept)
	}
	if quest, err := QuestIDForSession(testID); quest != "q5" || err != nil {
		t.Error(quest, err)
	}
}

func TestForeignVersion(t *testing.T) {
	for name, state := range map[string]string{
		"readable":       `{"session_id":"qm-test","version":2,"panes":{"primary":{"state":"working"}},"quest_id":"q"}`,
		"other panes":    `{"session_id":"qm-test","version":2,"panes":[{"role":"primary"}]}`,
		"none":           `{"session_id":"qm-test","panes":{"primary":{"state":"working"}},"quest_id":"q"}`,
		"not a number":   `{"session_id":"qm-test","version":"2.1","panes":{},"quest_id":"q"}`,
		"not our number": `{"session_id":"qm-test","version":1.5,"panes":{},"quest_id":"q"}`,
	} {
		t.Run(name, func(t *testing.T) {
			root := tempRoot(t)
			path := writeState(t, root, state)
			ss, err := LoadSessionState(testID)
			if err != nil || ss == nil || ss.Version == SchemaVersion || ss.Panes == nil {
				t.Fatalf("Load: %+v, %v", ss, err)
			}
			if quest, err := QuestIDForSession(testID); quest != "" || err != nil {
				t.Errorf("quest %q, %v", quest, err)
			}
			if ids, err := SessionsForQuest("q"); len(ids) != 0 || err != nil {
				t.Errorf("sessions %q, %v", ids, err)
			}
			mustRecord(t, "a")
			if got := actions(t); got != "a" {
				t.Errorf("applied %q", got)
			}
			aside, _ := filepath.Glob(path + ".corrupt-*")
			if len(aside) != 1 {
				t.Fatalf("set aside: %q", aside)
			}
			if data, _ := os.ReadFile(aside[0]); string(data) != state {
				t.Errorf("set aside %s", data)
			}
		})
	}
}

// A value of the wrong kind costs neither the file nor itself.
func TestWrongKindsSurvive(t *testing.T) {
	root := tempRoot(t)
	state := `{"session_id":"qm-test","version":1,"panes":{"primary":{"role":7,"agent":"claude","state":"working","activity":null,"tool":["Bash"],"seq":"12","last_event":"yesterday","last_kind":"Stop","working_since":17,"recent":["a",1],"session_file":{},"panehook":{"since":"2026-01-02T03:04:05Z","turn":{"open":true},"calls":{},"asks":"yes"}}},"seen_at":"never","quest_id":3,"quest_loop":"on"}` + "\n"
	writeState(t, root, state)
	pane := mustLoad(t).Panes["primary"]
	if pane.State != "working" || pane.LastKind != "Stop" || pane.Seq != 0 || !pane.Memory.Turn.Open || pane.Recent != nil {
		t.Errorf("pane: %+v", pane)
	}
	if err := UpdateSessionState(testID, func(*SessionState) bool { return true }); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(state, `"activity":null`, `"activity":""`, 1)
	if got := readState(t, root); got != want {
		t.Errorf("wrote %s\nwant  %s", got, want)
	}
	err := UpdateSessionState(testID, func(ss *SessionState) bool {
		pane := ss.Panes["primary"]
		pane.Seq = 13
		pane.Recent = []string{"b"}
		ss.Panes["primary"] = pane
		ss.QuestID = "q"
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	want = strings.NewReplacer(`"seq":"12"`, `"seq":13`, `["a",1]`, `["b"]`, `"quest_id":3`, `"quest_id":"q"`).Replace(want)
	if got := readState(t, root); got != want {
		t.Errorf("wrote %s\nwant  %s", got, want)
	}
}

func TestStateIsStrictUTF8(t *testing.T) {
	root := tempRoot(t)
	writeState(t, root, "{\"version\":1,\"panes\":{\"primary\":{\"activity\":\"a\xffb\",\"x\":\"c\xfed\",\"y\":\"\\ud800\"}}}")
	err := UpdateSessionState(testID, func(ss *SessionState) bool {
		pane := ss.Panes["primary"]
		pane.Tool = "T\xffT <&>\u2028"
		ss.Panes["primary"] = pane
		ss.Extra = map[string]json.RawMessage{"z": json.RawMessage("\"\xff\""), "empty": nil}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"session_id":"qm-test","version":1,"panes":{"primary":{"role":"","agent":"","state":"","activity":"a` + "\uFFFD" + `b","tool":"T` + "\uFFFD" + `T <&>` + "\u2028" + `","seq":0,"last_event":"0001-01-01T00:00:00Z","last_kind":"","working_since":"0001-01-01T00:00:00Z","x":"c` + "\uFFFD" + `d","y":"` + "\uFFFD" + `"}},"seen_at":"0001-01-01T00:00:00Z","empty":null,"z":"` + "\uFFFD" + `"}` + "\n"
	if got := readState(t, root); got != want {
		t.Errorf("wrote %s\nwant  %s", got, want)
	}
}

func TestExtraThatIsNotJSON(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "a")
	before := readState(t, root)
	err := UpdateSessionState(testID, func(ss *SessionState) bool {
		ss.Extra = map[string]json.RawMessage{"bad": json.RawMessage("{")}
		return true
	})
	if err == nil || !strings.Contains(err.Error(), "bad") {
		t.Errorf("error %v", err)
	}
	if got := readState(t, root); got != before {
		t.Errorf("wrote %s", got)
	}
	for _, v := range []json.Marshaler{
		PaneState{Extra: map[string]json.RawMessage{"bad": json.RawMessage("x")}},
		SessionState{Panes: map[string]PaneState{"p": {Extra: map[string]json.RawMessage{"bad": json.RawMessage("x")}}}},
		Manifest{Display: &DisplayMetadata{Extra: map[string]json.RawMessage{"bad": json.RawMessage("x")}}},
	} {
		if data, err := v.MarshalJSON(); err == nil {
			t.Errorf("%T wrote %s", v, data)
		}
	}
}

func TestSaveSessionState(t *testing.T) {
	root := tempRoot(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC)
	ss := &SessionState{
		Panes:  map[string]PaneState{"primary": {Role: "primary", Agent: "pi", State: "done", Seq: 3, LastEvent: at, PiSessionID: "p", SessionFile: "/f"}},
		SeenAt: at,
	}
	if err := SaveSessionState(testID, ss); err != nil {
		t.Fatal(err)
	}
	want := `{"session_id":"qm-test","version":1,"panes":{"primary":{"role":"primary","agent":"pi","state":"done","activity":"","seq":3,"last_event":"2026-01-02T03:04:05.0000006Z","last_kind":"","working_since":"0001-01-01T00:00:00Z","session_file":"/f","pi_session_id":"p"}},"seen_at":"2026-01-02T03:04:05.0000006Z"}` + "\n"
	if got := readState(t, root); got != want {
		t.Errorf("wrote %s\nwant  %s", got, want)
	}
	if ss.SessionID != "" || ss.Version != 0 {
		t.Error("Save changed what it was given")
	}
	ss.SessionID, ss.Version = testID, 1
	if got := mustLoad(t); !reflect.DeepEqual(got, ss) {
		t.Errorf("loaded %+v", got)
	}
	if err := SaveSessionState(testID, nil); err == nil {
		t.Error("saved nil")
	}
	if err := SaveSessionState("x", ss); err == nil {
		t.Error("saved under a bad id")
	}
	if got := readState(t, root); got != want {
		t.Errorf("wrote %s", got)
	}
}

func TestInitStartingState(t *testing.T) {
	tempRoot(t)
	at := time.Unix(1_800_000_000, 42)
	now = func() time.Time { return at }
	defer func() { now = time.Now }()
	err := UpdateSessionState(testID, func(ss *SessionState) bool {
		ss.Panes["fast"] = PaneState{Role: "fast", Agent: "pi", State: "working"}
		ss.Panes["stub"] = PaneState{SessionFile: "/f"}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	agents := map[string]string{"primary": "codex", "fast": "pi", "stub": "pi", "": "claude", "none": ""}
	if err := InitStartingState(testID, agents); err != nil {
		t.Fatal(err)
	}
	starting := func(role, agent string) PaneState {
		return PaneState{Role: role, Agent: agent, State: "starting", Activity: "started", Seq: at.UnixNano(), LastEvent: at.UTC(), LastKind: "SessionStart"}
	}
	stub := starting("stub", "pi")
	stub.SessionFile = "/f"
	want := map[string]PaneState{
		"primary": starting("primary", "codex"),
		"fast":    {Role: "fast", Agent: "pi", State: "working"},
		"stub":    stub,
	}
	if got := mustLoad(t).Panes; !reflect.DeepEqual(got, want) {
		t.Errorf("panes %+v", got)
	}
	at = at.Add(time.Second)
	if err := InitStartingState(testID, agents); err != nil {
		t.Fatal(err)
	}
	if got := mustLoad(t).Panes; !reflect.DeepEqual(got, want) {
		t.Errorf("after the second time: %+v", got)
	}
}

func TestNoRootIsNoError(t *testing.T) {
	t.Setenv(StateRootEnv, "")
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	if root := StateRoot(); root != "" {
		t.Fatalf("root %q", root)
	}
	never := func(*SessionState) bool { t.Error("called"); return true }
	if ss, err := LoadSessionState(testID); ss != nil || err != nil {
		t.Error(ss, err)
	}
	quest, questErr := QuestIDForSession(testID)
	attached, attachedErr := IsQuestAttached("q")
	if quest != "" || attached {
		t.Error(quest, attached)
	}
	for name, err := range map[string]error{
		"Update":     UpdateSessionState(testID, never),
		"Save":       SaveSessionState(testID, &SessionState{}),
		"Append":     AppendStateEvent(testID, StateEvent{}),
		"Init":       InitStartingState(testID, map[string]string{"primary": "pi"}),
		"StampQuest": StampQuest(testID, "q"),
		"ClearQuest": ClearQuest(testID),
		"QuestID":    questErr,
		"Attached":   attachedErr,
		"Arm":        ArmQuestLoop(testID, time.Now(), false),
		"Phase":      SetQuestLoopPhase(testID, "x"),
		"ClearLoop":  ClearQuestLoop(testID),
		"Color":      NewRepoColorStore("").Set("r", "red"),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
