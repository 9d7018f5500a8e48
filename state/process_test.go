package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// runTask is what the test binary does when it plays another process.
func runTask(task string, args []string) error {
	switch task {
	case "record":
		return Record(testID, event(args[0]), parseWait(args[1]), counting)
	case "record-many":
		for i := 0; ; i++ {
			if err := Record(testID, event(args[0]+"-"+strconv.Itoa(i)), parseWait(args[1]), tallying); err != nil {
				return err
			}
		}
	case "hold-lock":
		lock, err := acquire(SessionStateLockPath(StateRoot(), testID), time.Second)
		if err != nil {
			return err
		}
		defer lock.Unlock()
		fmt.Println("locked")
		_, err = io.Copy(io.Discard, os.Stdin)
		return err
	case "update":
		n, _ := strconv.Atoi(args[0])
		for range n {
			err := UpdateSessionState(testID, func(ss *SessionState) bool {
				pane := ss.Panes["ours"]
				pane.Role = "ours"
				pane.Seq++
				ss.Panes["ours"] = pane
				return true
			})
			if err != nil {
				return err
			}
		}
		return nil
	case "reference":
		return updateAs(args, updateAsReference)
	case "stranger":
		return updateAs(args, updateAsStranger)
	case "create-manifest":
		store, err := NewStore(StateRoot())
		if err != nil {
			return err
		}
		err = store.Create(Manifest{SessionID: testID, Title: args[0]})
		if errors.Is(err, ErrManifestExists) {
			fmt.Println("exists")
			return nil
		}
		return err
	case "workers":
		store := OpenStore(StateRoot())
		for i := range 10 {
			worker := SessionIDPrefix + args[0] + "-" + strconv.Itoa(i)
			if err := store.AddWorker(testID, worker); err != nil {
				return err
			}
			if i%2 == 1 {
				if err := store.RemoveWorker(testID, worker); err != nil {
					return err
				}
			}
		}
		return nil
	case "repo-color":
		return NewRepoColorStore(StateRoot()).Set("/repo/"+args[0], "green")
	case "arm-loop":
		err := ArmQuestLoop(testID, time.Now(), false)
		if errors.Is(err, ErrQuestLoopArmed) {
			fmt.Println("armed")
			return nil
		}
		return err
	}
	return fmt.Errorf("unknown task %q", task)
}

func parseWait(s string) time.Duration {
	wait, err := time.ParseDuration(s)
	if err != nil {
		panic(err)
	}
	return wait
}

// tallying counts events in Seq and keeps nothing else.
func tallying(ss *SessionState, ev *StateEvent) bool {
	pane := ss.Panes[ev.Role]
	pane.Role = ev.Role
	pane.Seq++
	ss.Panes[ev.Role] = pane
	return true
}

func TestManyRecorders(t *testing.T) {
	const writers = 60
	root := tempRoot(t)
	var cmds []*exec.Cmd
	for i := range writers {
		cmds = append(cmds, taskCommand(t, root, "record", fmt.Sprintf("n%02d", i), "1s"))
	}
	startAll(t, cmds)
	if err := RecordWaiting(testID, time.Second, counting); err != nil {
		t.Fatal(err)
	}
	pane := mustLoad(t).Panes["primary"]
	if pane.Seq != writers || len(pane.Recent) != writers {
		t.Errorf("applied %d events, %d actions", pane.Seq, len(pane.Recent))
	}
	if got := loggedActions(t, root); got != strings.Join(pane.Recent, " ") {
		t.Errorf("logged  %q\napplied %q", got, pane.Recent)
	}
	slices.Sort(pane.Recent)
	if distinct := len(slices.Compact(pane.Recent)); distinct != writers {
		t.Errorf("%d different events", distinct)
	}
}

// While a process hangs with the lock, sixty events are put aside; the next one
// brings them all in, in the order in which they happened.
func TestManyRecordersBehindAHungProcess(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "first")
	holder := taskCommand(t, root, "hold-lock")
	stdin, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(stdout, make([]byte, len("locked\n"))); err != nil {
		t.Fatal(err)
	}

	begun := time.Now()
	err = UpdateSessionState(testID, func(*SessionState) bool { return true })
	if lockPath := SessionStateLockPath(root, testID); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), lockPath) {
		t.Errorf("UpdateSessionState: %v", err)
	}
	if waited := time.Since(begun); waited < lockWait || waited > 5*lockWait {
		t.Errorf("waited %v", waited)
	}
	var cmds []*exec.Cmd
	for i := range 60 {
		cmds = append(cmds, taskCommand(t, root, "record", fmt.Sprintf("n%02d", i), "20ms"))
	}
	startAll(t, cmds)
	if n, err := WaitingEvents(testID); n != 60 || err != nil {
		t.Errorf("WaitingEvents = %d, %v", n, err)
	}
	if got := loggedActions(t, root); got != "first" {
		t.Errorf("logged %q", got)
	}

	stdin.Close()
	if err := holder.Wait(); err != nil {
		t.Fatal(err)
	}
	mustRecord(t, "last")
	recent := mustLoad(t).Panes["primary"].Recent
	if len(recent) != 62 || recent[0] != "first" || recent[61] != "last" {
		t.Errorf("applied %q", recent)
	}
	events := readLogLines(t, root)
	if !slices.IsSortedFunc(events, func(a, b StateEvent) int { return a.Ts.Compare(b.Ts) }) {
		t.Errorf("applied out of order: %v", events)
	}
	if got := loggedActions(t, root); got != strings.Join(recent, " ") {
		t.Errorf("logged  %q\napplied %q", got, recent)
	}
}

