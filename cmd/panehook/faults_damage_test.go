//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"panehook/state"
)

// everyByte runs do for each number up to n; a short test takes some of them.
func everyByte(n int, do func(i int)) {
	step := 1
	if testing.Short() {
		step = 9
	}
	for i := 0; i <= n; i += step {
		do(i)
	}
}

// A state.json that ends anywhere, as after a power cut, is set aside, and what
// the log says last stands in the new one.
func TestFaultStateCutAtEveryByte(t *testing.T) {
	t.Parallel()
	r := newFaultRoot(t)
	r.lossy = true
	for range 4 {
		r.works()
	}
	whole := r.read("state.json")
	log := r.read("state.jsonl")
	taken := r.taken
	everyByte(len(whole), func(n int) {
		r.taken = taken
		r.put("state.jsonl", log)
		r.put("state.json", whole[:n])
		r.check(0)
		r.checkOrder()
		if t.Failed() {
			t.Fatalf("cut at byte %d", n)
		}
	})
	aside := 0
	entries, _ := os.ReadDir(r.path(""))
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), "state.json.corrupt-") {
			aside++
		}
	}
	if aside != 3 {
		t.Errorf("%d damaged files were kept", aside)
	}
}

// A log whose last line ends anywhere loses that line, and nothing else.
func TestFaultLogCutAtEveryByte(t *testing.T) {
	t.Parallel()
	r := newFaultRoot(t)
	r.torn, r.lossy = 1, true
	for range 4 {
		r.works()
	}
	stateFile, log, taken := r.read("state.json"), r.read("state.jsonl"), r.taken
	last := log[strings.LastIndexByte(log[:len(log)-1], '\n')+1:]
	everyByte(len(last), func(n int) {
		r.taken = taken
		if n > 1 { // more than the newline
			r.taken = taken[: len(taken)-1 : len(taken)-1]
		}
		r.put("state.jsonl", log[:len(log)-n])
		r.put("state.json", stateFile)
		r.check(0)
		r.checkOrder()
		if t.Failed() {
			t.Fatalf("cut %d bytes", n)
		}
	})
}

// A clock that jumps back and years ahead changes neither the order nor what is
// kept, and time never runs backwards in the state.
func TestFaultJumpingClock(t *testing.T) {
	t.Parallel()
	r := newFaultRoot(t)
	frozen, err := exec.LookPath("panehook") // the test binary: its clock can be set
	if err != nil {
		t.Fatal(err)
	}
	r.program = frozen
	var seen time.Time
	for _, at := range []time.Time{
		scriptStart, scriptStart.AddDate(0, 0, -1), scriptStart.AddDate(10, 0, 0), scriptStart,
		time.Unix(0, 0), scriptStart.Add(time.Second), scriptStart.AddDate(200, 0, 0), scriptStart.Add(time.Minute),
	} {
		r.extra = []string{clockVar + "=" + at.UTC().Format(time.RFC3339Nano)}
		r.works()
		r.works()
		r.check(0)
		r.checkOrder()
		ss, err := state.LoadSessionStateAt(r.root, r.session)
		if err != nil {
			t.Fatal(err)
		}
		if last := ss.Panes[role].LastEvent; last.Before(seen) {
			t.Errorf("%v comes after %v", last, seen)
		} else {
			seen = last
		}
	}
}

// Another program, of a version to come, writes to the same session: keys that
// we don't know at every level, and lines of another form. Nothing of either
// gets lost.
func TestFaultTwoVersions(t *testing.T) {
	t.Parallel()
	const updates = 100
	r := newFaultRoot(t)
	r.works()
	done := make(chan error)
	go func() {
		for i := range updates {
			if err := r.updateAsLater(i); err != nil {
				done <- err
				return
			}
		}
		close(done)
	}()
	atOnce(updates, 4, func(int) { r.works() })
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	r.check(0)
	var ss struct {
		Later int
		Panes map[string]struct {
			Later    int
			Panehook struct{ Later int }
		}
	}
	if err := json.Unmarshal([]byte(r.read("state.json")), &ss); err != nil {
		t.Fatal(err)
	}
	pane := ss.Panes[role]
	if ss.Later != updates || pane.Later != updates || pane.Panehook.Later != updates {
		t.Errorf("of %d updates there are %d in the session, %d in the pane, %d in its memory", updates, ss.Later, pane.Later, pane.Panehook.Later)
	}
	if lines := strings.Count(r.read("state.jsonl"), `"later":`); lines != updates {
		t.Errorf("of %d lines there are %d", updates, lines)
	}
}

// updateAsLater is one update by the later version.
func (r *faultRoot) updateAsLater(i int) error {
	release := r.holdLock()
	defer release()
	var ss map[string]any
	decoder := json.NewDecoder(strings.NewReader(r.read("state.json")))
	decoder.UseNumber()
	if err := decoder.Decode(&ss); err != nil {
		return err
	}
	pane := ss["panes"].(map[string]any)[role].(map[string]any)
	for _, object := range []map[string]any{ss, pane, pane["panehook"].(map[string]any)} {
		object["later"] = i + 1
	}
	data, err := json.Marshal(ss)
	if err != nil {
		return err
	}
	r.put("state.json", string(data)+"\n")
	f, err := os.OpenFile(r.path("state.jsonl"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = fmt.Fprintf(f, `{"v":2,"later":{"n":%d,"seq":[1]}}`+"\n", i)
	return err
}
