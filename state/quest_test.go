package state

import (
	"errors"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestQuests(t *testing.T) {
	root := tempRoot(t)
	if ids, err := SessionsForQuest("q"); len(ids) != 0 || err != nil {
		t.Errorf("no root: %v, %v", ids, err)
	}
	for _, id := range []string{"qm-b", "qm-a", "qm-c"} {
		if err := StampQuest(id, "q"); err != nil {
			t.Fatal(err)
		}
	}
	if err := StampQuest("qm-c", "other"); err != nil {
		t.Fatal(err)
	}
	// Things that are no sessions, or cannot be read.
	os.WriteFile(SessionStateDir(root, "qm-f"), nil, 0o600)
	os.MkdirAll(SessionStatePath(root, "qm-d"), 0o700)
	os.MkdirAll(SessionStateDir(root, "x"), 0o700)
	os.MkdirAll(SessionStateDir(root, "qm-e"), 0o700)
	os.WriteFile(SessionStatePath(root, "qm-e"), []byte("{"), 0o600)

	if ids, err := SessionsForQuest("q"); !slices.Equal(ids, []string{"qm-a", "qm-b"}) || err != nil {
		t.Errorf("%v, %v", ids, err)
	}
	if ids, err := SessionsForQuest(""); len(ids) != 0 || err != nil {
		t.Errorf("no quest: %v, %v", ids, err)
	}
	for quest, want := range map[string]bool{"q": true, "other": true, "none": false, "": false} {
		if got, err := IsQuestAttached(quest); got != want || err != nil {
			t.Errorf("IsQuestAttached(%q) = %v, %v", quest, got, err)
		}
	}
	for id, want := range map[string]string{"qm-a": "q", "qm-c": "other", "qm-none": ""} {
		if got, err := QuestIDForSession(id); got != want || err != nil {
			t.Errorf("QuestIDForSession(%q) = %q, %v", id, got, err)
		}
	}
	if _, err := QuestIDForSession("qm-e"); !errors.Is(err, ErrDamaged) {
		t.Errorf("damaged: %v", err)
	}
	if err := ClearQuest("qm-a"); err != nil {
		t.Fatal(err)
	}
	if err := StampQuest("qm-b", ""); err != nil {
		t.Fatal(err)
	}
	if got, err := IsQuestAttached("q"); got || err != nil {
		t.Errorf("cleared: %v, %v", got, err)
	}
	if err := ClearQuest("qm-none"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(SessionStateDir(root, "qm-none")); !os.IsNotExist(err) {
		t.Errorf("clearing made a folder: %v", err)
	}
	if err := ClearQuest("none"); err == nil {
		t.Error("a bad id went through")
	}
	os.RemoveAll(root)
	os.WriteFile(root, nil, 0o600)
	if _, err := SessionsForQuest("q"); err == nil {
		t.Error("a root that is a file went through")
	}
}

func TestQuestLoop(t *testing.T) {
	root := tempRoot(t)
	for _, err := range []error{
		UpdateQuestLoop(testID, 1, "v", "p"), SetQuestLoopPhase(testID, "p"), ClearQuestLoop(testID),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(root); !os.IsNotExist(err) {
		t.Errorf("without a marker something was made: %v", err)
	}
	since := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	if err := ArmQuestLoop(testID, since, false); err != nil {
		t.Fatal(err)
	}
	check := func(want *QuestLoopState) {
		t.Helper()
		if got := mustLoad(t).QuestLoop; !reflect.DeepEqual(got, want) {
			t.Errorf("marker %+v, want %+v", got, want)
		}
	}
	check(&QuestLoopState{Since: since.UTC(), Phase: "waiting"})
	if err := ArmQuestLoop(testID, since, false); !errors.Is(err, ErrQuestLoopArmed) {
		t.Errorf("armed twice: %v", err)
	}
	if err := UpdateQuestLoop(testID, 2, "no", QuestLoopPhaseChecking); err != nil {
		t.Fatal(err)
	}
	check(&QuestLoopState{Since: since.UTC(), Iterations: 2, LastVerdict: "no", Phase: "checking"})
	before := readState(t, root)
	info, _ := os.Stat(SessionStatePath(root, testID))
	if err := SetQuestLoopPhase(testID, QuestLoopPhaseChecking); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(SessionStatePath(root, testID)); !os.SameFile(info, after) || readState(t, root) != before {
		t.Error("the same phase was written again")
	}
	if err := SetQuestLoopPhase(testID, QuestLoopPhasePaused); err != nil {
		t.Fatal(err)
	}
	check(&QuestLoopState{Since: since.UTC(), Iterations: 2, LastVerdict: "no", Phase: "paused"})
	later := since.Add(time.Hour)
	if err := ArmQuestLoop(testID, later, true); err != nil {
		t.Fatal(err)
	}
	check(&QuestLoopState{Since: later.UTC(), Phase: "waiting"})
	if err := ClearQuestLoop(testID); err != nil {
		t.Fatal(err)
	}
	check(nil)
}