// Three writers that get in each other's way are killed at random moments. In
// the end each event whose line is in the log was applied once, and once only,
// and nothing but our files is left.
func TestKilledRecorders(t *testing.T) {
	root := tempRoot(t)
	rounds := 25
	if testing.Short() {
		rounds = 5
	}
	for round := range rounds {
		var cmds []*exec.Cmd
		for i := range 3 {
			cmd := taskCommand(t, root, "record-many", fmt.Sprintf("r%d-%d", round, i), "300us")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			cmds = append(cmds, cmd)
		}
		for _, cmd := range cmds {
			time.Sleep(10*time.Millisecond + rand.N(15*time.Millisecond))
			cmd.Process.Kill()
			if err := cmd.Wait(); err == nil || strings.Contains(err.Error(), "exit status") {
				t.Fatalf("%v: %v", err, cmd.Stderr)
			}
		}
	}
	if err := RecordWaiting(testID, 10*time.Second, tallying); err != nil {
		t.Fatal(err)
	}
	if n, err := WaitingEvents(testID); n != 0 || err != nil {
		t.Errorf("WaitingEvents = %d, %v", n, err)
	}
	if err := Record(testID, event("last"), time.Second, tallying); err != nil {
		t.Fatal(err)
	}
	events := readLogLines(t, root)
	seen := make(map[string]bool)
	for _, ev := range events {
		if seen[ev.Action] {
			t.Errorf("%s was logged twice", ev.Action)
		}
		seen[ev.Action] = true
	}
	if seq := mustLoad(t).Panes["primary"].Seq; seq != int64(len(events)) {
		t.Errorf("%d events logged, %d applied", len(events), seq)
	}
	t.Logf("%d events", len(events))

	entries, err := os.ReadDir(filepath.Join(root, testID))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		switch entry.Name() {
		case "state.json", "state.json.lock", "state.jsonl", "state.jsonl.1":
		case "waiting":
			// A killed writer's temporary file may stay here for a minute.
		default:
			t.Errorf("left behind: %s", entry.Name())
		}
	}
}

// A reader that takes no lock sees a whole file at every moment.
func TestReadersSeeWholeFiles(t *testing.T) {
	root := tempRoot(t)
	mustRecord(t, "first")
	cmd := taskCommand(t, root, "record-many", "w", "1s")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	last := int64(0)
	for last < 300 && len(ended) == 0 {
		ss, err := LoadSessionState(testID)
		if err != nil || ss == nil {
			t.Fatalf("after %d: %v %v", last, ss, err)
		}
		seq := ss.Panes["primary"].Seq
		if seq < last {
			t.Fatalf("%d after %d", seq, last)
		}
		last = seq
	}
	cmd.Process.Kill()
	if err := <-ended; last < 300 {
		t.Errorf("the writer ended: %v: %v", err, cmd.Stderr)
	}
}

// referenceState is the state as a program knows it that has only the fields of
// the reference page. It drops the rest.
type referenceState struct {
	SessionID string                   `json:"session_id"`
	Version   int                      `json:"version"`
	Panes     map[string]referencePane `json:"panes"`
	SeenAt    time.Time                `json:"seen_at"`
	QuestID   string                   `json:"quest_id,omitempty"`
}

type referencePane struct {
	Role         string    `json:"role"`
	Agent        string    `json:"agent"`
	State        string    `json:"state"`
	Activity     string    `json:"activity"`
	Tool         string    `json:"tool,omitempty"`
	Seq          int64     `json:"seq"`
	LastEvent    time.Time `json:"last_event"`
	LastKind     string    `json:"last_kind"`
	WorkingSince time.Time `json:"working_since,omitempty"`
}

// updateAs updates the state as another program would: with its own lock call,
// encoding/json, and a temporary file of a random name.
func updateAs(args []string, update func([]byte) ([]byte, error)) error {
	n, _ := strconv.Atoi(args[0])
	path := SessionStatePath(StateRoot(), testID)
	for range n {
		unlock, err := lockAsReference(path + ".lock")
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if data, err = update(data); err != nil {
			return err
		}
		f, err := os.CreateTemp(filepath.Dir(path), "state-*")
		if err != nil {
			return err
		}
		f.Write(append(data, '\n'))
		f.Close()
		if err := os.Rename(f.Name(), path); err != nil {
			return err
		}
		unlock()
		time.Sleep(rand.N(500 * time.Microsecond))
	}
	return nil
}

func updateAsReference(data []byte) ([]byte, error) {
	var ss referenceState
	if err := json.Unmarshal(data, &ss); err != nil {
		return nil, err
	}
	pane := ss.Panes["theirs"]
	pane.Role = "theirs"
	pane.Seq++
	ss.Panes["theirs"] = pane
	return json.Marshal(ss)
}

// updateAsStranger counts in keys that we don't know, at every level.
func updateAsStranger(data []byte) ([]byte, error) {
	var ss map[string]any
	if err := json.Unmarshal(data, &ss); err != nil {
		return nil, err
	}
	count := func(object map[string]any) {
		n, _ := object["stranger"].(float64)
		object["stranger"] = n + 1
	}
	count(ss)
	count(ss["panes"].(map[string]any)["ours"].(map[string]any))
	count(ss["quest_loop"].(map[string]any))
	return json.Marshal(ss)
}

func TestTwoKindsOfWriters(t *testing.T) {
	root := tempRoot(t)
	if err := UpdateSessionState(testID, func(*SessionState) bool { return true }); err != nil {
		t.Fatal(err)
	}
	startAll(t, []*exec.Cmd{
		taskCommand(t, root, "update", "1000"),
		taskCommand(t, root, "reference", "1000"),
	})
	panes := mustLoad(t).Panes
	if panes["ours"].Seq != 1000 || panes["theirs"].Seq != 1000 {
		t.Errorf("ours %d, theirs %d", panes["ours"].Seq, panes["theirs"].Seq)
	}
}

func TestUnknownKeysOfAnotherWriter(t *testing.T) {
	root := tempRoot(t)
	err := UpdateSessionState(testID, func(ss *SessionState) bool {
		ss.Panes["ours"] = PaneState{Role: "ours"}
		ss.QuestLoop = &QuestLoopState{}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	startAll(t, []*exec.Cmd{
		taskCommand(t, root, "update", "300"),
		taskCommand(t, root, "stranger", "300"),
	})
	ss := mustLoad(t)
	if got := ss.Panes["ours"].Seq; got != 300 {
		t.Errorf("ours %d", got)
	}
	for level, got := range map[string]string{
		"session": string(ss.Extra["stranger"]),
		"pane":    string(ss.Panes["ours"].Extra["stranger"]),
		"loop":    strings.TrimPrefix(ss.QuestLoop.unknown, `"stranger":`),
	} {
		if got != "300" {
			t.Errorf("%s: %q", level, got)
		}
	}
}

func TestManyCreators(t *testing.T) {
	root := tempRoot(t)
	var cmds []*exec.Cmd
	for i := range 32 {
		cmd := taskCommand(t, root, "create-manifest", strconv.Itoa(i))
		cmd.Stdout = new(strings.Builder)
		cmds = append(cmds, cmd)
	}
	startAll(t, cmds)
	winner := ""
	for i, cmd := range cmds {
		if fmt.Sprint(cmd.Stdout) != "exists\n" {
			winner += strconv.Itoa(i)
		}
	}
	m, err := OpenStore(root).Read(testID)
	if err != nil || m.Title != winner {
		t.Errorf("manifest of %q (%v), won by %q", m.Title, err, winner)
	}
}

func TestManyChangesOfOneManifest(t *testing.T) {
	root := tempRoot(t)
	store, err := NewStore(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Create(Manifest{SessionID: testID}); err != nil {
		t.Fatal(err)
	}
	var cmds []*exec.Cmd
	for i := range 8 {
		cmds = append(cmds, taskCommand(t, root, "workers", strconv.Itoa(i)), taskCommand(t, root, "repo-color", strconv.Itoa(i)))
	}
	startAll(t, cmds)
	workers, err := store.GetWorkers(testID)
	if err != nil || len(workers) != 8*5 {
		t.Errorf("%d workers: %v", len(workers), err)
	}
	colors, err := NewRepoColorStore(root).Load()
	if err != nil || len(colors) != 8 {
		t.Errorf("%d colours: %v", len(colors), err)
	}
}

func TestManyArmers(t *testing.T) {
	root := tempRoot(t)
	var cmds []*exec.Cmd
	for range 16 {
		cmd := taskCommand(t, root, "arm-loop")
		cmd.Stdout = new(strings.Builder)
		cmds = append(cmds, cmd)
	}
	startAll(t, cmds)
	won := 0
	for _, cmd := range cmds {
		if fmt.Sprint(cmd.Stdout) == "" {
			won++
		}
	}
	if won != 1 {
		t.Errorf("%d armed the loop", won)
	}
}
